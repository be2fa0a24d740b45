// The learning block of a pipeline, which core/learn defines: the reader of pipelines checks it without knowing more.
#pragma once

#include <string>

#include "core/graph/json_document.h"

namespace tl {

// Are these settings of learning, complete and of the right types? Errors name the place. Defined in
// core/learn/settings_json.cpp.
Result<void> check_learning_block(const json::Json& block, const json::Places& places, const std::string& at);

}  // namespace tl
