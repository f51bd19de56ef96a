// The only glue between cxx and the prover. Nothing outside this folder includes rust/cxx.h.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "core/block_pool.h"
#include "core/error.h"
#include "core/thread_pool.h"
#include "core/types.h"
#include "prover/prover.h"
#include "rust/cxx.h"
#include "srs/loader.h"
#include "srs/srs.h"

namespace rust::behavior {

// The catch table: whatever is thrown reaches Rust as one wire form, nothing terminates.
template <typename Try, typename Fail>
static void trycatch(Try&& func, Fail&& fail) noexcept {
    try {
        try {
            func();
        } catch (...) {
            supraseal::rethrow_typed("bridge");
        }
    } catch (const std::exception& e) {
        fail(e.what());
    }
}

}  // namespace rust::behavior

namespace supraseal {

struct RawWitness;
struct RawProof;
struct RawPhase;
struct RawBlockFigures;
struct RawProofShape;
struct RawVerifyingKey;
struct RawSrsCounts;
struct BuildInfo;

std::unique_ptr<ThreadPool> new_thread_pool(size_t threads, rust::Slice<const uint32_t> cpus);
size_t thread_pool_size(const ThreadPool& pool);

std::shared_ptr<Srs> load_srs_file(const ThreadPool& pool, int32_t descriptor, uint64_t size,
                                   bool subgroup_checks);
std::shared_ptr<Srs> load_srs_bytes(const ThreadPool& pool, rust::Slice<const uint8_t> bytes,
                                    bool subgroup_checks);
RawSrsCounts srs_counts(const Srs& srs);
RawVerifyingKey srs_verifying_key(const Srs& srs);
rust::Slice<const G1Affine> srs_ic(const Srs& srs);

std::unique_ptr<Backend> new_cpu_backend(bool portable);

std::shared_ptr<BlockPool> new_block_pool(uint64_t limit);
uint8_t* take_block(std::shared_ptr<BlockPool> pool, size_t bytes);
void give_block(std::shared_ptr<BlockPool> pool, uint8_t* block);
size_t block_size(std::shared_ptr<BlockPool> pool, uint8_t* block);
void raise_block_limit(std::shared_ptr<BlockPool> pool, uint64_t bytes);
void lower_block_limit(std::shared_ptr<BlockPool> pool, uint64_t bytes);
uint64_t trim_blocks(std::shared_ptr<BlockPool> pool, uint64_t bytes);
void wipe_idle_blocks(std::shared_ptr<BlockPool> pool);
RawBlockFigures block_figures(std::shared_ptr<BlockPool> pool);

// The coefficients of H, kept on the C++ side between the two steps of a proof.
struct Quotient {
    std::shared_ptr<BlockPool> memory;  // before what lies in it
    Buffer<Fr> coefficients;
};

std::unique_ptr<Quotient> compute_quotient(const ThreadPool& pool,
                                           std::shared_ptr<BlockPool> memory,
                                           const Backend& backend, rust::Slice<const Fr> a,
                                           rust::Slice<const Fr> b, rust::Slice<const Fr> c,
                                           rust::Vec<RawPhase>& phases);
size_t quotient_bytes(const Quotient& quotient);

RawProof prove_witness(const ThreadPool& pool, std::shared_ptr<BlockPool> memory,
                       const Backend& backend, const Srs& srs, const Quotient& quotient,
                       const RawWitness& witness, rust::Vec<RawPhase>& phases);

uint64_t evaluation_scratch(const RawProofShape& shape, size_t threads);
uint64_t witness_scratch(const RawProofShape& shape, size_t threads);

BuildInfo build_info();

}  // namespace supraseal
