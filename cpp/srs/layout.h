// Where each section of a parameter file lies.
#pragma once

#include <array>

#include "srs/source.h"

namespace supraseal {

enum class Group : uint8_t { g1, g2 };

constexpr size_t encoded_bytes(Group group) {
    return group == Group::g1 ? 96 : 192;
}

struct Section {
    const char* name;
    Group group;
    bool counted;         // a big-endian u32 count precedes the points; a single point otherwise
    uint64_t offset = 0;  // of the first point
    uint64_t count = 1;
};

// In the file's order, which is also the order in which faults are reported.
enum SectionIndex : size_t {
    kAlphaG1,
    kBetaG1,
    kBetaG2,
    kGammaG2,
    kDeltaG1,
    kDeltaG2,
    kIc,
    kH,
    kL,
    kA,
    kBG1,
    kBG2,
    kSections,
};

using Layout = std::array<Section, kSections>;

// Reads the counts and checks every section against the file's size, so that nothing is allocated
// for points that are not there. Bytes after the last section (Zcash's files carry their ceremony's
// transcript) are ignored.
Layout read_layout(const Source& source);

}  // namespace supraseal
