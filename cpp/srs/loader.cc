#include "srs/loader.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "core/error.h"
#include "srs/decode.h"
#include "srs/layout.h"
#include "srs/source.h"

namespace supraseal {

namespace {

// Consecutive points of a section, decoded as one task.
struct Chunk {
    size_t section;
    uint64_t first, count;
};

std::vector<Chunk> chunks_of(const Layout& layout) {
    constexpr uint64_t kPoints = 1024;
    std::vector<Chunk> chunks;
    for (size_t section = 0; section < kSections; section++) {
        for (uint64_t first = 0; first < layout[section].count; first += kPoints) {
            chunks.push_back(
                Chunk{section, first, std::min(kPoints, layout[section].count - first)});
        }
    }
    return chunks;
}

// Keeps the fault that comes first in the file, whichever thread meets it when.
class FirstFault {
public:
    // Chunks behind a known fault need not be looked at; those before it must be.
    bool precedes(size_t chunk) const {
        std::lock_guard<std::mutex> lock(mutex_);
        return fault_.has_value() && chunk_ < chunk;
    }
    void report(size_t chunk, const Error& fault) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!fault_.has_value() || chunk < chunk_) {
            chunk_ = chunk;
            fault_ = fault;
        }
    }
    void rethrow() const {
        if (fault_.has_value()) {
            throw Error(*fault_);
        }
    }

private:
    mutable std::mutex mutex_;
    size_t chunk_ = 0;
    std::optional<Error> fault_;
};

template <class Point>
void decode_chunk(const Source& source, const Section& section, const Chunk& chunk,
                  PointChecks checks, Point* out) {
    const size_t bytes = encoded_bytes(section.group);
    const uint64_t offset = section.offset + chunk.first * bytes;
    std::vector<uint8_t> buffer;
    const uint8_t* encoded =
        source.read(offset, chunk.count * bytes, buffer, Place{section.name, chunk.first});
    for (uint64_t i = 0; i < chunk.count; i++) {
        const char* fault = decode(encoded + i * bytes, checks, out[i]);
        if (fault != nullptr) {
            throw Error::srs(section.name, chunk.first + i, fault,
                             "at byte " + std::to_string(offset + i * bytes));
        }
    }
}

template <class Point>
void allocate(std::vector<Point>& points, uint64_t count) {
    try {
        points = std::vector<Point>(count);
    } catch (const std::bad_alloc&) {
        throw Error::memory(count * sizeof(Point));
    }
}

// The destination of each section.
class Destination {
public:
    Destination(Srs& srs, const Layout& layout) : srs_(srs) {
        allocate(srs.ic, layout[kIc].count);
        allocate(srs.h, layout[kH].count);
        allocate(srs.l, layout[kL].count);
        allocate(srs.a, layout[kA].count);
        allocate(srs.b_g1, layout[kBG1].count);
        allocate(srs.b_g2, layout[kBG2].count);
    }

    G1Affine* g1(size_t section) {
        switch (section) {
            case kAlphaG1: return &srs_.vk.alpha_g1;
            case kBetaG1: return &srs_.vk.beta_g1;
            case kDeltaG1: return &srs_.vk.delta_g1;
            case kIc: return srs_.ic.data();
            case kH: return srs_.h.data();
            case kL: return srs_.l.data();
            case kA: return srs_.a.data();
            default: return srs_.b_g1.data();
        }
    }

    G2Affine* g2(size_t section) {
        switch (section) {
            case kBetaG2: return &srs_.vk.beta_g2;
            case kGammaG2: return &srs_.vk.gamma_g2;
            case kDeltaG2: return &srs_.vk.delta_g2;
            default: return srs_.b_g2.data();
        }
    }

private:
    Srs& srs_;
};

std::shared_ptr<Srs> load(const ThreadPool& pool, const Source& source, PointChecks checks) {
    const Layout layout = read_layout(source);
    auto srs = std::make_shared<Srs>();
    Destination destination(*srs, layout);
    const std::vector<Chunk> chunks = chunks_of(layout);
    FirstFault first_fault;
    pool.for_each(chunks.size(), [&](size_t i) {
        if (first_fault.precedes(i)) {
            return;
        }
        const Chunk& chunk = chunks[i];
        const Section& section = layout[chunk.section];
        try {
            if (section.group == Group::g1) {
                decode_chunk(source, section, chunk, checks,
                             destination.g1(chunk.section) + chunk.first);
            } else {
                decode_chunk(source, section, chunk, checks,
                             destination.g2(chunk.section) + chunk.first);
            }
        } catch (const Error& fault) {
            first_fault.report(i, fault);
        }
    });
    first_fault.rethrow();
    return srs;
}

}  // namespace

std::shared_ptr<Srs> load_srs(const ThreadPool& pool, int descriptor, uint64_t size,
                              PointChecks checks) {
    return load(pool, FileSource(descriptor, size), checks);
}

std::shared_ptr<Srs> load_srs(const ThreadPool& pool, Span<const uint8_t> bytes,
                              PointChecks checks) {
    return load(pool, MemorySource(bytes), checks);
}

}  // namespace supraseal
