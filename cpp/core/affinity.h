// Which CPUs a thread may run on.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace supraseal {

// Restricts the calling thread to a set of CPUs for the guard's life. Threads it starts meanwhile
// inherit the set and keep it. An empty set changes nothing.
class AffinityGuard {
public:
    // Error::io with EINVAL when this process may run on none of the CPUs.
    explicit AffinityGuard(Span<const uint32_t> cpus);
    ~AffinityGuard();
    AffinityGuard(const AffinityGuard&) = delete;
    AffinityGuard& operator=(const AffinityGuard&) = delete;

private:
    std::vector<unsigned long> before_;
};

}  // namespace supraseal
