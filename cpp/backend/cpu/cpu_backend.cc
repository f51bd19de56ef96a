#include "backend/cpu/cpu_backend.h"

#include <numeric>

#include "backend/cpu/msm/msm.h"
#include "backend/cpu/quotient.h"

namespace supraseal {

namespace {

template <class Vector>
Span<const typename Vector::value_type> span(const Vector& values) {
    return {values.data(), values.size()};
}

template <class Field>
Terms<Field> terms(const std::vector<Affine<Field>>& bases, const Query& query) {
    return Terms<Field>{span(bases), span(query.bases), span(query.variables)};
}

}  // namespace

Buffer<Fr> CpuBackend::quotient(const Resources& on, const Evaluations& evaluations) const {
    return supraseal::quotient(on, kernels_, evaluations);
}

MsmSums CpuBackend::msms(const Resources& on, const Srs& srs, Span<const Fr> h,
                         const Witness& witness, const Queries& queries, Timeline& timeline) const {
    const Digits h_digits(on, h, {}, Windows::cheapest({h.size()}));
    Query h_query(on.memory);
    h_query.bases.resize(h.size());
    std::iota(h_query.bases.begin(), h_query.bases.end(), 0);

    // B is summed in G1 and in G2, which costs three times as much.
    const size_t in_b = queries.b.bases.size();
    const Windows windows =
        Windows::cheapest({queries.l.bases.size(), queries.a.bases.size(), in_b, in_b, in_b, in_b});
    const Digits digits(on, witness.inputs, witness.aux, windows);

    MsmContext context(on, kernels_);
    // Coefficient i belongs to base i.
    const Terms<Fp> h_terms{span(srs.h), span(h_query.bases), span(h_query.bases)};
    Msm<Fp> msm_h(h_terms, {}, h_digits, context);
    Msm<Fp> msm_l(terms(srs.l, queries.l), span(queries.l.ones), digits, context);
    Msm<Fp> msm_a(terms(srs.a, queries.a), span(queries.a.ones), digits, context);
    Msm<Fp> msm_b_g1(terms(srs.b_g1, queries.b), span(queries.b.ones), digits, context);
    Msm<Fp2> msm_b_g2(terms(srs.b_g2, queries.b), span(queries.b.ones), digits, context);

    std::vector<MsmTask> tasks;
    msm_h.add_tasks(timeline, tasks);
    msm_l.add_tasks(timeline, tasks);
    msm_a.add_tasks(timeline, tasks);
    msm_b_g1.add_tasks(timeline, tasks);
    msm_b_g2.add_tasks(timeline, tasks);
    run_tasks(on, tasks);

    MsmSums sums;
    const std::function<void()> finish[] = {
        [&] { sums.b_g2 = msm_b_g2.sum(); }, [&] { sums.h = msm_h.sum(); },
        [&] { sums.l = msm_l.sum(); },       [&] { sums.a = msm_a.sum(); },
        [&] { sums.b_g1 = msm_b_g1.sum(); },
    };
    on.threads.for_each(std::size(finish), [&](size_t i) { finish[i](); });

    const auto record = [&](PhaseKind kind, const auto& msm) {
        if (msm.end_ns() != 0) {
            timeline.add(PhaseRecord{kind, msm.start_ns(), msm.end_ns(), msm.bytes(),
                                     static_cast<uint32_t>(on.threads.size())});
        }
    };
    record(PhaseKind::msm_h, msm_h);
    record(PhaseKind::msm_l, msm_l);
    record(PhaseKind::msm_a, msm_a);
    record(PhaseKind::msm_b_g1, msm_b_g1);
    record(PhaseKind::msm_b_g2, msm_b_g2);
    return sums;
}

}  // namespace supraseal
