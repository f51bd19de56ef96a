// A CPU pool with an explicit size and owner.
//
// Not sppark's thread_pool_t: its par_map never returns, or ends the process, when a task throws;
// its constructor ends the process when the system refuses a thread; its destructor can miss a
// thread that is about to wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/types.h"

namespace supraseal {

class ThreadPool {
public:
    // The threads run on `cpus`, or wherever the calling thread may if that is empty. Throws
    // Error::shape for 0 threads and Error::io when the system refuses a thread or every CPU.
    ThreadPool(size_t threads, Span<const uint32_t> cpus);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    size_t size() const { return threads_.size(); }

    // Calls task(i) for i in [0, count), in any order, on the pool's threads; returns when all are
    // done. The first exception of a task is rethrown here, after the running ones have ended;
    // those that have not begun are skipped. May be called from several threads at once, but not
    // from a task of the same pool.
    template <class Task>
    void for_each(size_t count, const Task& task) const {
        if (count == 1 || threads_.size() == 1) {
            for (size_t i = 0; i < count; i++) {
                task(i);
            }
        } else if (count > 0) {
            Job job(count, &task,
                    [](const void* erased, size_t i) { (*static_cast<const Task*>(erased))(i); });
            run(job);
        }
    }

    // Splits [0, count) into contiguous ranges of at least `grain` and calls task(begin, end).
    template <class Task>
    void for_ranges(size_t count, size_t grain, const Task& task) const {
        const size_t parts_wanted = 4 * threads_.size();
        const size_t parts = std::min(parts_wanted, (count + grain - 1) / grain);
        for_each(parts, [&](size_t i) { task(count * i / parts, count * (i + 1) / parts); });
    }

private:
    // A call of for_each, on its caller's stack.
    struct Job {
        using Run = void (*)(const void* task, size_t i);
        Job(size_t items, const void* erased_task, Run run_task)
            : count(items), task(erased_task), run(run_task) {}

        const size_t count;
        const void* const task;
        const Run run;
        std::atomic<size_t> next{0};
        // The pool's mutex guards what follows.
        size_t workers = 0;
        bool queued = true;
        std::exception_ptr first_failure;
        std::condition_variable done;
    };

    void run(Job& job) const;
    void work() const;
    void take_part(Job& job) const;
    void close();

    mutable std::mutex mutex_;
    mutable std::condition_variable something_to_do_;
    mutable std::deque<Job*> jobs_;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace supraseal
