#include "core/thread_pool.h"

#include <system_error>

#include "core/error.h"

namespace supraseal {

namespace {

// sppark takes 0 to mean "all CPUs"; here the caller always says how many.
unsigned checked_size(size_t threads) {
    if (threads == 0) {
        throw Error::shape("pool threads", 1, 0);
    }
    return static_cast<unsigned>(threads);
}

}  // namespace

ThreadPool::ThreadPool(size_t threads) try : pool_(checked_size(threads)) {
} catch (const std::system_error& e) {
    throw Error::io(e.code().value(), "create a pool thread");
}

}  // namespace supraseal
