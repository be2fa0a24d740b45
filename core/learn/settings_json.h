// Reading of the learning block of a pipeline, with key and line in every error. Internal to core.
#pragma once

#include "core/graph/json_document.h"
#include "core/learn/learning.h"

namespace tl::learn {

Result<Settings> read_settings(const json::Json& block, const json::JsonLineNumbers& lines, const std::string& at);

}  // namespace tl::learn
