// Reads a parameter file in the layout bellman, bellperson and Zcash share.
#pragma once

#include <memory>

#include "core/thread_pool.h"
#include "srs/srs.h"

namespace supraseal {

// How much of each point is verified. Encodings, flags and the curve equation always are.
enum class PointChecks : uint8_t { on_curve = 0, subgroup = 1 };

// Reads from an open descriptor with positioned reads, never by mapping: a file that is cut while
// it is being read gives a typed error instead of SIGBUS, and each point is decoded from a private
// copy. The descriptor stays the caller's.
std::shared_ptr<Srs> load_srs(const ThreadPool& pool, int descriptor, uint64_t size,
                              PointChecks checks);

std::shared_ptr<Srs> load_srs(const ThreadPool& pool, Span<const uint8_t> bytes,
                              PointChecks checks);

}  // namespace supraseal
