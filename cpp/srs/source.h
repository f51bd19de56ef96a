// Where a parameter file's bytes come from.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace supraseal {

// What a read is for, for the error when the bytes are not there.
struct Place {
    const char* section;
    uint64_t index;
};

class Source {
public:
    virtual ~Source() = default;

    uint64_t size() const { return size_; }

    // `count` bytes from `offset` on; in `buffer` unless they are in memory already. Bytes beyond
    // the end are Error::srs `truncated` at `place`.
    virtual const uint8_t* read(uint64_t offset, size_t count, std::vector<uint8_t>& buffer,
                                const Place& place) const = 0;

protected:
    explicit Source(uint64_t size) : size_(size) {}
    void check_range(uint64_t offset, size_t count, const Place& place) const;

private:
    uint64_t size_;
};

// Positioned reads of an open descriptor, which stays the caller's and keeps its position. A file
// that has become shorter than `size` is an error like any other; a mapping of it would be SIGBUS.
class FileSource final : public Source {
public:
    FileSource(int descriptor, uint64_t size) : Source(size), descriptor_(descriptor) {}
    const uint8_t* read(uint64_t offset, size_t count, std::vector<uint8_t>& buffer,
                        const Place& place) const override;

private:
    int descriptor_;
};

class MemorySource final : public Source {
public:
    explicit MemorySource(Span<const uint8_t> bytes) : Source(bytes.size()), bytes_(bytes) {}
    const uint8_t* read(uint64_t offset, size_t count, std::vector<uint8_t>& buffer,
                        const Place& place) const override;

private:
    Span<const uint8_t> bytes_;
};

}  // namespace supraseal
