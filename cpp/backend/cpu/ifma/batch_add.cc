#include "backend/cpu/ifma/batch_add.h"

#if defined(__x86_64__)

#include <algorithm>
#include <cstring>

#include "backend/cpu/ifma/kernels.h"

namespace supraseal {

namespace {

static_assert(sizeof(Sum<Fp>) == sizeof(ifma::RawSum), "read as RawSum");
static_assert(sizeof(Sum<Fp2>) == sizeof(ifma::RawSum), "read as RawSum");
static_assert(sizeof(Ref<Fp>) == sizeof(uintptr_t), "read as a tagged address");

template <class Field>
struct Passes;

template <>
struct Passes<Fp> {
    static constexpr size_t kLanes = ifma::kFpLanes;
    static constexpr auto kForward = ifma::fp_forward;
    static constexpr auto kBackward = ifma::fp_backward;
};

template <>
struct Passes<Fp2> {
    static constexpr size_t kLanes = ifma::kFp2Lanes;
    static constexpr auto kForward = ifma::fp2_forward;
    static constexpr auto kBackward = ifma::fp2_backward;
};

// What is kept for a batch stays in the second-level cache.
constexpr size_t kStepsAtOnce = 256;
// Fewer are done one by one sooner than a step is filled.
constexpr size_t kFewest = 4;

// Replaces each lane's product by its inverse times 2^48.
template <class Field, size_t Lanes>
void invert(Field (&values)[Lanes]) {
    Field before[Lanes];
    Field product = Field::one();
    for (size_t i = 0; i < Lanes; i++) {
        before[i] = product;
        product *= values[i];
    }
    Field inverse = 1 / product;
    inverse *= Field(uint64_t{1} << 48);
    for (size_t i = Lanes; i-- > 0;) {
        const Field value = values[i];
        values[i] = inverse * before[i];
        inverse *= value;
    }
}

template <class Field>
void add_steps(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch) {
    constexpr size_t lanes = Passes<Field>::kLanes;
    const size_t steps = sums.size() / lanes;
    ifma::RawSum raw[kStepsAtOnce * lanes];
    std::memcpy(raw, static_cast<const void*>(sums.data()), sums.size() * sizeof(ifma::RawSum));
    uint32_t special[kStepsAtOnce];
    Field values[lanes];
    uint64_t words[lanes * sizeof(Field) / sizeof(uint64_t)];

    uint64_t* kept = scratch.kept.get(kStepsAtOnce * ifma::kStepWords);
    Passes<Field>::kForward(raw, steps, kept, special, words);
    std::memcpy(static_cast<void*>(values), words, sizeof(words));
    invert(values);
    std::memcpy(words, static_cast<const void*>(values), sizeof(words));
    Passes<Field>::kBackward(raw, steps, kept, special, words);
    for (size_t step = 0; step < steps; step++) {
        for (uint32_t left = special[step]; left != 0; left &= left - 1) {
            scratch.special.push_back(
                sums[step * lanes + static_cast<size_t>(__builtin_ctz(left))]);
        }
    }
}

// The last sums, filled up to whole steps by repeating the first.
template <class Field>
void add_rest(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch) {
    constexpr size_t lanes = Passes<Field>::kLanes;
    Affine<Field> discarded;
    Sum<Field> step[lanes];
    for (size_t i = 0; i < lanes; i++) {
        step[i] = i < sums.size() ? sums[i] : Sum<Field>{sums[0].left, sums[0].right, &discarded};
    }
    const size_t special_before = scratch.special.size();
    add_steps(Span<const Sum<Field>>(step, lanes), scratch);
    const auto filler = [&](const Sum<Field>& sum) { return sum.out == &discarded; };
    scratch.special.erase(
        std::remove_if(scratch.special.begin() + static_cast<ptrdiff_t>(special_before),
                       scratch.special.end(), filler),
        scratch.special.end());
}

}  // namespace

template <class Field>
void batch_add_ifma(Span<const Sum<Field>> sums, BatchScratch<Field>& scratch) {
    constexpr size_t lanes = Passes<Field>::kLanes;
    if (sums.size() < kFewest) {
        batch_add_portable(sums, scratch);
        return;
    }
    scratch.special.clear();
    const size_t whole = sums.size() / lanes * lanes;
    for (size_t begin = 0; begin < whole; begin += kStepsAtOnce * lanes) {
        add_steps(sums.sub(begin, std::min(kStepsAtOnce * lanes, whole - begin)), scratch);
    }
    if (whole < sums.size()) {
        add_rest(sums.sub(whole, sums.size() - whole), scratch);
    }
    batch_add_portable(Span<const Sum<Field>>(scratch.special.data(), scratch.special.size()),
                       scratch);
}

template void batch_add_ifma(Span<const Sum<Fp>>, BatchScratch<Fp>&);
template void batch_add_ifma(Span<const Sum<Fp2>>, BatchScratch<Fp2>&);

}  // namespace supraseal

#endif
