// Fingerprints of inputs.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// 128-bit fingerprint of a file, or of the files in a folder (independent of the folder's name), for provenance and
// cache keys: from size and sampled content ("xxh128:..." text). Errors: io, with the file.
Result<std::string> fingerprint(const std::filesystem::path& path);

}  // namespace tl::io
