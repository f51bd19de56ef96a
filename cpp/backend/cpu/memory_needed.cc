#include <algorithm>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/msm/digits.h"
#include "backend/cpu/msm/sum_segments.h"

namespace supraseal {

namespace {

uint64_t domain_size(uint64_t constraints) {
    return uint64_t{1} << domain_log2(constraints);
}

// Blocks are whole pages, and an idle one may be larger than what it is taken for by a quarter.
uint64_t in_blocks(uint64_t bytes) {
    constexpr uint64_t kPages = 1 << 20;
    return bytes + bytes / 4 + kPages;
}

// What a thread needs for the windows of an MSM of `terms` terms in a group.
uint64_t window_scratch(uint64_t terms, uint64_t point_bytes) {
    // The width grows with the number of terms; as they can be fewer than thought, so can the
    // buckets.
    const uint64_t buckets = Windows::cheapest({static_cast<size_t>(terms)}).buckets();
    const uint64_t sorted = 4 * terms + 8 * buckets;
    const uint64_t levels = 2 * buckets * point_bytes;
    // Partial sums, references and pairs of a group, and of the widest level of buckets; vectors
    // may have grown to twice that.
    const uint64_t at_once = std::max<uint64_t>(2 * kPointsAtOnce, 2 * buckets);
    constexpr uint64_t kReferences = 64;
    constexpr uint64_t kKernel = 1 << 20;
    return sorted + levels + 2 * at_once * (point_bytes + kReferences) + kKernel;
}

}  // namespace

uint64_t CpuBackend::evaluation_scratch(uint64_t constraints, uint64_t threads) {
    const uint64_t domain = domain_size(constraints);
    // A, B, C and the twiddles; of a strip of the transforms a thread has a copy, in limbs.
    const uint64_t strip = 16 * 40 * std::min<uint64_t>(domain, 1 << 14);
    return in_blocks(4 * domain * sizeof(Fr) + threads * strip);
}

uint64_t CpuBackend::witness_scratch(const WitnessShape& shape, uint64_t threads) {
    const uint64_t domain = domain_size(shape.constraints);
    const uint64_t variables = shape.inputs + shape.aux;
    // H, its digits and its order; the witness's digits; which terms are where, once in parts and
    // once as a whole.
    const uint64_t h = domain * (2 * sizeof(Fr) + 4);
    const uint64_t lists = 2 * 8 * (variables + shape.in_a + shape.in_b);
    const uint64_t terms = std::max({domain, shape.aux, shape.in_a, shape.in_b});
    const uint64_t scratch = window_scratch(terms, sizeof(G1Affine)) +
                             window_scratch(std::max<uint64_t>(1, shape.in_b), sizeof(G2Affine));
    return in_blocks(h + variables * sizeof(Fr) + lists + threads * scratch);
}

}  // namespace supraseal
