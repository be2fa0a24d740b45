// LabelTable: the meaning of the numbers of labels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tl {

struct LabelClass {
  int64_t number = 0;  // the value of its voxels
  std::string name;
  std::string colour;  // "#rrggbb"; empty: not stated
  friend bool operator==(const LabelClass&, const LabelClass&) = default;
};

struct LabelTable {
  std::vector<LabelClass> classes;      // sorted by number, without duplicates
  std::optional<int64_t> not_labelled;  // the number of unlabelled voxels
  friend bool operator==(const LabelTable&, const LabelTable&) = default;
};

}  // namespace tl
