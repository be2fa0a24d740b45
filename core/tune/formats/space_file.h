// Reads a space from a file of any form, whatever its name.
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/tune/formats/format.h"
#include "core/tune/space.h"

namespace tl::tune {

struct SpaceFile {
  Space space;
  const SpaceFormat* format = nullptr;
};

// Errors: io (missing, unreadable), invalid (with the place: not JSON, none of the forms, what SpaceFormat::read
// refuses).
Result<SpaceFile> read_space(const std::filesystem::path& file);
// The same of a text; `file` names it.
Result<SpaceFile> parse_space(std::string text, const std::filesystem::path& file);

}  // namespace tl::tune
