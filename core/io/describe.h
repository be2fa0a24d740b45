// What a scan says about itself, as text for people and JSON for programs; every value with its origin.
#pragma once

#include <string>

#include "core/io/scan.h"

namespace tl::io {

// Several lines: sizes, angles, pixel size, distances, energy, each marked [file], [guessed] or [user], then the notes.
std::string describe(const ScanInfo& info);
// One JSON object (indented text). Numbers in the units that their names say.
std::string describe_json(const ScanInfo& info);

}  // namespace tl::io
