#include "backend/cpu/ntt/ntt.h"

#include <algorithm>
#include <vector>

namespace supraseal {

namespace {

// One node of the tree: `rows` halves of `width` values, row stride `stride`.
void split(const Roots& roots, size_t node, Fr* low, Fr* high, size_t count) {
    if (node == 0) {
        for (size_t i = 0; i < count; i++) {
            const Fr v = high[i];
            high[i] = low[i] - v;
            low[i] += v;
        }
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
        for (size_t i = 0; i < count; i++) {
            const Fr v = high[i];
            high[i] = low[i] - v;
            low[i] += v;
        }
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

// Splits the n values into `rows` rows: the tree's top is done on strips of columns, copied
// together so that they lie close in the cache; what lies below a row is contiguous as it is. Each
// value is brought in from memory twice, whatever n.
struct Shape {
    size_t rows, columns, strip;

    Shape(size_t n, size_t threads) {
        constexpr size_t kRowLog2 = 12;  // a row of 128 KiB
        size_t rows_log2 = 0;
        const size_t log2 = static_cast<size_t>(__builtin_ctzll(n));
        while (rows_log2 < log2 && (log2 - rows_log2 > kRowLog2 ||
                                    ((size_t{1} << rows_log2) < 4 * threads && log2 > kRowLog2))) {
            rows_log2++;
        }
        rows = size_t{1} << rows_log2;
        columns = n / rows;
        constexpr size_t kStrip = 16;  // 512 bytes a row: whole cache lines, few pages
        strip = std::min(kStrip, columns);
    }
};

template <class Transform>
void on_strips(const ThreadPool& pool, const Shape& shape, Span<Fr> values,
               const Transform& transform) {
    if (shape.rows == 1) {
        return;
    }
    pool.for_ranges(shape.columns / shape.strip, 1, [&](size_t begin, size_t end) {
        std::vector<Fr> local(shape.rows * shape.strip);
        for (size_t strip = begin; strip < end; strip++) {
            Fr* first = values.data() + strip * shape.strip;
            for (size_t row = 0; row < shape.rows; row++) {
                std::copy_n(first + row * shape.columns, shape.strip,
                            local.data() + row * shape.strip);
            }
            transform(local.data());
            for (size_t row = 0; row < shape.rows; row++) {
                std::copy_n(local.data() + row * shape.strip, shape.strip,
                            first + row * shape.columns);
            }
        }
    });
}

}  // namespace

void ntt(const ThreadPool& pool, const Roots& roots, Points points, Span<Fr> values) {
    const Shape shape(values.size(), pool.size());
    const auto root_node = static_cast<size_t>(points);
    on_strips(pool, shape, values,
              [&](Fr* local) { forward(roots, root_node, local, shape.rows, shape.strip); });
    pool.for_each(shape.rows, [&](size_t row) {
        forward(roots, root_node * shape.rows + row, values.data() + row * shape.columns,
                shape.columns, 1);
    });
}

void inverse_ntt(const ThreadPool& pool, const Roots& roots, Points points, Span<Fr> values) {
    const Shape shape(values.size(), pool.size());
    const auto root_node = static_cast<size_t>(points);
    pool.for_each(shape.rows, [&](size_t row) {
        backward(roots, root_node * shape.rows + row, values.data() + row * shape.columns,
                 shape.columns, 1);
    });
    on_strips(pool, shape, values,
              [&](Fr* local) { backward(roots, root_node, local, shape.rows, shape.strip); });
}

}  // namespace supraseal
