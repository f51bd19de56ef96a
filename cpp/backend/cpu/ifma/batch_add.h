// Batched additions on AVX-512 IFMA, for processors that have it.
#pragma once

#include "backend/cpu/msm/batch_add.h"

namespace supraseal {

#if defined(__x86_64__)
template <class Field>
void batch_add_ifma(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch);
#endif

}  // namespace supraseal
