#include <algorithm>
#include <atomic>
#include <vector>

#include "backend/cpu/ntt/domain.h"
#include "backend/cpu/ntt/shape.h"

namespace supraseal {

namespace {

// The first node splits and joins with 1.
void split_or_join_with_one(Fr* low, Fr* high, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Fr v = high[i];
        high[i] = low[i] - v;
        low[i] += v;
    }
}

// One node of the tree.
void split(const Roots& roots, size_t node, Fr* low, Fr* high, size_t count) {
    if (node == 0) {
        split_or_join_with_one(low, high, count);
        return;
    }
    const Fr twiddle = roots.of_node(node);
    for (size_t i = 0; i < count; i++) {
        const Fr v = high[i] * twiddle;
        high[i] = low[i] - v;
        low[i] += v;
    }
}

void join(const Roots& roots, size_t node, Fr* low, Fr* high, size_t count) {
    if (node == 0) {
        split_or_join_with_one(low, high, count);
        return;
    }
    const Fr twiddle = roots.negated_inverse_of_node(node);
    for (size_t i = 0; i < count; i++) {
        const Fr v = high[i];
        high[i] = (v - low[i]) * twiddle;
        low[i] += v;
    }
}

// The whole subtree under `node`, on `rows * width` contiguous values seen as rows of `width`
// interleaved transforms.
void forward(const Roots& roots, size_t node, Fr* values, size_t rows, size_t width) {
    for (size_t blocks = 1; blocks < rows; blocks *= 2) {
        const size_t half = rows / blocks / 2 * width;
        for (size_t k = 0; k < blocks; k++) {
            Fr* block = values + k * 2 * half;
            split(roots, node * blocks + k, block, block + half, half);
        }
    }
}

void backward(const Roots& roots, size_t node, Fr* values, size_t rows, size_t width) {
    for (size_t blocks = rows / 2; blocks > 0; blocks /= 2) {
        const size_t half = rows / blocks / 2 * width;
        for (size_t k = 0; k < blocks; k++) {
            Fr* block = values + k * 2 * half;
            join(roots, node * blocks + k, block, block + half, half);
        }
    }
}

class PortableDomain final : public Domain {
public:
    PortableDomain(const Resources& on, size_t log2)
        : on_(on),
          roots_(on, log2, Fr::one()),
          shape_(log2, kRowLog2, kSmallestRowLog2, on.threads.size()) {}

    void ntt(Points points, Span<Fr> values) const override {
        const auto root = static_cast<size_t>(points);
        on_strips(values, [&](Fr* local, size_t columns) {
            forward(roots_, root, local, shape_.rows, columns);
        });
        on_.threads.for_each(shape_.rows, [&](size_t row) {
            forward(roots_, root * shape_.rows + row, values.data() + row * shape_.columns,
                    shape_.columns, 1);
        });
    }

    void inverse_ntt(Points points, Span<Fr> values) const override {
        const auto root = static_cast<size_t>(points);
        on_.threads.for_each(shape_.rows, [&](size_t row) {
            backward(roots_, root * shape_.rows + row, values.data() + row * shape_.columns,
                     shape_.columns, 1);
        });
        on_strips(values, [&](Fr* local, size_t columns) {
            backward(roots_, root, local, shape_.rows, columns);
        });
    }

    bool products_equal(Span<const Fr> a, Span<const Fr> b, Span<const Fr> c) const override {
        std::atomic<bool> equal{true};
        on_.threads.for_ranges(a.size(), kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                if (a[i] * b[i] != c[i]) {
                    equal.store(false, std::memory_order_relaxed);
                    return;
                }
            }
        });
        return equal.load();
    }

    void multiply(Span<Fr> values, Span<const Fr> by) const override {
        each(values, [&](size_t i) { values[i] *= by[i]; });
    }

    void scale(Span<Fr> values, const Fr& factor) const override {
        each(values, [&](size_t i) { values[i] *= factor; });
    }

    void subtract_from(Span<const Fr> minuend, Span<Fr> values, const Fr& factor) const override {
        each(values, [&](size_t i) { values[i] = (minuend[i] - values[i]) * factor; });
    }

private:
    static constexpr size_t kRowLog2 = 12;  // a row of 128 KiB
    static constexpr size_t kSmallestRowLog2 = 8;
    static constexpr size_t kGrain = 1024;

    // Calls transform(strip, its columns) on copies of the strips, and copies them back.
    template <class Transform>
    void on_strips(Span<Fr> values, const Transform& transform) const {
        if (shape_.rows == 1) {
            return;
        }
        // 512 bytes a row: whole cache lines, few pages.
        const size_t columns = std::min<size_t>(16, shape_.columns);
        on_.threads.for_ranges(shape_.columns / columns, 1, [&](size_t begin, size_t end) {
            Buffer<Fr> local = buffer_of<Fr>(shape_.rows * columns, on_.memory);
            for (size_t strip = begin; strip < end; strip++) {
                Fr* first = values.data() + strip * columns;
                for (size_t row = 0; row < shape_.rows; row++) {
                    std::copy_n(first + row * shape_.columns, columns,
                                local.data() + row * columns);
                }
                transform(local.data(), columns);
                for (size_t row = 0; row < shape_.rows; row++) {
                    std::copy_n(local.data() + row * columns, columns,
                                first + row * shape_.columns);
                }
            }
        });
    }

    template <class Work>
    void each(Span<Fr> values, const Work& work) const {
        on_.threads.for_ranges(values.size(), kGrain, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; i++) {
                work(i);
            }
        });
    }

    const Resources& on_;
    Roots roots_;
    TransformShape shape_;
};

}  // namespace

std::unique_ptr<Domain> make_portable_domain(const Resources& on, size_t log2) {
    return std::make_unique<PortableDomain>(on, log2);
}

}  // namespace supraseal
