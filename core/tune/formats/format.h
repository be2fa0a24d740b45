// SpaceFormat: one form in which spaces stand in files; one file each in this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/tune/formats/json_text.h"
#include "core/tune/space.h"

namespace tl::tune {

struct SpaceFormat {
  std::string_view name;   // as options name it: "cache"
  std::string_view title;  // "Kernel Tuner cache"
  // Whether an object is of this form, so that read() says what is wrong with it otherwise.
  bool (*is_of_this_form)(const Json& root) = nullptr;
  // Refused with place: missing keys, values that no list has, two measurements of one configuration, numbers that are
  // not finite, other versions, more than most_configurations.
  Result<Space> (*read)(const JsonText& text) = nullptr;
  std::string (*write)(const Space& space) = nullptr;  // nullptr: it is only read
};

// All of them: the names of the files in this folder.
const std::vector<SpaceFormat>& space_formats();

SpaceFormat space_format_cache();
SpaceFormat space_format_t4();
SpaceFormat space_format_t1();

}  // namespace tl::tune
