// Which arithmetic the CPU backend uses.
#pragma once

#include <cstdint>

namespace supraseal {

// Spelled the same as supraseal-sys/src/backend.rs (Kernels).
enum class Kernels : uint8_t {
    fastest = 0,   // that the processor runs
    portable = 1,  // blst's assembly alone
};

}  // namespace supraseal
