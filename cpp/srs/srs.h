// A loaded proving key (SRS) and its verifying key.
#pragma once

#include <vector>

#include "core/types.h"

namespace supraseal {

struct VerifyingKey {
    G1Affine alpha_g1, beta_g1;
    G2Affine beta_g2, gamma_g2;
    G1Affine delta_g1;
    G2Affine delta_g2;
};

// Immutable once loaded, so any number of threads may read it.
struct Srs {
    VerifyingKey vk;
    std::vector<G1Affine> ic;
    std::vector<G1Affine> h;
    std::vector<G1Affine> l;
    // Inputs of density first, then aux, as bellman lays them out.
    std::vector<G1Affine> a, b_g1;
    std::vector<G2Affine> b_g2;
};

}  // namespace supraseal
