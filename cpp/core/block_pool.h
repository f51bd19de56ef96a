// Memory for everything large: page-aligned blocks that are kept for the next user, within a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

namespace supraseal {

// Blocks come from the system by mmap, so that they lie on whole pages (which a device driver can
// lock) and go back to the system when they are given up. May be used from several threads.
class BlockPool {
public:
    struct Figures {
        uint64_t limit;   // bytes it may hold
        uint64_t held;    // bytes it has from the system
        uint64_t idle;    // of these, nobody uses
        uint64_t reused;  // blocks taken that were there
        uint64_t mapped;  // blocks taken that the system had to give
    };

    explicit BlockPool(uint64_t limit) : limit_(limit) {}
    // Every block must have been given back.
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    // A block of `bytes` at least. The best idle one, else a new one; idle ones go back to the
    // system to make room for it. Error::memory when the limit, or the system, has no room.
    void* take(size_t bytes);
    void give(void* block) noexcept;
    // The true size of a block in use.
    size_t size_of(void* block) const;

    void raise_limit(uint64_t bytes);
    // Sends idle blocks back to the system until the limit is met, or none is left.
    void lower_limit(uint64_t bytes);
    // Sends idle blocks of `bytes` in all, or all there are, back to the system; returns their
    // bytes.
    uint64_t trim(uint64_t bytes);
    // Overwrites idle blocks with zeros.
    void wipe_idle();

    Figures figures() const;

private:
    void* take_idle(size_t bytes);
    void unmap_idle_until(uint64_t held);

    mutable std::mutex mutex_;
    uint64_t limit_;
    uint64_t held_ = 0;
    uint64_t idle_bytes_ = 0;
    uint64_t reused_ = 0;
    uint64_t mapped_ = 0;
    std::multimap<size_t, void*> idle_;
    std::unordered_map<void*, size_t> in_use_;
};

// For containers of a pool's memory. Small allocations stay with the heap; elements are not
// initialised unless they ask for it.
template <class T>
class PooledAllocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    PooledAllocator(BlockPool& pool) : pool_(&pool) {}
    template <class U>
    PooledAllocator(const PooledAllocator<U>& other) : pool_(other.pool_) {}

    T* allocate(size_t count) {
        if (count > SIZE_MAX / sizeof(T)) {
            throw std::bad_alloc();
        }
        const size_t bytes = count * sizeof(T);
        return static_cast<T*>(bytes < kSmall ? ::operator new(bytes) : pool_->take(bytes));
    }
    void deallocate(T* memory, size_t count) noexcept {
        if (count * sizeof(T) < kSmall) {
            ::operator delete(memory);
        } else {
            pool_->give(memory);
        }
    }

    template <class U>
    void construct(U* place) noexcept {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Args>
    void construct(U* place, Args&&... args) {
        ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
    }

    friend bool operator==(const PooledAllocator& a, const PooledAllocator& b) {
        return a.pool_ == b.pool_;
    }
    friend bool operator!=(const PooledAllocator& a, const PooledAllocator& b) {
        return a.pool_ != b.pool_;
    }

private:
    template <class U>
    friend class PooledAllocator;

    static constexpr size_t kSmall = 64 * 1024;

    BlockPool* pool_;
};

template <class T>
using Buffer = std::vector<T, PooledAllocator<T>>;

// `count` elements, uninitialised.
template <class T>
Buffer<T> buffer_of(size_t count, BlockPool& memory) {
    return Buffer<T>(count, PooledAllocator<T>(memory));
}

}  // namespace supraseal
