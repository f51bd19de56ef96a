#include "prover/prover.h"

#include "backend/backend.h"
#include "core/error.h"
#include "prover/assemble.h"
#include "prover/classify.h"

namespace supraseal {

namespace {

void expect(const char* what, size_t expected, size_t got) {
    if (expected != got) {
        throw Error::shape(what, expected, got);
    }
}

void check_density(const char* words_name, const char* stray_name, const Density& density) {
    expect(words_name, (density.bits + 63) / 64, density.words.size());
    if (density.bits % 64 != 0 &&
        (density.words[density.words.size() - 1] >> (density.bits % 64)) != 0) {
        throw Error::shape(stray_name, 0, 1);
    }
}

// Everything the phases rely on without looking again.
void check_shape(const Srs& srs, const Circuit& circuit) {
    constexpr size_t kMaxDomainLog2 = 28;
    const size_t constraints = circuit.a.size();
    if (constraints == 0 || constraints > (size_t{1} << kMaxDomainLog2)) {
        throw Error::shape("constraints (1 to 2^28)", size_t{1} << kMaxDomainLog2, constraints);
    }
    expect("evaluations of B", constraints, circuit.b.size());
    expect("evaluations of C", constraints, circuit.c.size());
    constexpr size_t kMaxVariables = 0xffffffff;
    if (circuit.aux.size() > kMaxVariables - circuit.inputs.size()) {
        throw Error::shape("variables", kMaxVariables, circuit.aux.size());
    }
    check_density("words of the A aux density", "bits beyond the A aux density", circuit.a_aux);
    check_density("words of the B input density", "bits beyond the B input density",
                  circuit.b_inputs);
    check_density("words of the B aux density", "bits beyond the B aux density", circuit.b_aux);

    expect("inputs, against the key's ic", srs.ic.size(), circuit.inputs.size());
    const size_t domain = size_t{1} << domain_log2(constraints);
    expect("domain size minus one, against the key's h", srs.h.size(), domain - 1);
    expect("aux variables, against the key's l", srs.l.size(), circuit.aux.size());
    expect("variables in A, against the key's a", srs.a.size(),
           circuit.inputs.size() + circuit.a_aux.count());
    const size_t in_b = circuit.b_inputs.count() + circuit.b_aux.count();
    expect("variables in B, against the key's b_g1", srs.b_g1.size(), in_b);
    expect("variables in B, against the key's b_g2", srs.b_g2.size(), in_b);
}

template <class Work>
auto timed(Timeline& timeline, PhaseRecord record, const char* name, const Work& work) {
    record.start_ns = timeline.now();
    try {
        auto result = work();
        record.end_ns = timeline.now();
        timeline.add(record);
        return result;
    } catch (...) {
        rethrow_typed(name);
    }
}

Proof prove_one(const ThreadPool& pool, const Backend& backend, const Srs& srs,
                const Circuit& circuit, uint32_t index, Timeline& timeline) {
    const auto threads = static_cast<uint32_t>(pool.size());
    const auto record = [&](PhaseKind kind, size_t bytes, uint32_t on) {
        return PhaseRecord{kind, index, 0, 0, bytes, on};
    };
    const size_t variables = circuit.inputs.size() + circuit.aux.size();
    const Queries queries =
        timed(timeline, record(PhaseKind::classify, variables * sizeof(Fr), threads), "classify",
              [&] { return classify(pool, circuit); });
    const std::vector<Fr> h =
        timed(timeline, record(PhaseKind::quotient, 3 * circuit.a.size() * sizeof(Fr), threads),
              "quotient", [&] { return backend.quotient(circuit); });
    MsmSums sums;
    try {
        sums = backend.msms(srs, Span<const Fr>(h.data(), h.size()), circuit, queries, index,
                            timeline);
    } catch (...) {
        rethrow_typed("msm");
    }
    return timed(timeline, record(PhaseKind::assemble, sizeof(Proof), 1), "assemble",
                 [&] { return assemble(srs.vk, sums, circuit.r, circuit.s); });
}

}  // namespace

std::vector<Proof> prove(const ThreadPool& pool, const Backend& backend, const Srs& srs,
                         const std::vector<Circuit>& circuits, Timeline& timeline) {
    for (const Circuit& circuit : circuits) {
        check_shape(srs, circuit);
    }
    std::vector<Proof> proofs;
    proofs.reserve(circuits.size());
    for (size_t i = 0; i < circuits.size(); i++) {
        proofs.push_back(
            prove_one(pool, backend, srs, circuits[i], static_cast<uint32_t>(i), timeline));
    }
    return proofs;
}

}  // namespace supraseal
