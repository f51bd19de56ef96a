#include "core/error.h"

#include <new>

namespace supraseal {

namespace {

constexpr char kSeparator = '\x1f';

template <class... Rest>
std::string join(std::string first, const Rest&... rest) {
    ((first += kSeparator, first += rest), ...);
    return first;
}

}  // namespace

Error Error::srs(const char* section, uint64_t index, const char* fault, std::string detail) {
    return Error(join("srs", std::string(section), std::to_string(index), std::string(fault),
                      std::move(detail)));
}

Error Error::shape(const char* what, uint64_t expected, uint64_t got) {
    return Error(join("shape", std::string(what), std::to_string(expected), std::to_string(got)));
}

Error Error::memory(uint64_t bytes) {
    return Error(join("memory", std::to_string(bytes)));
}

Error Error::io(int code, const char* operation) {
    return Error(join("io", std::to_string(code), std::string(operation)));
}

Error Error::internal(const char* phase, std::string message) {
    return Error(join("internal", std::string(phase), std::move(message)));
}

void rethrow_typed(const char* phase) {
    try {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error::memory(0);
    } catch (const std::exception& e) {
        throw Error::internal(phase, e.what());
    } catch (...) {
        throw Error::internal(phase, "an exception that is no std::exception");
    }
}

}  // namespace supraseal
