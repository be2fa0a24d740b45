// ScanWatch: finds the scans in a folder that are finished: they no longer change, and can be opened.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

#include "core/base/cancel.h"
#include "core/values/hash.h"

namespace tl {

// One thread at a time.
class ScanWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // `quiet`: time for which a scan must be unchanged to count as complete.
  ScanWatch(std::filesystem::path folder, Clock::duration quiet) : folder_(std::move(folder)), quiet_(quiet) {}

  // Examines the folder; returns scans completed since the last call, in natural order, each once. A scan that has
  // changed since is checked again: a new scan of the same name, or one that could not be opened. If the folder cannot
  // be read temporarily (network disks), nothing is found.
  std::vector<std::filesystem::path> finished(Clock::time_point now, const CancelToken& cancel);
  // Number of files or folders that look like scans and are not complete: they still change, or cannot be opened.
  [[nodiscard]] int64_t unfinished() const;

 private:
  struct Observed {
    Hash state;  // of sizes and modification times
    Clock::time_point since;
    bool is_tried = false;  // opening was attempted in this state
    bool is_delivered = false;
  };
  std::filesystem::path folder_;
  Clock::duration quiet_;
  std::map<std::filesystem::path, Observed> observed_;
};

}  // namespace tl
