// Working memory that tasks take and give back, so that as much exists as tasks ran at once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/block_pool.h"

namespace supraseal {

template <class Scratch>
class ScratchPool {
public:
    explicit ScratchPool(BlockPool& memory) : memory_(memory) {}

    // Calls work(scratch).
    template <class Work>
    void with(const Work& work) {
        std::unique_ptr<Scratch> scratch = take();
        work(*scratch);
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(std::move(scratch));
    }

private:
    std::unique_ptr<Scratch> take() {
        std::lock_guard<std::mutex> lock(mutex_);
        if (idle_.empty()) {
            return std::make_unique<Scratch>(memory_);
        }
        std::unique_ptr<Scratch> scratch = std::move(idle_.back());
        idle_.pop_back();
        return scratch;
    }

    BlockPool& memory_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> idle_;
};

}  // namespace supraseal
