// Arrays of numbers in JSON documents: {"shape": [2, 3], "unit": "px", "float32": "<base64>"}. Internal to core.
#pragma once

#include "core/graph/json_document.h"
#include "core/node/number_array.h"

namespace tl::json {

// Little-endian float32 in base64 (RFC 4648); "unit" is written only if the array has one.
Json array_json(const NumberArray& array);
Result<NumberArray> array_from_json(const Json& json);

}  // namespace tl::json
