// Proves on the CPU.
#pragma once

#include "backend/backend.h"
#include "backend/cpu/kernels.h"

namespace supraseal {

// The counts that decide how much memory a proof needs beside its circuit and its key.
struct WitnessShape {
    uint64_t constraints, inputs, aux, in_a, in_b;
};

class CpuBackend final : public Backend {
public:
    explicit CpuBackend(Kernels kernels) : kernels_(kernels) {}

    // The most bytes of a block pool that quotient() and msms() use, whatever the witness. H is
    // among both.
    static uint64_t evaluation_scratch(uint64_t constraints, uint64_t threads);
    static uint64_t witness_scratch(const WitnessShape& shape, uint64_t threads);

    Buffer<Fr> quotient(const Resources& on, const Evaluations& evaluations) const override;
    MsmSums msms(const Resources& on, const Srs& srs, Span<const Fr> h, const Witness& witness,
                 const Queries& queries, Timeline& timeline) const override;

private:
    Kernels kernels_;
};

}  // namespace supraseal
