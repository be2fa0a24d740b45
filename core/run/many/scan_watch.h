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

  // `quiet`: how long nothing of a scan may have changed.
  ScanWatch(std::filesystem::path folder, Clock::duration quiet) : folder_(std::move(folder)), quiet_(quiet) {}

  // Looks into the folder; the scans that have been finished since the last call, in natural order, each once. One that
  // has changed since is looked at again: a new scan of the same name, or one that could not be opened. Where the
  // folder cannot be read for a moment (network disks), nothing is found.
  std::vector<std::filesystem::path> finished(Clock::time_point now, const CancelToken& cancel);
  // How many look like scans and are not finished: they still change, or cannot be opened.
  [[nodiscard]] int64_t unfinished() const;

 private:
  struct Observed {
    Hash state;  // of sizes and modification times
    Clock::time_point since;
    bool is_tried = false;  // opening it was tried in this state
    bool is_delivered = false;
  };
  std::filesystem::path folder_;
  Clock::duration quiet_;
  std::map<std::filesystem::path, Observed> observed_;
};

}  // namespace tl
