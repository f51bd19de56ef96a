#include "core/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace supraseal {

bool blst_needs_adx() {
#if defined(__x86_64__) && defined(__ADX__) && !defined(__BLST_PORTABLE__)
    return true;
#else
    return false;
#endif
}

bool cpu_has_adx() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kBmi2 = 1U << 8;
    constexpr unsigned kAdx = 1U << 19;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kBmi2) != 0 && (b & kAdx) != 0;
#else
    return false;
#endif
}

bool cpu_has_ifma() {
#if defined(__x86_64__)
    // The compiler's runtime check includes XGETBV, so the registers are saved on a switch.
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma");
#else
    return false;
#endif
}

}  // namespace supraseal
