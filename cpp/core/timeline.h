// What each phase of a call took, as data.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace supraseal {

// Spelled the same as supraseal-sys/src/timeline.rs (PhaseKind).
enum class PhaseKind : uint8_t {
    classify = 0,
    quotient = 1,
    msm_h = 2,
    msm_l = 3,
    msm_a = 4,
    msm_b_g1 = 5,
    msm_b_g2 = 6,
    assemble = 7,
};

struct PhaseRecord {
    PhaseKind kind;
    uint64_t start_ns;  // since the timeline's origin
    uint64_t end_ns;
    uint64_t bytes;  // read and written by the phase's inputs and outputs
    uint32_t threads;
};

class Timeline {
public:
    uint64_t now() const {
        return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::steady_clock::now() - origin_)
                                         .count());
    }
    void add(const PhaseRecord& record) {
        std::lock_guard<std::mutex> lock(mutex_);
        records_.push_back(record);
    }
    const std::vector<PhaseRecord>& records() const { return records_; }

private:
    std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::vector<PhaseRecord> records_;
};

}  // namespace supraseal
