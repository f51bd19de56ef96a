#include "srs/layout.h"

#include <string>

#include "core/error.h"

namespace supraseal {

namespace {

constexpr Layout kLayout = {{
    {"alpha_g1", Group::g1, false},
    {"beta_g1", Group::g1, false},
    {"beta_g2", Group::g2, false},
    {"gamma_g2", Group::g2, false},
    {"delta_g1", Group::g1, false},
    {"delta_g2", Group::g2, false},
    {"ic", Group::g1, true},
    {"h", Group::g1, true},
    {"l", Group::g1, true},
    {"a", Group::g1, true},
    {"b_g1", Group::g1, true},
    {"b_g2", Group::g2, true},
}};

uint32_t read_count(const Source& source, uint64_t offset, const char* section) {
    std::vector<uint8_t> buffer;
    const uint8_t* bytes = source.read(offset, sizeof(uint32_t), buffer, Place{section, 0});
    return static_cast<uint32_t>(bytes[0]) << 24 | static_cast<uint32_t>(bytes[1]) << 16 |
           static_cast<uint32_t>(bytes[2]) << 8 | static_cast<uint32_t>(bytes[3]);
}

}  // namespace

Layout read_layout(const Source& source) {
    Layout layout = kLayout;
    uint64_t offset = 0;
    for (Section& section : layout) {
        if (section.counted) {
            section.count = read_count(source, offset, section.name);
            offset += sizeof(uint32_t);
        }
        section.offset = offset;
        // At most 2^32 points of 192 bytes: no overflow.
        const uint64_t bytes = section.count * encoded_bytes(section.group);
        if (offset > source.size() || bytes > source.size() - offset) {
            const uint64_t there = offset > source.size() ? 0 : source.size() - offset;
            throw Error::srs(section.name, there / encoded_bytes(section.group), "truncated",
                             std::to_string(section.count) + " points of " +
                                 std::to_string(encoded_bytes(section.group)) +
                                 " bytes from byte " + std::to_string(offset) + ", the file has " +
                                 std::to_string(source.size()) + " bytes");
        }
        offset += bytes;
    }
    const Section& b_g1 = layout[kBG1];
    const Section& b_g2 = layout[kBG2];
    if (b_g1.count != b_g2.count) {
        throw Error::srs(b_g2.name, 0, "length_mismatch",
                         "b_g1 has " + std::to_string(b_g1.count) + " points, b_g2 has " +
                             std::to_string(b_g2.count));
    }
    return layout;
}

}  // namespace supraseal
