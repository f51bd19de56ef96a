#include "core/thread_pool.h"

#include <system_error>

#include "core/affinity.h"
#include "core/error.h"

namespace supraseal {

ThreadPool::ThreadPool(size_t threads, Span<const uint32_t> cpus) {
    if (threads == 0) {
        throw Error::shape("pool threads", 1, 0);
    }
    const AffinityGuard inherited(cpus);
    threads_.reserve(threads);
    try {
        for (size_t i = 0; i < threads; i++) {
            threads_.emplace_back([this] { work(); });
        }
    } catch (const std::system_error& e) {
        close();
        throw Error::io(e.code().value(), "create a pool thread");
    } catch (...) {
        close();
        throw;
    }
}

ThreadPool::~ThreadPool() {
    close();
}

void ThreadPool::close() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    something_to_do_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
    threads_.clear();
}

void ThreadPool::run(Job& job) const {
    std::unique_lock<std::mutex> lock(mutex_);
    jobs_.push_back(&job);
    something_to_do_.notify_all();
    job.done.wait(lock, [&] { return !job.queued && job.workers == 0; });
    if (job.first_failure) {
        std::rethrow_exception(job.first_failure);
    }
}

void ThreadPool::work() const {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
        something_to_do_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
        if (jobs_.empty()) {
            return;
        }
        Job& job = *jobs_.front();
        job.workers++;
        lock.unlock();
        take_part(job);
        lock.lock();
        // Whoever comes back first finds nothing left to begin. After the last one has let go, the
        // job is its caller's again and may be gone.
        if (job.queued) {
            job.queued = false;
            jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
        }
        if (--job.workers == 0) {
            job.done.notify_one();
        }
    }
}

void ThreadPool::take_part(Job& job) const {
    for (size_t i = job.next++; i < job.count; i = job.next++) {
        try {
            job.run(job.task, i);
        } catch (...) {
            job.next = job.count;
            std::lock_guard<std::mutex> lock(mutex_);
            if (!job.first_failure) {
                job.first_failure = std::current_exception();
            }
        }
    }
}

}  // namespace supraseal
