// Whether detector rows can show an unknown at all: known from the geometry, before anything is computed. Free of
// tensors, so that the studio can include it.
#pragma once

#include <optional>

#include "core/learn/learning_types.h"

namespace tl::learn {

// The detector rows that an unknown needs to show in the views: 1 where rows do not matter.
int64_t rows_needed(const Target& target, const ParamDecl& decl, int64_t cols);
// The obstacle if `rows` rows of a detector with `cols` columns are fewer than that.
std::optional<Error> too_few_rows(const Target& target, const ParamDecl& decl, int64_t rows, int64_t cols);

}  // namespace tl::learn
