// What the code was compiled to need, and what this processor has.
#pragma once

namespace supraseal {

// blst's assembly is chosen when it is compiled; with ADX baked in, a processor without it dies of
// an illegal instruction.
bool blst_needs_adx();
bool cpu_has_adx();

// AVX-512 IFMA with the operating system's support for its registers.
bool cpu_has_ifma();

}  // namespace supraseal
