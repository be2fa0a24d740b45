// The list of all optimisers, and one by its name.
#include "core/tune/optimisers/optimiser.h"

#include <string>

std::vector<tl::tune::Optimiser> tl_optimiser_list();  // written by CMake from the files of this folder

namespace tl::tune {

const std::vector<Optimiser>& optimisers() {
  static const std::vector<Optimiser> all = tl_optimiser_list();
  return all;
}

Result<const Optimiser*> find_optimiser(std::string_view name) {
  std::string names;
  for (const Optimiser& one : optimisers()) {
    if (one.name == name) {
      if (!one.is_available())
        return unavailable(std::string(one.title), std::string(name), "Choose another optimiser");
      return &one;
    }
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  return invalid("there is no such optimiser", std::string(name), "There are: " + names);
}

}  // namespace tl::tune
