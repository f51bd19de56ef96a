#include "core/affinity.h"

#include "core/error.h"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <cerrno>

namespace supraseal {

#if defined(__linux__)

namespace {

constexpr size_t kBits = 8 * sizeof(unsigned long);
// More than any kernel is built for; a shorter mask could be too short for the machine's.
constexpr size_t kMaxCpus = 1 << 16;

using Mask = std::vector<unsigned long>;

cpu_set_t* as_set(Mask& mask) {
    return reinterpret_cast<cpu_set_t*>(mask.data());
}

size_t bytes(const Mask& mask) {
    return mask.size() * sizeof(unsigned long);
}

}  // namespace

AffinityGuard::AffinityGuard(Span<const uint32_t> cpus) {
    if (cpus.empty()) {
        return;
    }
    constexpr const char* kOperation = "run on the CPUs of the set";
    Mask wanted(kMaxCpus / kBits, 0);
    for (const uint32_t cpu : cpus) {
        if (cpu < kMaxCpus) {
            wanted[cpu / kBits] |= 1UL << (cpu % kBits);
        }
    }
    before_.resize(wanted.size(), 0);
    if (sched_getaffinity(0, bytes(before_), as_set(before_)) < 0) {
        const int code = errno;
        before_.clear();
        throw Error::io(code, kOperation);
    }
    if (sched_setaffinity(0, bytes(wanted), as_set(wanted)) != 0) {
        const int code = errno;
        before_.clear();
        throw Error::io(code, kOperation);
    }
}

AffinityGuard::~AffinityGuard() {
    if (!before_.empty()) {
        // What was allowed before is allowed again; nothing can be done should it fail.
        (void)sched_setaffinity(0, bytes(before_), as_set(before_));
    }
}

#else

AffinityGuard::AffinityGuard(Span<const uint32_t> cpus) {
    if (!cpus.empty()) {
        throw Error::io(ENOTSUP, "run on the CPUs of the set");
    }
}

AffinityGuard::~AffinityGuard() = default;

#endif

}  // namespace supraseal
