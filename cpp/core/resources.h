// What a computation may use.
#pragma once

#include "core/block_pool.h"
#include "core/thread_pool.h"

namespace supraseal {

struct Resources {
    const ThreadPool& threads;
    BlockPool& memory;
};

}  // namespace supraseal
