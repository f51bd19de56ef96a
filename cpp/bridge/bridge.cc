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

Circuit circuit_from(const RawCircuit& raw) {
    return Circuit{span(raw.a),
                   span(raw.b),
                   span(raw.c),
                   span(raw.inputs),
                   span(raw.aux),
                   density(raw.a_aux_density, raw.aux.size()),
                   density(raw.b_input_density, raw.inputs.size()),
                   density(raw.b_aux_density, raw.aux.size()),
                   raw.r,
                   raw.s};
}

}  // namespace

std::unique_ptr<ThreadPool> new_thread_pool(size_t threads) {
    return std::make_unique<ThreadPool>(threads);
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

RawProofs prove_circuits(const ThreadPool& pool, const Srs& srs,
                         rust::Slice<const RawCircuit> raw) {
    std::vector<Circuit> circuits;
    circuits.reserve(raw.size());
    for (const RawCircuit& one : raw) {
        circuits.push_back(circuit_from(one));
    }
    Timeline timeline;
    const std::vector<Proof> proofs = prove(pool, CpuBackend(pool), srs, circuits, timeline);

    RawProofs out;
    out.proofs.reserve(proofs.size());
    for (const Proof& proof : proofs) {
        out.proofs.push_back(RawProof{proof.a, proof.b, proof.c});
    }
    out.phases.reserve(timeline.records().size());
    for (const PhaseRecord& record : timeline.records()) {
        out.phases.push_back(RawPhase{static_cast<uint8_t>(record.kind), record.circuit,
                                      record.start_ns, record.end_ns, record.bytes,
                                      record.threads});
    }
    return out;
}

BuildInfo build_info() {
    return BuildInfo{blst_needs_adx(), cpu_has_adx(), cpu_has_ifma()};
}

}  // namespace supraseal
