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
  // A hash over a file, or a folder and the files in it, and the files that it refers to; a missing file has one, too.
  // Cached for one second, so that a slider on a scan of ten thousand frames does not query the file system ten
  // thousand times a step.
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
