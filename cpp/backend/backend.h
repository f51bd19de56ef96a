// What a device must be able to do for a proof. The phases in prover/ are written against this.
#pragma once

#include <vector>

#include "core/resources.h"
#include "core/timeline.h"
#include "core/types.h"
#include "prover/circuit.h"
#include "prover/classify.h"
#include "srs/srs.h"

namespace supraseal {

// The five sums a proof is assembled from.
struct MsmSums {
    G1 h, l, a, b_g1;
    G2 b_g2;
};

class Backend {
public:
    virtual ~Backend() = default;

    // The coefficients of H = (A*B - C) / Z, in Montgomery form: domain size minus one of them.
    virtual Buffer<Fr> quotient(const Resources& on, const Evaluations& evaluations) const = 0;

    // Multiplies the sections of the key with H's coefficients and the classified witness.
    virtual MsmSums msms(const Resources& on, const Srs& srs, Span<const Fr> h,
                         const Witness& witness, const Queries& queries,
                         Timeline& timeline) const = 0;
};

}  // namespace supraseal
