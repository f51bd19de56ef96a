#include "core/block_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "core/error.h"

namespace supraseal {

namespace {

size_t whole_pages(size_t bytes) {
    static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (bytes > SIZE_MAX - page) {
        throw Error::memory(bytes);
    }
    return (bytes + page - 1) / page * page;
}

void* map(size_t bytes) {
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return nullptr;
    }
#if defined(MADV_HUGEPAGE)
    // A wish: fewer page faults and translations where the system grants it.
    constexpr size_t kWorthHugePages = 4 << 20;
    if (bytes >= kWorthHugePages) {
        (void)madvise(block, bytes, MADV_HUGEPAGE);
    }
#endif
    return block;
}

}  // namespace

BlockPool::~BlockPool() {
    unmap_idle_until(0);
}

void* BlockPool::take_idle(size_t bytes) {
    const auto best = idle_.lower_bound(bytes);
    // What is much too large is better kept for those who need it.
    if (best == idle_.end() || best->first - bytes > bytes / 4) {
        return nullptr;
    }
    void* block = best->second;
    in_use_.emplace(block, best->first);
    idle_bytes_ -= best->first;
    idle_.erase(best);
    reused_++;
    return block;
}

void* BlockPool::take(size_t wanted) {
    const size_t bytes = whole_pages(wanted);
    std::lock_guard<std::mutex> lock(mutex_);
    if (void* block = take_idle(bytes)) {
        return block;
    }
    if (bytes > limit_) {
        throw Error::memory(bytes);
    }
    unmap_idle_until(limit_ - bytes);
    if (held_ > limit_ - bytes) {
        throw Error::memory(bytes);
    }
    // Before the system is asked, so that nothing is lost should this throw.
    in_use_.reserve(in_use_.size() + 1);
    void* block = map(bytes);
    if (block == nullptr) {
        throw Error::memory(bytes);
    }
    in_use_.emplace(block, bytes);
    held_ += bytes;
    mapped_++;
    return block;
}

void BlockPool::give(void* block) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = in_use_.find(block);
    if (entry == in_use_.end()) {
        return;
    }
    const size_t bytes = entry->second;
    in_use_.erase(entry);
    try {
        if (held_ <= limit_) {
            idle_.emplace(bytes, block);
            idle_bytes_ += bytes;
            return;
        }
    } catch (const std::bad_alloc&) {
        // Without a note of it the block can't be kept.
    }
    munmap(block, bytes);
    held_ -= bytes;
}

size_t BlockPool::size_of(void* block) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = in_use_.find(block);
    return entry == in_use_.end() ? 0 : entry->second;
}

// The largest first: few calls, and small ones are the likelier to be wanted again.
void BlockPool::unmap_idle_until(uint64_t held) {
    while (held_ > held && !idle_.empty()) {
        const auto largest = std::prev(idle_.end());
        munmap(largest->second, largest->first);
        held_ -= largest->first;
        idle_bytes_ -= largest->first;
        idle_.erase(largest);
    }
}

void BlockPool::raise_limit(uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_ = bytes > UINT64_MAX - limit_ ? UINT64_MAX : limit_ + bytes;
}

void BlockPool::lower_limit(uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_ = bytes > limit_ ? 0 : limit_ - bytes;
    unmap_idle_until(limit_);
}

uint64_t BlockPool::trim(uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t before = held_;
    unmap_idle_until(before > bytes ? before - bytes : 0);
    return before - held_;
}

void BlockPool::wipe_idle() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [bytes, block] : idle_) {
        std::memset(block, 0, bytes);
    }
}

BlockPool::Figures BlockPool::figures() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return Figures{limit_, held_, idle_bytes_, reused_, mapped_};
}

}  // namespace supraseal
