// One uncompressed point, as the zkcrypto crates write it.
#pragma once

#include "core/types.h"
#include "srs/loader.h"

namespace supraseal {

// Decodes and checks a point of 96 or 192 bytes. Returns the name of what is wrong with it
// (SrsFault's wire form), or null.
const char* decode(const uint8_t* bytes, PointChecks checks, G1Affine& out);
const char* decode(const uint8_t* bytes, PointChecks checks, G2Affine& out);

}  // namespace supraseal
