#include "backend/cpu/ifma/domain.h"

#if defined(__x86_64__)

#include <atomic>

#include "backend/cpu/ifma/fr_kernels.h"
#include "backend/cpu/ifma/scratch.h"
#include "backend/cpu/ntt/shape.h"

namespace supraseal {

namespace {

// A row of 32 KiB, 40 KiB in limbs; longer where the strips would become too high.
constexpr size_t kRowLog2 = 10;
constexpr size_t kSmallestRowLog2 = 6;
constexpr size_t kMostLevels = ifma::kMostLevels;
static_assert(size_t{1} << kSmallestRowLog2 == ifma::kSmallestRow, "rows the kernels accept");
static_assert(sizeof(Fr) == 4 * sizeof(uint64_t), "four words");

uint64_t* words(Fr* values) {
    return reinterpret_cast<uint64_t*>(values);
}
const uint64_t* words(const Fr* values) {
    return reinterpret_cast<const uint64_t*>(values);
}

Fr lifted(const Fr& value) {
    return value * Fr(uint64_t{16});
}

class IfmaDomain final : public Domain {
public:
    IfmaDomain(const Resources& on, size_t log2)
        : on_(on),
          roots_(on, log2, lifted(Fr::one())),
          minus_one_(-lifted(Fr::one())),
          twiddles_{words(&roots_.of_node(0)), words(&minus_one_)},
          shape_(log2, std::max(kRowLog2, log2 > kMostLevels ? log2 - kMostLevels : 0),
                 kSmallestRowLog2, on.threads.size()) {}

    void ntt(Points points, Span<Fr> values) const override {
        const auto root = static_cast<size_t>(points);
        on_strips(values, root, ifma::fr_forward_strip);
        on_rows(values, root, ifma::fr_forward_row);
    }

    void inverse_ntt(Points points, Span<Fr> values) const override {
        const auto root = static_cast<size_t>(points);
        on_rows(values, root, ifma::fr_backward_row);
        on_strips(values, root, ifma::fr_backward_strip);
    }

    bool products_equal(Span<const Fr> a, Span<const Fr> b, Span<const Fr> c) const override {
        std::atomic<bool> equal{true};
        const size_t parts = a.size() / kPart;
        on_.threads.for_ranges(parts, 1, [&](size_t begin, size_t end) {
            const size_t first = begin * kPart;
            if (!ifma::fr_products_equal(words(&a[first]), words(&b[first]), words(&c[first]),
                                         (end - begin) * kPart)) {
                equal.store(false, std::memory_order_relaxed);
            }
        });
        for (size_t i = parts * kPart; i < a.size() && equal.load(); i++) {
            equal.store(a[i] * b[i] == c[i]);
        }
        return equal.load();
    }

    void multiply(Span<Fr> values, Span<const Fr> by) const override {
        on_parts(values, [&](size_t begin, size_t count) {
            ifma::fr_multiply(words(&values[begin]), words(&values[begin]), words(&by[begin]),
                              count);
        });
    }

    void scale(Span<Fr> values, const Fr& factor) const override {
        const Fr by = lifted(factor);
        on_parts(values, [&](size_t begin, size_t count) {
            ifma::fr_scale(words(&values[begin]), words(&by), count);
        });
    }

    void subtract_from(Span<const Fr> minuend, Span<Fr> values, const Fr& factor) const override {
        const Fr by = lifted(factor);
        on_parts(values, [&](size_t begin, size_t count) {
            ifma::fr_scaled_difference(words(&values[begin]), words(&minuend[begin]),
                                       words(&values[begin]), words(&by), count);
        });
    }

private:
    static constexpr size_t kPart = 256;
    static_assert(size_t{1} << kSmallestIfmaDomainLog2 >= kPart, "domains are whole parts");

    template <class Kernel>
    void on_rows(Span<Fr> values, size_t root, const Kernel& kernel) const {
        on_.threads.for_ranges(shape_.rows, 1, [&](size_t begin, size_t end) {
            AlignedWords memory(on_.memory);
            uint64_t* scratch = memory.get(ifma::scratch_words(shape_.columns));
            for (size_t row = begin; row < end; row++) {
                kernel(words(&values[row * shape_.columns]), shape_.columns,
                       root * shape_.rows + row, twiddles_, scratch);
            }
        });
    }

    template <class Kernel>
    void on_strips(Span<Fr> values, size_t root, const Kernel& kernel) const {
        if (shape_.rows == 1) {
            return;
        }
        constexpr size_t columns = ifma::kStripColumns;
        on_.threads.for_ranges(shape_.columns / columns, 1, [&](size_t begin, size_t end) {
            AlignedWords memory(on_.memory);
            uint64_t* scratch = memory.get(ifma::scratch_words(shape_.rows * columns));
            for (size_t strip = begin; strip < end; strip++) {
                kernel(words(&values[strip * columns]), shape_.rows, 4 * shape_.columns, root,
                       twiddles_, scratch);
            }
        });
    }

    template <class Work>
    void on_parts(Span<Fr> values, const Work& work) const {
        on_.threads.for_ranges(values.size() / kPart, 1, [&](size_t begin, size_t end) {
            work(begin * kPart, (end - begin) * kPart);
        });
    }

    const Resources& on_;
    Roots roots_;
    Fr minus_one_;
    ifma::Twiddles twiddles_;
    TransformShape shape_;
};

}  // namespace

std::unique_ptr<Domain> make_ifma_domain(const Resources& on, size_t log2) {
    return std::make_unique<IfmaDomain>(on, log2);
}

}  // namespace supraseal

#endif
