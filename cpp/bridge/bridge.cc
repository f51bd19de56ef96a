#include "bridge/bridge.h"

#include <memory>

#include "backend/cpu/cpu_backend.h"
#include "core/cpu.h"
#include "supraseal-sys/src/bridge.rs.h"

namespace supraseal {

namespace {

template <class T>
Span<const T> span(rust::Slice<const T> slice) {
    return Span<const T>(slice.data(), slice.size());
}

Density density(rust::Slice<const uint64_t> words, size_t bits) {
    return Density{span(words), bits};
}

Witness witness_from(const RawWitness& raw) {
    return Witness{span(raw.inputs),
                   span(raw.aux),
                   density(raw.a_aux_density, raw.aux.size()),
                   density(raw.b_input_density, raw.inputs.size()),
                   density(raw.b_aux_density, raw.aux.size()),
                   raw.r,
                   raw.s};
}

void append(rust::Vec<RawPhase>& out, const Timeline& timeline) {
    for (const PhaseRecord& record : timeline.records()) {
        out.push_back(RawPhase{static_cast<uint8_t>(record.kind), record.start_ns, record.end_ns,
                               record.bytes, record.threads});
    }
}

}  // namespace

std::unique_ptr<ThreadPool> new_thread_pool(size_t threads, rust::Slice<const uint32_t> cpus) {
    return std::make_unique<ThreadPool>(threads, span(cpus));
}

size_t thread_pool_size(const ThreadPool& pool) {
    return pool.size();
}

std::shared_ptr<Srs> load_srs_file(const ThreadPool& pool, int32_t descriptor, uint64_t size,
                                   bool subgroup_checks) {
    return load_srs(pool, descriptor, size,
                    subgroup_checks ? PointChecks::subgroup : PointChecks::on_curve);
}

std::shared_ptr<Srs> load_srs_bytes(const ThreadPool& pool, rust::Slice<const uint8_t> bytes,
                                    bool subgroup_checks) {
    return load_srs(pool, span(bytes),
                    subgroup_checks ? PointChecks::subgroup : PointChecks::on_curve);
}

RawSrsCounts srs_counts(const Srs& srs) {
    return RawSrsCounts{srs.ic.size(), srs.h.size(),    srs.l.size(),
                        srs.a.size(),  srs.b_g1.size(), srs.b_g2.size()};
}

RawVerifyingKey srs_verifying_key(const Srs& srs) {
    return RawVerifyingKey{srs.vk.alpha_g1, srs.vk.beta_g1,  srs.vk.beta_g2,
                           srs.vk.gamma_g2, srs.vk.delta_g1, srs.vk.delta_g2};
}

rust::Slice<const G1Affine> srs_ic(const Srs& srs) {
    return {srs.ic.data(), srs.ic.size()};
}

std::shared_ptr<BlockPool> new_block_pool(uint64_t limit) {
    return std::make_shared<BlockPool>(limit);
}

uint8_t* take_block(std::shared_ptr<BlockPool> pool, size_t bytes) {
    return static_cast<uint8_t*>(pool->take(bytes));
}

void give_block(std::shared_ptr<BlockPool> pool, uint8_t* block) {
    pool->give(block);
}

size_t block_size(std::shared_ptr<BlockPool> pool, uint8_t* block) {
    return pool->size_of(block);
}

void raise_block_limit(std::shared_ptr<BlockPool> pool, uint64_t bytes) {
    pool->raise_limit(bytes);
}

void lower_block_limit(std::shared_ptr<BlockPool> pool, uint64_t bytes) {
    pool->lower_limit(bytes);
}

uint64_t trim_blocks(std::shared_ptr<BlockPool> pool, uint64_t bytes) {
    return pool->trim(bytes);
}

void wipe_idle_blocks(std::shared_ptr<BlockPool> pool) {
    pool->wipe_idle();
}

RawBlockFigures block_figures(std::shared_ptr<BlockPool> pool) {
    const BlockPool::Figures figures = pool->figures();
    return RawBlockFigures{figures.limit, figures.held, figures.idle, figures.reused,
                           figures.mapped};
}

uint64_t evaluation_scratch(const RawProofShape& shape, size_t threads) {
    return CpuBackend::evaluation_scratch(shape.constraints, threads);
}

uint64_t witness_scratch(const RawProofShape& shape, size_t threads) {
    return CpuBackend::witness_scratch(
        WitnessShape{shape.constraints, shape.inputs, shape.aux, shape.in_a, shape.in_b}, threads);
}

std::unique_ptr<Backend> new_cpu_backend(bool portable) {
    return std::make_unique<CpuBackend>(portable ? Kernels::portable : Kernels::fastest);
}

std::unique_ptr<Quotient> compute_quotient(const ThreadPool& pool,
                                           std::shared_ptr<BlockPool> memory,
                                           const Backend& backend, rust::Slice<const Fr> a,
                                           rust::Slice<const Fr> b, rust::Slice<const Fr> c,
                                           rust::Vec<RawPhase>& phases) {
    Timeline timeline;
    const Evaluations evaluations{span(a), span(b), span(c)};
    Buffer<Fr> h = quotient(Resources{pool, *memory}, backend, evaluations, timeline);
    auto out = std::make_unique<Quotient>(Quotient{std::move(memory), std::move(h)});
    append(phases, timeline);
    return out;
}

size_t quotient_bytes(const Quotient& quotient) {
    return quotient.coefficients.capacity() * sizeof(Fr);
}

RawProof prove_witness(const ThreadPool& pool, std::shared_ptr<BlockPool> memory,
                       const Backend& backend, const Srs& srs, const Quotient& quotient,
                       const RawWitness& witness, rust::Vec<RawPhase>& phases) {
    Timeline timeline;
    const Buffer<Fr>& h = quotient.coefficients;
    const Proof proof = prove(Resources{pool, *memory}, backend, srs,
                              Span<const Fr>(h.data(), h.size()), witness_from(witness), timeline);
    append(phases, timeline);
    return RawProof{proof.a, proof.b, proof.c};
}

BuildInfo build_info() {
    return BuildInfo{blst_needs_adx(), cpu_has_adx(), cpu_has_ifma()};
}

}  // namespace supraseal
