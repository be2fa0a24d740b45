// Takes a part of the data for one evaluation: fewer views, a band of rows, binned columns. Internal to core/learn.
#pragma once

#include "core/learn/problem.h"

namespace tl::learn {

// The tensor of a value that derivatives and noise refer to; nullptr for scalars, tables and labels.
at::Tensor* numbers_of(Value& value);

// Replaces a scan by the part that `subset` selects; scalars and tables are unchanged. Errors: invalid for volumes,
// which would no longer match the scan.
Result<void> take_subset(GivenOutput& given, const DataSubset& subset, const std::string& node);

// Divides parameters in pixels that are not learned by `bin`.
void scale_pixels(Graph& graph, const Registry& registry, int64_t bin);

}  // namespace tl::learn
