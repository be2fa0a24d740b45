// Selects a part of the data for one evaluation: fewer views, a band of rows, binned columns. Internal to core/learn.
#pragma once

#include "core/learn/problem.h"

namespace tl::learn {

// The tensor of a value for derivatives and noise; nullptr for scalars, tables and labels.
at::Tensor* numbers_of(Value& value);

// Replaces a scan by the part that `subset` selects, and a volume by the slices that belong to its rows; scalars and
// tables are unchanged. rows: number of detector rows; the last row is a volume's first slice. Errors: invalid for
// binned volumes, for volumes with another number of slices, and for labels, which would no longer match the scan.
Result<void> take_subset(GivenOutput& given, const DataSubset& subset, int64_t rows, const std::string& node);

// Divides parameters in pixels that are not learned by `bin`.
void scale_pixels(Graph& graph, const Registry& registry, int64_t bin);

}  // namespace tl::learn
