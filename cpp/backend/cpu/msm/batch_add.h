// Additions of affine points in batches that share one field inversion (Montgomery's trick), the
// operation all of an MSM is made of.
#pragma once

#include "backend/cpu/ifma/scratch.h"
#include "backend/cpu/kernels.h"
#include "core/types.h"

namespace supraseal {

// A point somewhere in memory, or its negative.
template <class Field>
class Ref {
public:
    Ref() = default;
    Ref(const Affine<Field>* point, bool negative)
        : tagged_(reinterpret_cast<uintptr_t>(point) | static_cast<uintptr_t>(negative)) {}

    const Affine<Field>* point() const {
        return reinterpret_cast<const Affine<Field>*>(tagged_ & ~uintptr_t{1});
    }
    bool negative() const { return (tagged_ & 1) != 0; }
    Affine<Field> load() const {
        Affine<Field> out = *point();
        out.y.cneg(negative());
        return out;
    }

private:
    uintptr_t tagged_ = 0;  // points are aligned to 8 bytes
};

// One addition: *out = left + right. No `out` of a batch may be an operand of the same batch.
template <class Field>
struct Sum {
    Ref<Field> left, right;
    Affine<Field>* out;
};

// What the kernels remember between their two passes; kept by the caller so that its memory is
// reused.
template <class Field>
struct BatchScratch {
    explicit BatchScratch(BlockPool& memory)
        : differences(memory), products(memory), special(memory), kept(memory) {}

    Buffer<Field> differences, products;
    Buffer<Sum<Field>> special;
    AlignedWords kept;  // by the vector kernels
};

// Adds every pair, whatever the operands: equal, opposite or infinite ones too.
template <class Field>
using BatchAdd = void (*)(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch);

// The kernel for any processor, over blst's assembly.
template <class Field>
void batch_add_portable(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch);

template <class Field>
BatchAdd<Field> batch_add_for(Kernels kernels);

}  // namespace supraseal
