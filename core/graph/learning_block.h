// Check of a pipeline's "learning" block, whose format core/learn defines.
#pragma once

#include <string>

#include "core/graph/json_document.h"

namespace tl {

// Whether the block contains complete learning settings of the right types. Errors give the line and the path. Defined
// in core/learn/settings_json.cpp.
Result<void> check_learning_block(const json::Json& block, const json::JsonLineNumbers& lines, const std::string& at);

}  // namespace tl
