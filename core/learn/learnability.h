// Whether a parameter can be learned from the available detector rows: determined from the geometry before any
// computation. Free of tensors, so that the studio can include it.
#pragma once

#include <optional>

#include "core/learn/learning_types.h"

namespace tl::learn {

// The smallest number of detector rows from which a parameter can be learned: 1 if their number does not matter.
int64_t min_rows_to_learn(const Target& target, const ParamDecl& decl, int64_t cols);
// The reason if `rows` rows of a detector with `cols` columns are too few.
std::optional<Error> too_few_rows(const Target& target, const ParamDecl& decl, int64_t rows, int64_t cols);

}  // namespace tl::learn
