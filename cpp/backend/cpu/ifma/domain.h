// The evaluation domain on AVX-512 IFMA, for processors that have it.
#pragma once

#include "backend/cpu/ntt/domain.h"

namespace supraseal {

#if defined(__x86_64__)
constexpr size_t kSmallestIfmaDomainLog2 = 8;

std::unique_ptr<Domain> make_ifma_domain(const Resources& on, size_t log2);
#endif

}  // namespace supraseal
