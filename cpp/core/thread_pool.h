// A CPU pool with an explicit size, over sppark's thread_pool_t.
//
// sppark's par_map never returns, or ends the process, when a task throws. Every task that goes
// through this class is wrapped: the first exception is kept, tasks that have not begun are
// skipped, and the exception is rethrown in the caller once no task runs any more.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <util/thread_pool_t.hpp>

namespace supraseal {

class ThreadPool {
public:
    // Throws Error::shape for 0 threads and Error::io when the system refuses a thread.
    explicit ThreadPool(size_t threads);

    size_t size() const { return pool_.size(); }

    // Calls task(i) for i in [0, count), in any order, on the pool's threads; returns when all are
    // done. Must not be called from a task of the same pool.
    template <class Task>
    void for_each(size_t count, const Task& task) const {
        if (count == 0) {
            return;
        }
        if (count == 1 || pool_.size() == 1) {
            for (size_t i = 0; i < count; i++) {
                task(i);
            }
            return;
        }
        FirstFailure failure;
        pool_.par_map(count, [&](size_t i) { failure.guard([&] { task(i); }); });
        failure.rethrow();
    }

    // Splits [0, count) into contiguous ranges of at least `grain` and calls task(begin, end).
    template <class Task>
    void for_ranges(size_t count, size_t grain, const Task& task) const {
        const size_t parts_wanted = 4 * pool_.size();
        const size_t parts = std::min(parts_wanted, (count + grain - 1) / grain);
        for_each(parts, [&](size_t i) { task(count * i / parts, count * (i + 1) / parts); });
    }

private:
    class FirstFailure {
    public:
        template <class Work>
        void guard(const Work& work) {
            if (failed_.load(std::memory_order_relaxed)) {
                return;
            }
            try {
                work();
            } catch (...) {
                std::lock_guard<std::mutex> lock(mutex_);
                if (!first_) {
                    first_ = std::current_exception();
                }
                failed_.store(true, std::memory_order_relaxed);
            }
        }
        void rethrow() {
            if (first_) {
                std::rethrow_exception(first_);
            }
        }

    private:
        std::atomic<bool> failed_{false};
        std::mutex mutex_;
        std::exception_ptr first_;
    };

    // par_map is not const in sppark although it is safe to call from several threads.
    mutable thread_pool_t pool_;
};

}  // namespace supraseal
