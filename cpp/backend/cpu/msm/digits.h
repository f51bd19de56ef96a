// Signed digits of scalars, made once and read by every MSM over the same scalars.
#pragma once

#include <array>
#include <vector>

#include "core/resources.h"
#include "core/types.h"

namespace supraseal {

// How scalars are cut into windows.
struct Windows {
    size_t bits;  // of a window

    size_t count() const { return (kScalarBits + bits - 1) / bits; }
    // Digits are -buckets to buckets.
    size_t buckets() const { return size_t{1} << (bits - 1); }

    // The width with the least work in all for MSMs of these sizes over shared scalars.
    static Windows cheapest(const std::vector<size_t>& sizes);

    // Folding the sign away leaves 254 bits; one more takes the carry of the signed digits.
    static constexpr size_t kScalarBits = 255;
};

// A digit: which bucket a term goes to (0: none), and whether its point is negated.
struct Digit {
    uint32_t bucket;
    bool negative;
};

class Digits {
public:
    Digits(const Resources& on, Span<const Fr> first, Span<const Fr> second, Windows windows);

    const Windows& windows() const { return windows_; }

    Digit at(size_t variable, size_t window) const {
        const std::array<uint64_t, 4>& value = values_[variable];
        const size_t bit = window * windows_.bits;
        const size_t limb = bit / 64;
        uint64_t raw = value[limb] >> (bit % 64);
        if (bit % 64 + windows_.bits > 64 && limb < 3) {
            raw |= value[limb + 1] << (64 - bit % 64);
        }
        const bool folded = (value[3] >> 63) != 0;
        if (window + 1 == windows_.count()) {
            // The top window has what is left, without an offset and without the sign's bit.
            const uint64_t mask = (uint64_t{1} << (kTopBit - bit)) - 1;
            return Digit{static_cast<uint32_t>(raw & mask), folded};
        }
        const auto digit = static_cast<int64_t>(raw & ((uint64_t{1} << windows_.bits) - 1)) -
                           static_cast<int64_t>(windows_.buckets());
        return digit < 0 ? Digit{static_cast<uint32_t>(-digit), !folded}
                         : Digit{static_cast<uint32_t>(digit), folded};
    }

private:
    static constexpr size_t kTopBit = 255;

    Windows windows_;
    Buffer<std::array<uint64_t, 4>> values_;
};

}  // namespace supraseal
