// Proves on the CPU, with the threads of one pool.
#pragma once

#include "backend/backend.h"

namespace supraseal {

class CpuBackend final : public Backend {
public:
    // The pool must outlive the backend.
    explicit CpuBackend(const ThreadPool& pool) : pool_(pool) {}

    std::vector<Fr> quotient(const Circuit& circuit) const override;
    MsmSums msms(const Srs& srs, Span<const Fr> h, const Circuit& circuit, const Queries& queries,
                 uint32_t index, Timeline& timeline) const override;

private:
    const ThreadPool& pool_;
};

}  // namespace supraseal
