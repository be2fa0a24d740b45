// Whether a parameter can be learned from the detector rows at hand: known from the geometry, before anything is
// computed. Free of tensors, so that the studio can include it.
#pragma once

#include <optional>

#include "core/learn/learning_types.h"

namespace tl::learn {

// The smallest number of detector rows from which a parameter can be learned: 1 where their number does not matter.
int64_t min_rows_to_learn(const Target& target, const ParamDecl& decl, int64_t cols);
// The obstacle if `rows` rows of a detector with `cols` columns are fewer than that.
std::optional<Error> too_few_rows(const Target& target, const ParamDecl& decl, int64_t rows, int64_t cols);

}  // namespace tl::learn
