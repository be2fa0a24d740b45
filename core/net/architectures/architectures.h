// The networks that can be made by name from a few numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::net {

struct Network;

// How the studio offers something for training.
struct TrainingField {
  const char *title, *suffix;  // "Depth", " layers"
  int64_t initial, high;       // initial value for training and limit in the studio, within the setting's range
  const char* help;
};
struct Setting {
  const char* name;
  int64_t initial, low, high;
  const char* help;
  std::optional<TrainingField> field = {};  // for settings that the user chooses before a training
};
using Settings = std::map<std::string, int64_t>;

struct TrainingOffer {
  const char *title, *advice;  // "MS-D"; when to use it, as a sentence
};
struct Architecture {
  const char* name;
  const char* title;
  const char* citation;
  std::vector<Setting> settings;
  // Makes the network of complete settings within their ranges. Without tensors.
  Result<Network> (*make)(const Settings&);
  std::optional<TrainingOffer> offer = {};  // for networks that the studio offers for training
};
// All, in a fixed order (generated from core/net/CMakeLists.txt).
const std::vector<Architecture>& architectures();
const Architecture* find_architecture(const std::string& name);

// "msd", "depth=50", "classes=5": unknown names, words that are not numbers and numbers out of range are errors, which
// list the valid names. Without tensors (initialise()).
Result<Network> make_network(const std::string& name, const std::vector<std::string>& settings);
}  // namespace tl::net
