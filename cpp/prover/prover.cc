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

// What follows relies on these without looking again.
void check(const Evaluations& evaluations) {
    constexpr size_t kMaxDomainLog2 = 28;
    const size_t constraints = evaluations.a.size();
    if (constraints == 0 || constraints > (size_t{1} << kMaxDomainLog2)) {
        throw Error::shape("constraints (1 to 2^28)", size_t{1} << kMaxDomainLog2, constraints);
    }
    expect("evaluations of B", constraints, evaluations.b.size());
    expect("evaluations of C", constraints, evaluations.c.size());
}

void check(const Srs& srs, Span<const Fr> h, const Witness& witness) {
    constexpr size_t kMaxVariables = 0x7fffffff;
    if (witness.inputs.size() > kMaxVariables ||
        witness.aux.size() > kMaxVariables - witness.inputs.size()) {
        throw Error::shape("variables", kMaxVariables, witness.aux.size());
    }
    check_density("words of the A aux density", "bits beyond the A aux density", witness.a_aux);
    check_density("words of the B input density", "bits beyond the B input density",
                  witness.b_inputs);
    check_density("words of the B aux density", "bits beyond the B aux density", witness.b_aux);

    expect("inputs, against the key's ic", srs.ic.size(), witness.inputs.size());
    expect("coefficients of H, against the key's h", srs.h.size(), h.size());
    expect("aux variables, against the key's l", srs.l.size(), witness.aux.size());
    expect("variables in A, against the key's a", srs.a.size(),
           witness.inputs.size() + witness.a_aux.count());
    const size_t in_b = witness.b_inputs.count() + witness.b_aux.count();
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

PhaseRecord record(PhaseKind kind, size_t bytes, size_t threads) {
    return PhaseRecord{kind, 0, 0, bytes, static_cast<uint32_t>(threads)};
}

}  // namespace

Buffer<Fr> quotient(const Resources& on, const Backend& backend, const Evaluations& evaluations,
                    Timeline& timeline) {
    check(evaluations);
    const size_t bytes = 3 * evaluations.a.size() * sizeof(Fr);
    return timed(timeline, record(PhaseKind::quotient, bytes, on.threads.size()), "quotient",
                 [&] { return backend.quotient(on, evaluations); });
}

Proof prove(const Resources& on, const Backend& backend, const Srs& srs, Span<const Fr> h,
            const Witness& witness, Timeline& timeline) {
    check(srs, h, witness);
    const size_t witness_bytes = (witness.inputs.size() + witness.aux.size()) * sizeof(Fr);
    const Queries queries =
        timed(timeline, record(PhaseKind::classify, witness_bytes, on.threads.size()), "classify",
              [&] { return classify(on, witness); });
    MsmSums sums;
    try {
        sums = backend.msms(on, srs, h, witness, queries, timeline);
    } catch (...) {
        rethrow_typed("msm");
    }
    return timed(timeline, record(PhaseKind::assemble, sizeof(Proof), 1), "assemble",
                 [&] { return assemble(srs.vk, sums, witness.r, witness.s); });
}

}  // namespace supraseal
