#include "prover/classify.h"

#include <vector>

namespace supraseal {

namespace {

enum class Value : uint8_t { zero, one, other };

Value value_of(const Fr& scalar) {
    if (scalar.is_zero()) {
        return Value::zero;
    }
    return scalar.is_one() ? Value::one : Value::other;
}

void add_term(Query& query, Value value, size_t base, size_t variable) {
    if (value == Value::one) {
        query.ones.push_back(static_cast<uint32_t>(base));
    } else if (value == Value::other) {
        query.bases.push_back(static_cast<uint32_t>(base));
        query.variables.push_back(static_cast<uint32_t>(variable));
    }
}

// Appends one list of every part, without growing on the way.
template <class ListOf>
void gather(Buffer<uint32_t>& to, const std::vector<Queries>& parts, const ListOf& list_of) {
    size_t total = to.size();
    for (const Queries& part : parts) {
        total += list_of(part).size();
    }
    to.reserve(total);
    for (const Queries& part : parts) {
        to.insert(to.end(), list_of(part).begin(), list_of(part).end());
    }
}

void gather(Query& to, const std::vector<Queries>& parts, Query Queries::* query) {
    using List = const Buffer<uint32_t>&;
    gather(to.ones, parts, [&](const Queries& part) -> List { return (part.*query).ones; });
    gather(to.bases, parts, [&](const Queries& part) -> List { return (part.*query).bases; });
    gather(to.variables, parts,
           [&](const Queries& part) -> List { return (part.*query).variables; });
}

// Set bits of words [0, word).
std::vector<size_t> prefix_counts(const Density& density) {
    std::vector<size_t> counts(density.words.size() + 1, 0);
    for (size_t i = 0; i < density.words.size(); i++) {
        counts[i + 1] = counts[i] + static_cast<size_t>(__builtin_popcountll(density.words[i]));
    }
    return counts;
}

}  // namespace

Queries classify(const Resources& on, const Witness& witness) {
    const size_t inputs = witness.inputs.size();
    Queries queries(on.memory);
    size_t input_b_base = 0;
    for (size_t i = 0; i < inputs; i++) {
        const Value value = value_of(witness.inputs[i]);
        add_term(queries.a, value, i, i);
        if (witness.b_inputs.test(i)) {
            add_term(queries.b, value, input_b_base++, i);
        }
    }

    // Ranges begin at words, so that the base of a range's first variable is a prefix count.
    const std::vector<size_t> a_before = prefix_counts(witness.a_aux);
    const std::vector<size_t> b_before = prefix_counts(witness.b_aux);
    constexpr size_t kWordsPerPart = 64;
    const size_t words = witness.a_aux.words.size();
    const size_t parts = (words + kWordsPerPart - 1) / kWordsPerPart;
    std::vector<Queries> found(parts, Queries(on.memory));
    on.threads.for_each(parts, [&](size_t part) {
        const size_t first_word = part * kWordsPerPart;
        const size_t begin = first_word * 64;
        const size_t end = std::min(witness.aux.size(), begin + kWordsPerPart * 64);
        size_t a_base = inputs + a_before[first_word];
        size_t b_base = input_b_base + b_before[first_word];
        Queries& out = found[part];
        for (size_t i = begin; i < end; i++) {
            const Value value = value_of(witness.aux[i]);
            add_term(out.l, value, i, inputs + i);
            if (witness.a_aux.test(i)) {
                add_term(out.a, value, a_base++, inputs + i);
            }
            if (witness.b_aux.test(i)) {
                add_term(out.b, value, b_base++, inputs + i);
            }
        }
    });
    gather(queries.l, found, &Queries::l);
    gather(queries.a, found, &Queries::a);
    gather(queries.b, found, &Queries::b);
    return queries;
}

}  // namespace supraseal
