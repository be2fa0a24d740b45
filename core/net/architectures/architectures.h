// The networks that can be made by name, each from a few numbers.
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
  int64_t initial, high;       // of a network that is to be trained, within the range of the setting
  const char* help;
};
struct Setting {
  const char* name;
  int64_t initial, low, high;
  const char* help;
  std::optional<TrainingField> field = {};  // of settings that are chosen before a training
};
using Settings = std::map<std::string, int64_t>;

struct TrainingOffer {
  const char *title, *advice;  // "MS-D"; when to take it, as a sentence
};
struct Architecture {
  const char* name;
  const char* title;
  const char* citation;
  std::vector<Setting> settings;
  // Of complete settings within their ranges. Without tensors.
  Result<Network> (*make)(const Settings&);
  std::optional<TrainingOffer> offer = {};  // of those that the studio offers for training
};
// All, in a fixed order (generated from core/net/CMakeLists.txt).
const std::vector<Architecture>& architectures();
const Architecture* find_architecture(const std::string& name);

// "msd", "depth=50", "classes=5": unknown names, words that are not numbers and numbers out of range are errors that
// say which there are. Without tensors (initialise()).
Result<Network> make_network(const std::string& name, const std::vector<std::string>& settings);
}  // namespace tl::net
