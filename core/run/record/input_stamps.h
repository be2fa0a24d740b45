// InputStamps: whether an input is still the one that was read, told by names, sizes and times of change of its files.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/io/input_files.h"
#include "core/values/hash.h"

namespace tl {

// One thread at a time.
class InputStamps {
 public:
  // Of a file, or of a folder and the files in it, and of the files that it refers to; of a missing one too. Looked at
  // again when older than a second, so that a slider on a scan of ten thousand frames does not ask the file system ten
  // thousand times a step.
  Hash stamp(const std::filesystem::path& path);
  // Linked, virtual and external sources of a scan that was read: from now on they count as well.
  void add(const io::InputFiles& files);
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::chrono::steady_clock::time_point when;
    Hash hash;
  };
  std::map<std::string, Known> known_;
  std::map<std::string, std::vector<std::filesystem::path>> sources_;  // of scans
};

}  // namespace tl
