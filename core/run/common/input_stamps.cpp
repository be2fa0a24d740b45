// Detects changes of input files by stamps from the file system.
#include "core/run/common/input_stamps.h"

#include <sys/stat.h>

#include <algorithm>

namespace tl {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds trusted{1};

void add_file(Hasher& hasher, const fs::path& path) {
  struct stat s {};
  hasher.add(path.string());
  if (stat(path.c_str(), &s) != 0) return;
  hasher.add(static_cast<int64_t>(s.st_size)).add(static_cast<int64_t>(s.st_ino));
  hasher.add(static_cast<int64_t>(s.st_mtim.tv_sec)).add(static_cast<int64_t>(s.st_mtim.tv_nsec));
}

}  // namespace

Hash InputStamps::stamp(const fs::path& path) {
  const auto now = std::chrono::steady_clock::now();
  const auto [at, fresh] = known_.try_emplace(path.string());
  if (!fresh && now - at->second.when < trusted) return at->second.hash;
  Hasher hasher;
  add_file(hasher, path);
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    std::vector<fs::path> members;
    for (fs::directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
      members.push_back(it->path());
    std::sort(members.begin(), members.end());
    for (const fs::path& member : members) add_file(hasher, member);
  }
  for (const fs::path& source : sources_[path.string()]) add_file(hasher, source);
  at->second = {now, hasher.digest()};
  return at->second.hash;
}

void InputStamps::add(const io::InputFiles& files) {
  std::vector<fs::path> sources;
  for (const io::InputFile& file : files.files())
    if (file.path != files.scan() && file.path.parent_path() != files.scan()) sources.push_back(file.path);
  const std::string scan = files.scan().string();
  if (sources_[scan] == sources) return;
  sources_[scan] = std::move(sources);
  known_.erase(scan);
}

}  // namespace tl
