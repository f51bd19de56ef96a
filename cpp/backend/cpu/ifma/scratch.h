// Memory aligned for 64-byte loads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block_pool.h"

namespace supraseal {

class AlignedWords {
public:
    explicit AlignedWords(BlockPool& memory) : memory_(memory) {}

    // At least `words` words; what they held is lost.
    uint64_t* get(size_t words) {
        constexpr uintptr_t kAlignment = 64;
        if (memory_.size() < words + kAlignment / sizeof(uint64_t)) {
            memory_.resize(words + kAlignment / sizeof(uint64_t));
        }
        const auto address = reinterpret_cast<uintptr_t>(memory_.data());
        return reinterpret_cast<uint64_t*>((address + kAlignment - 1) & ~(kAlignment - 1));
    }

private:
    Buffer<uint64_t> memory_;
};

}  // namespace supraseal
