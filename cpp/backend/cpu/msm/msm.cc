#include "backend/cpu/msm/msm.h"

#include <algorithm>

namespace supraseal {

namespace {

// Below this, shared doublings cost less than buckets.
constexpr size_t kDirect = 16;
// An addition in Fp2 is three multiplications for one.
template <class Field>
constexpr size_t kAdditionCost = sizeof(Field) == sizeof(Fp) ? 1 : 3;

template <class Field>
ScratchPool<WindowScratch<Field>>& scratch_of(MsmContext& context) {
    if constexpr (sizeof(Field) == sizeof(Fp)) {
        return context.g1_scratch;
    } else {
        return context.g2_scratch;
    }
}

template <class Field>
void add_to(jacobian_t<Field>& sum, const Affine<Field>& point) {
    if (!point.is_inf()) {
        sum.dadd(to_jacobian(point));
    }
}

// All terms at once, one doubling a bit.
template <class Field>
jacobian_t<Field> sum_directly(const Terms<Field>& terms, const Digits& digits) {
    jacobian_t<Field> sum;
    sum.inf();
    for (size_t window = digits.windows().count(); window-- > 0;) {
        for (size_t bit = digits.windows().bits; bit-- > 0;) {
            sum.dbl();
            for (size_t i = 0; i < terms.size(); i++) {
                const Digit digit = digits.at(terms.variable_of[i], window);
                if (((digit.bucket >> bit) & 1) != 0) {
                    add_to(sum, Ref<Field>(&terms.bases[terms.base_of[i]], digit.negative).load());
                }
            }
        }
    }
    return sum;
}

// Enough parts for every thread to have several tasks, while a part still fills its buckets.
size_t window_parts(size_t terms, const Windows& windows, size_t threads) {
    const size_t wanted = (2 * threads + windows.count() - 1) / windows.count();
    const size_t sensible = std::max<size_t>(1, terms / (4 * windows.buckets()));
    return std::min(wanted, sensible);
}

size_t ones_parts(size_t ones, size_t threads) {
    constexpr size_t kGrain = 4096;
    return std::min(4 * threads, (ones + kGrain - 1) / kGrain);
}

void lower(std::atomic<uint64_t>& value, uint64_t candidate) {
    uint64_t seen = value.load();
    while (candidate < seen && !value.compare_exchange_weak(seen, candidate)) {
    }
}

void raise(std::atomic<uint64_t>& value, uint64_t candidate) {
    uint64_t seen = value.load();
    while (candidate > seen && !value.compare_exchange_weak(seen, candidate)) {
    }
}

}  // namespace

void run_tasks(const Resources& on, std::vector<MsmTask>& tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const MsmTask& a, const MsmTask& b) { return a.cost > b.cost; });
    on.threads.for_each(tasks.size(), [&](size_t i) { tasks[i].run(); });
}

template <class Field>
Msm<Field>::Msm(const Terms<Field>& terms, Span<const uint32_t> ones, const Digits& digits,
                MsmContext& context)
    : terms_(terms),
      ones_(ones),
      digits_(digits),
      scratch_(scratch_of<Field>(context)),
      batch_add_(batch_add_for<Field>(context.kernels)),
      direct_(terms.size() <= kDirect),
      parts_(direct_ ? 0 : window_parts(terms.size(), digits.windows(), context.on.threads.size())),
      ones_parts_(ones_parts(ones.size(), context.on.threads.size())),
      bits_(parts_ * digits.windows().count() * digits.windows().bits, context.on.memory),
      ones_sums_(ones_parts_, context.on.memory) {
    direct_sum_.inf();
}

template <class Field>
template <class Work>
std::function<void()> Msm<Field>::timed(const Timeline& timeline, const Work& work) {
    return [this, &timeline, work] {
        lower(start_ns_, timeline.now());
        work();
        raise(end_ns_, timeline.now());
    };
}

template <class Field>
void Msm<Field>::add_windows(const Timeline& timeline, std::vector<MsmTask>& tasks) {
    const size_t buckets = digits_.windows().buckets();
    for (size_t part = 0; part < parts_; part++) {
        const Terms<Field> terms =
            terms_.sub(terms_.size() * part / parts_, terms_.size() * (part + 1) / parts_);
        const size_t cost = kAdditionCost<Field> * (terms.size() + 2 * buckets);
        for (size_t window = 0; window < digits_.windows().count(); window++) {
            Affine<Field>* bits = &bits_[bits_at(part, window)];
            tasks.push_back(MsmTask{cost, timed(timeline, [this, terms, window, bits] {
                                        scratch_.with([&](WindowScratch<Field>& scratch) {
                                            sum_window(batch_add_, terms, digits_, window, bits,
                                                       scratch);
                                        });
                                    })});
        }
    }
}

template <class Field>
void Msm<Field>::add_ones(const Timeline& timeline, std::vector<MsmTask>& tasks) {
    for (size_t part = 0; part < ones_parts_; part++) {
        const size_t begin = ones_.size() * part / ones_parts_;
        const size_t end = ones_.size() * (part + 1) / ones_parts_;
        Affine<Field>* sum = &ones_sums_[part];
        tasks.push_back(MsmTask{
            kAdditionCost<Field> * (end - begin), timed(timeline, [this, begin, end, sum] {
                scratch_.with([&](WindowScratch<Field>& scratch) {
                    scratch.segments.clear();
                    const auto ref_of = [&](size_t i) {
                        return Ref<Field>(&terms_.bases[ones_[i]], false);
                    };
                    *sum = sum_many(batch_add_, begin, end, ref_of, scratch.segments, scratch.sums);
                });
            })});
    }
}

template <class Field>
void Msm<Field>::add_tasks(const Timeline& timeline, std::vector<MsmTask>& tasks) {
    if (direct_ && terms_.size() > 0) {
        tasks.push_back(
            MsmTask{kAdditionCost<Field> * Windows::kScalarBits * terms_.size(),
                    timed(timeline, [this] { direct_sum_ = sum_directly(terms_, digits_); })});
    }
    add_windows(timeline, tasks);
    add_ones(timeline, tasks);
}

template <class Field>
jacobian_t<Field> Msm<Field>::sum() const {
    jacobian_t<Field> sum;
    sum.inf();
    if (parts_ != 0) {
        for (size_t window = digits_.windows().count(); window-- > 0;) {
            for (size_t bit = digits_.windows().bits; bit-- > 0;) {
                sum.dbl();
                for (size_t part = 0; part < parts_; part++) {
                    add_to(sum, bits_[bits_at(part, window) + bit]);
                }
            }
        }
    }
    for (const Affine<Field>& ones : ones_sums_) {
        add_to(sum, ones);
    }
    sum.dadd(direct_sum_);
    return sum;
}

template class Msm<Fp>;
template class Msm<Fp2>;

}  // namespace supraseal
