#include "srs/source.h"

#include <unistd.h>

#include <cerrno>
#include <string>

#include "core/error.h"

namespace supraseal {

namespace {

Error truncated(uint64_t offset, size_t count, uint64_t size, const Place& place) {
    return Error::srs(place.section, place.index, "truncated",
                      std::to_string(count) + " bytes wanted from byte " + std::to_string(offset) +
                          ", the file has " + std::to_string(size));
}

}  // namespace

void Source::check_range(uint64_t offset, size_t count, const Place& place) const {
    if (offset > size_ || count > size_ - offset) {
        throw truncated(offset, count, size_, place);
    }
}

const uint8_t* FileSource::read(uint64_t offset, size_t count, std::vector<uint8_t>& buffer,
                                const Place& place) const {
    check_range(offset, count, place);
    buffer.resize(count);
    size_t done = 0;
    while (done < count) {
        const ssize_t got = pread(descriptor_, buffer.data() + done, count - done,
                                  static_cast<off_t>(offset + done));
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            throw Error::io(errno, "read the parameter file");
        }
        if (got == 0) {
            throw truncated(offset, count, offset + done, place);
        }
        done += static_cast<size_t>(got);
    }
    return buffer.data();
}

const uint8_t* MemorySource::read(uint64_t offset, size_t count, std::vector<uint8_t>&,
                                  const Place& place) const {
    check_range(offset, count, place);
    return bytes_.data() + offset;
}

}  // namespace supraseal
