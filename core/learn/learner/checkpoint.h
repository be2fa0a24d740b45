// Checkpoint: the state of a learning run in a long descent, as a list of numbers that its journal stores.
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
  std::vector<Progress> history;  // for lists and arrays only the sizes
};

std::vector<double> numbers_of(const Checkpoint& checkpoint);
// nullopt if the count of numbers does not fit the problem.
std::optional<Checkpoint> checkpoint_of(const std::vector<double>& numbers, const Problem& problem);

}  // namespace tl::learn
