// InputStamps: detects changes of input files by names, sizes, inodes and modification times.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/io/bytes/input_files.h"
#include "core/values/hash.h"

namespace tl {

// One thread at a time.
class InputStamps {
 public:
  // A hash of size and time of a file, or of a folder and its files, and of files that it refers to; a missing file has
  // a hash too. Cached for one second, so that a slider on a scan of ten thousand frames does not query the file system
  // ten thousand times per step.
  Hash stamp(const std::filesystem::path& path);
  // Adds the linked, virtual and external sources of a scan that was read to the scan's stamp.
  void add(const io::InputFiles& files);
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::chrono::steady_clock::time_point when;
    Hash hash;
  };
  std::map<std::string, Known> known_;
  std::map<std::string, std::vector<std::filesystem::path>> sources_;  // by scan
};

}  // namespace tl
