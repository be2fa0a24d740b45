// Compares sizes and times of files between polls, and opens scans that no longer change.
#include "core/run/many/scan_watch.h"

#include <algorithm>

#include "core/io/bytes/input_files.h"
#include "core/io/open_scan.h"
#include "core/io/text/frame_names.h"
#include "core/run/many/scan_list.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

void add_state(const fs::path& file, Hasher& hasher) {
  const auto stamp = io::stamp_of(file);
  hasher.add(file.filename().string());
  if (stamp) hasher.add(stamp->size).add(stamp->seconds).add(stamp->nanoseconds);
}

Hash state_of(const fs::path& scan) {
  Hasher hasher;
  add_state(scan, hasher);
  std::error_code failed;
  std::vector<fs::path> members;
  for (fs::directory_iterator it(scan, failed), end; !failed && it != end; it.increment(failed))
    members.push_back(it->path());
  std::sort(members.begin(), members.end());
  for (const fs::path& member : members) add_state(member, hasher);
  return hasher.digest();
}

}  // namespace

std::vector<fs::path> ScanWatch::finished(Clock::time_point now, const CancelToken& cancel) {
  std::vector<fs::path> scans = io::visible_members(folder_);
  std::erase_if(scans, [](const fs::path& one) { return !looks_like_scan(one); });
  std::erase_if(observed_,
                [&](const auto& one) { return std::find(scans.begin(), scans.end(), one.first) == scans.end(); });
  std::vector<fs::path> found;
  for (const fs::path& scan : scans) {
    const Hash state = state_of(scan);
    const auto [at, is_new] = observed_.try_emplace(scan, Observed{state, now});
    Observed& observed = at->second;
    if (!is_new && observed.state != state) observed = {state, now};
    if (observed.is_delivered || observed.is_tried || now - observed.since < quiet_) continue;
    observed.is_tried = true;
    io::OpenOptions options;
    options.cancel = cancel;
    observed.is_delivered = io::open_scan(scan, {}, options).ok();
    if (observed.is_delivered) found.push_back(scan);
    if (cancel.cancelled()) break;
  }
  return found;
}

int64_t ScanWatch::unfinished() const {
  return std::count_if(observed_.begin(), observed_.end(), [](const auto& one) { return !one.second.is_delivered; });
}

}  // namespace tl
