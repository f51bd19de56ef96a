// Multi-scalar multiplications by Pippenger's method (signed digits, buckets of affine points),
// cut into tasks that any number of MSMs, in G1 and G2, can be queued together.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "backend/cpu/msm/scratch_pool.h"
#include "backend/cpu/msm/window.h"
#include "core/timeline.h"

namespace supraseal {

// A piece of work, and its cost in additions in Fp.
struct MsmTask {
    size_t cost;
    std::function<void()> run;
};

// What the MSMs of a call share.
struct MsmContext {
    MsmContext(const Resources& resources, Kernels use_kernels)
        : on(resources),
          kernels(use_kernels),
          g1_scratch(resources.memory),
          g2_scratch(resources.memory) {}

    const Resources& on;
    Kernels kernels;
    ScratchPool<WindowScratch<Fp>> g1_scratch;
    ScratchPool<WindowScratch<Fp2>> g2_scratch;
};

// Runs the tasks on the pool, the most expensive first, so that the last ones to end are small.
void run_tasks(const Resources& on, std::vector<MsmTask>& tasks);

// One MSM: sum of scalar * base over `terms`, plus the sum of the bases in `ones`.
template <class Field>
class Msm {
public:
    // All arguments must outlive the object; so must the object the tasks it gives, without moving.
    Msm(const Terms<Field>& terms, Span<const uint32_t> ones, const Digits& digits,
        MsmContext& context);
    Msm(const Msm&) = delete;
    Msm& operator=(const Msm&) = delete;

    void add_tasks(const Timeline& timeline, std::vector<MsmTask>& tasks);

    // After every task has run.
    jacobian_t<Field> sum() const;

    // From the first task's start to the last one's end.
    uint64_t start_ns() const { return start_ns_.load(); }
    uint64_t end_ns() const { return end_ns_.load(); }
    size_t bytes() const {
        return (terms_.size() + ones_.size()) * (sizeof(Affine<Field>)) +
               terms_.size() * sizeof(Fr);
    }

private:
    void add_windows(const Timeline& timeline, std::vector<MsmTask>& tasks);
    void add_ones(const Timeline& timeline, std::vector<MsmTask>& tasks);
    template <class Work>
    std::function<void()> timed(const Timeline& timeline, const Work& work);
    size_t bits_at(size_t part, size_t window) const {
        return (part * digits_.windows().count() + window) * digits_.windows().bits;
    }

    Terms<Field> terms_;
    Span<const uint32_t> ones_;
    const Digits& digits_;
    ScratchPool<WindowScratch<Field>>& scratch_;
    BatchAdd<Field> batch_add_;
    bool direct_;
    size_t parts_, ones_parts_;
    Buffer<Affine<Field>> bits_;  // by part, window, bit
    Buffer<Affine<Field>> ones_sums_;
    jacobian_t<Field> direct_sum_;
    std::atomic<uint64_t> start_ns_{UINT64_MAX}, end_ns_{0};
};

}  // namespace supraseal
