// How a transform is cut into pieces that fit the cache.
#pragma once

#include <algorithm>
#include <cstddef>

namespace supraseal {

// The n values are seen as `rows` rows: the tree's top is done on strips of columns, copied
// together so that they lie close in the cache; what lies below a row is contiguous as it is. Each
// value is brought in from memory twice, whatever n.
struct TransformShape {
    size_t rows, columns;

    // Rows of 2^row_log2 values, or of fewer, though not of less than 2^smallest_row_log2, so that
    // every thread gets some.
    TransformShape(size_t log2, size_t row_log2, size_t smallest_row_log2, size_t threads) {
        size_t rows_log2 = log2 > row_log2 ? log2 - row_log2 : 0;
        while ((size_t{1} << rows_log2) < 4 * threads && log2 - rows_log2 > smallest_row_log2) {
            rows_log2++;
        }
        rows = size_t{1} << rows_log2;
        columns = size_t{1} << (log2 - rows_log2);
    }
};

}  // namespace supraseal
