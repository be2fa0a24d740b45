// Checkpoint: where a learning run stands in a long descent, as the numbers that its journal keeps.
#pragma once

#include <optional>
#include <vector>

#include "core/learn/descent/descent.h"
#include "core/learn/problem.h"

namespace tl::learn {

struct Checkpoint {
  AdamState descent;
  int64_t evaluations = 0;
  double first_loss = 0;
  std::vector<Progress> history;  // of lists and arrays the sizes alone
};

std::vector<double> numbers_of(const Checkpoint& checkpoint);
// Nothing where the numbers do not fit such a problem.
std::optional<Checkpoint> checkpoint_of(const std::vector<double>& numbers, const Problem& problem);

}  // namespace tl::learn
