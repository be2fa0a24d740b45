// A scan's metadata as text for people and JSON for programs; every value is shown with its origin.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/reader/scan_info.h"

namespace tl::io {

// One line about a scan. Values that a reader computed (sizes, counts) have no origin.
struct Fact {
  std::string name, value;  // "pixel size u", "1.1 um"; "" = the scan does not state it
  std::optional<Origin> origin;
  std::string source;      // "/exchange/theta"
  std::string brief = {};  // shorter value for a narrow column; empty = same as value
};
std::vector<Fact> facts(const ScanInfo& info);

// Several lines: sizes, angles, pixel size, distances, energy, each marked [file], [guessed] or [user]; then the notes.
std::string describe(const ScanInfo& info);
// One JSON object (indented text). Each name contains the unit of its number.
std::string describe_json(const ScanInfo& info);

}  // namespace tl::io
