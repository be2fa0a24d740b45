// InputStamps: whether an input file is still the one that was read, told by name, size and time of change.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

#include "core/values/hash.h"

namespace tl {

// One thread at a time.
class InputStamps {
 public:
  // Of a file, or of a folder and the files in it; of a missing one too. Looked at again when older than a second, so
  // that a slider on a scan of ten thousand frames does not ask the file system ten thousand times a step.
  Hash stamp(const std::filesystem::path& path);
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::chrono::steady_clock::time_point when;
    Hash hash;
  };
  std::map<std::string, Known> known_;
};

}  // namespace tl
