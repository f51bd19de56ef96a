// Typed errors and the one wire form in which they cross into Rust.
//
// Wire form: fields joined by 0x1f (unit separator). The first is the kind, the rest belong to it:
//   srs     section index fault detail     (numbers in decimal)
//   shape   what expected got
//   memory  bytes
//   io      errno operation
//   internal phase message
// supraseal-sys/src/error.rs is the only parser.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace supraseal {

class Error : public std::exception {
public:
    explicit Error(std::string wire) : wire_(std::move(wire)) {}
    const char* what() const noexcept override { return wire_.c_str(); }

    // `section`, `fault`: the spellings of supraseal-sys/src/error.rs (Section, SrsFault).
    static Error srs(const char* section, uint64_t index, const char* fault, std::string detail);
    static Error shape(const char* what, uint64_t expected, uint64_t got);
    static Error memory(uint64_t bytes);
    static Error io(int code, const char* operation);
    static Error internal(const char* phase, std::string message);

private:
    std::string wire_;
};

// Rewrites the exception in flight as an Error: an Error passes through, bad_alloc becomes
// `memory`, everything else (foreign exceptions too) becomes `internal` with the phase. Call from a
// handler.
[[noreturn]] void rethrow_typed(const char* phase);

}  // namespace supraseal
