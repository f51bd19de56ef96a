// Proves on the CPU.
#pragma once

#include "backend/backend.h"
#include "backend/cpu/kernels.h"

namespace supraseal {

class CpuBackend final : public Backend {
public:
    explicit CpuBackend(Kernels kernels) : kernels_(kernels) {}

    std::vector<Fr> quotient(const ThreadPool& pool, const Evaluations& evaluations) const override;
    MsmSums msms(const ThreadPool& pool, const Srs& srs, Span<const Fr> h, const Witness& witness,
                 const Queries& queries, Timeline& timeline) const override;

private:
    Kernels kernels_;
};

}  // namespace supraseal
