#include "backend/cpu/ntt/domain.h"

#include "backend/cpu/ifma/domain.h"
#include "core/cpu.h"

namespace supraseal {

std::unique_ptr<Domain> make_domain(const Resources& on, size_t log2,
                                    [[maybe_unused]] Kernels kernels) {
#if defined(__x86_64__)
    if (kernels == Kernels::fastest && cpu_has_ifma() && log2 >= kSmallestIfmaDomainLog2) {
        return make_ifma_domain(on, log2);
    }
#endif
    return make_portable_domain(on, log2);
}

}  // namespace supraseal
