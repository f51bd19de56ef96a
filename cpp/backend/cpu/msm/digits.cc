#include "backend/cpu/msm/digits.h"

#include <cstring>

namespace supraseal {

namespace {

using Limbs = std::array<uint64_t, 4>;

constexpr Limbs kModulus = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                            0x73eda753299d7d48};
// (r - 1) / 2: what is above has the smaller negative.
constexpr Limbs kHalf = {0x7fffffff80000000, 0xa9ded2017fff2dff, 0x199cec0404d0ec02,
                         0x39f6d3a994cebea4};

bool less(const Limbs& a, const Limbs& b) {
    for (size_t i = 4; i-- > 0;) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

Limbs subtract(const Limbs& a, const Limbs& b) {
    Limbs out;
    uint64_t borrow = 0;
    for (size_t i = 0; i < 4; i++) {
        const unsigned __int128 difference = static_cast<unsigned __int128>(a[i]) - b[i] - borrow;
        out[i] = static_cast<uint64_t>(difference);
        borrow = static_cast<uint64_t>(difference >> 64) & 1;
    }
    return out;
}

Limbs add(const Limbs& a, const Limbs& b) {
    Limbs out;
    uint64_t carry = 0;
    for (size_t i = 0; i < 4; i++) {
        const unsigned __int128 sum = static_cast<unsigned __int128>(a[i]) + b[i] + carry;
        out[i] = static_cast<uint64_t>(sum);
        carry = static_cast<uint64_t>(sum >> 64);
    }
    return out;
}

// Half a window in every window but the top one: adding it makes each digit d appear as the
// unsigned d + 2^(bits - 1), with the carries of signed recoding done by one addition.
Limbs offsets(const Windows& windows) {
    Limbs out = {0, 0, 0, 0};
    for (size_t w = 0; w + 1 < windows.count(); w++) {
        const size_t bit = w * windows.bits + windows.bits - 1;
        out[bit / 64] |= uint64_t{1} << (bit % 64);
    }
    return out;
}

}  // namespace

Windows Windows::cheapest(const std::vector<size_t>& sizes) {
    // A window costs its terms, two additions a bucket, and a few inversions that nothing shares.
    constexpr size_t kFixed = 512;
    constexpr size_t kWidest = 20;
    Windows best{1};
    size_t best_cost = SIZE_MAX;
    for (size_t bits = 2; bits <= kWidest; bits++) {
        const Windows candidate{bits};
        size_t cost = 0;
        for (const size_t size : sizes) {
            cost += candidate.count() * (size + 2 * candidate.buckets() + kFixed);
        }
        if (cost < best_cost) {
            best_cost = cost;
            best = candidate;
        }
    }
    return best;
}

Digits::Digits(const Resources& on, Span<const Fr> first, Span<const Fr> second, Windows windows)
    : windows_(windows), values_(first.size() + second.size(), on.memory) {
    const Limbs offset = offsets(windows);
    constexpr size_t kGrain = 1024;
    on.threads.for_ranges(values_.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++) {
            const Fr& scalar = i < first.size() ? first[i] : second[i - first.size()];
            Fr plain = scalar;
            plain.from();
            Limbs value;
            static_assert(sizeof(value) == sizeof(plain), "four limbs");
            std::memcpy(value.data(), static_cast<const void*>(&plain), sizeof(value));
            const bool folded = less(kHalf, value);
            if (folded) {
                value = subtract(kModulus, value);
            }
            value = add(value, offset);
            value[3] |= static_cast<uint64_t>(folded) << 63;
            values_[i] = value;
        }
    });
}

}  // namespace supraseal
