// Groth16 proving (Groth, EUROCRYPT 2016, section 3.2) in two steps, because the evaluations, the
// larger part of a synthesised circuit, are needed for the first alone.
#pragma once

#include <vector>

#include "core/resources.h"
#include "core/timeline.h"
#include "core/types.h"
#include "prover/circuit.h"
#include "srs/srs.h"

namespace supraseal {

class Backend;

struct Proof {
    G1Affine a;
    G2Affine b;
    G1Affine c;
};

// The coefficients of H. Error::shape when the evaluations differ in number or have no domain.
Buffer<Fr> quotient(const Resources& on, const Backend& backend, const Evaluations& evaluations,
                    Timeline& timeline);

// Classification, five MSMs and assembly. Shapes are checked against the key before any work;
// mismatch is Error::shape.
Proof prove(const Resources& on, const Backend& backend, const Srs& srs, Span<const Fr> h,
            const Witness& witness, Timeline& timeline);

}  // namespace supraseal
