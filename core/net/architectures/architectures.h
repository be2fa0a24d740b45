// The networks that can be made by name, each from a few numbers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

struct Setting {
  const char* name;
  int64_t initial, low, high;
  const char* help;
};
using Settings = std::map<std::string, int64_t>;

struct Architecture {
  const char* name;
  const char* title;
  const char* citation;
  std::vector<Setting> settings;
  // Of complete settings within their ranges. Without tensors.
  std::function<Result<Network>(const Settings&)> make;
};
const std::vector<Architecture>& architectures();

// "msd", "depth=50", "classes=5": unknown names, words that are not numbers and numbers out of range are errors that
// say which there are. Without tensors (initialise()).
Result<Network> make_network(const std::string& name, const std::vector<std::string>& settings);

// One per file.
Architecture fcn_resnet50();
Architecture msd();
Architecture plain();
Architecture sliding_window();
Architecture dense_window();
Architecture unet();
Architecture unet4();
Architecture unet_copying();
Architecture usk();

}  // namespace tl::net
