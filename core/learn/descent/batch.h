// Parts of the data: fewer views, a band of rows, joined columns. Internal to core/learn.
#pragma once

#include "core/learn/problem.h"

namespace tl::learn {

// The numbers of a value that derivatives and noise are about; nullptr for small values and labels.
at::Tensor* numbers_of(Value& value);

// Puts a part of the data in the place of all of them: the given scan becomes a smaller one. Small values stay. Errors:
// invalid for volumes, which would no longer fit the scan.
Result<void> make_batch(GivenOutput& given, const Batch& batch, const std::string& node);

// Numbers in pixels that are not learned follow joined pixels.
void scale_pixels(Graph& graph, const Registry& registry, int64_t bin);

}  // namespace tl::learn
