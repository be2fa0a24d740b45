// The states of input files in words: names of readers in caches, and fingerprints for records.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/io/bytes/fingerprint.h"

namespace tl {

// A name for the reader of files as they are now: a file that changed gets another reader. Empty names and files that
// are not there are left out.
std::string reader_name(std::initializer_list<std::string> files);

// Fingerprints of files, with spaces between, behind `first` if that is not empty. Of thousands, the first ones and the
// count. Errors: as io::fingerprint().
Result<std::string> fingerprints_of(std::span<const std::filesystem::path> files, std::string first = {});

}  // namespace tl
