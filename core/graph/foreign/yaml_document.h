// Safe reading of YAML text as a JSON document with lines; by yaml-cpp. Internal to core/graph/foreign.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/json_document.h"

namespace tl::foreign {

// A value with a tag ("!Sweep [1, 2]") becomes an object with the tag as its only key. Plain scalars are null, true,
// false or numbers where YAML 1.1 says so; "0x10", "1_000" and dates stay texts. Invalid, with line and column: text
// that is not YAML or not UTF-8, several documents, anchors and aliases (with which a few lines become gigabytes),
// duplicate keys, keys that are not texts, nesting deeper than json::max_depth, more than json::max_values values.
Result<json::Document> read_yaml(std::string_view text, const std::string& file);

// Writes arrays and objects in block style. Texts are quoted if they would otherwise be read as another type.
std::string yaml_text(const json::Json& value);

}  // namespace tl::foreign
