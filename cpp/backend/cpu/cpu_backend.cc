#include "backend/cpu/cpu_backend.h"

#include "core/error.h"

namespace supraseal {

std::vector<Fr> CpuBackend::quotient(const Circuit&) const {
    throw Error::internal("quotient", "not written yet");
}

MsmSums CpuBackend::msms(const Srs&, Span<const Fr>, const Circuit&, const Queries&, uint32_t,
                         Timeline&) const {
    throw Error::internal("msm", "not written yet");
}

}  // namespace supraseal
