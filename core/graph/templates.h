// Bundled pipelines (resources/pipelines), compiled into the program so that they need no files at run time.
#pragma once

#include <string_view>
#include <vector>

namespace tl {

struct Template {
  std::string_view name;  // the file's name without extension
  std::string_view text;  // pipeline JSON
};

// In alphabetic order.
std::vector<Template> templates();

}  // namespace tl
