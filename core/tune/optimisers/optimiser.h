// Optimiser: a way to search a landscape; one file each in this folder, which the list of them is made from.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/tune/search/run.h"

namespace tl::tune {

struct Optimiser {
  std::string_view name;   // as options and tables name it
  std::string_view title;  // one line, with the source
  // Searches until the run ends (RunEnded passes through) or nothing is left to do. nullptr: it is not available, and
  // `title` says why.
  void (*search)(Run& run) = nullptr;
  bool is_one_of_all = true;  // false: it stands for others, which `all` has, or takes long
  bool takes_reals = false;   // also searches spaces of real variables, whose parameters have a million values

  [[nodiscard]] bool is_available() const { return search != nullptr; }
};

// All, in the order in which tables show them.
const std::vector<Optimiser>& optimisers();
// Invalid for an unknown name, with all names; unavailable for one that is not available.
Result<const Optimiser*> find_optimiser(std::string_view name);

}  // namespace tl::tune
