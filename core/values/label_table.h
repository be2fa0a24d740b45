// LabelTable: what the numbers of labels mean.
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
  std::vector<LabelClass> classes;      // in ascending order of their numbers, each of which is there once
  std::optional<int64_t> not_labelled;  // the number of voxels that are not labelled
  friend bool operator==(const LabelTable&, const LabelTable&) = default;
};

}  // namespace tl
