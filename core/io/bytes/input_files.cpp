// Detects input files that changed since they were first read, by size and modification time.
#include "core/io/bytes/input_files.h"

#include <sys/stat.h>

#include <map>
#include <string>

namespace tl::io {
namespace {

Error changed_file(const std::filesystem::path& file, const FileStamp& before, const std::optional<FileStamp>& now) {
  std::string how = "was written to";
  if (!now)
    how = "is gone";
  else if (now->inode != before.inode || now->device != before.device)
    how = "was replaced by another one";
  else if (now->size != before.size)
    how = (now->size < before.size ? "was truncated from " : "grew from ") + std::to_string(before.size) + " to " +
          std::to_string(now->size) + " bytes";
  return io_error("the scan changed while it was read: a file of it " + how, file.string(),
                  "Wait until nothing writes to it any more, then do it again");
}

Result<void> compare_stamps(const InputFile& file, const std::optional<FileStamp>& now) {
  if (now == file.stamp) return ok();
  return changed_file(file.path, *file.stamp, now);
}

}  // namespace

FileStamp stamp_of(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return stamp_of(status);
}

Result<void> InputFiles::check(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last && i < files_.size(); ++i) {
    const auto now = stamp_of(files_[i].path);
    if (!files_[i].stamp) files_[i].stamp = now;
    if (files_[i].stamp) TL_TRY(compare_stamps(files_[i], now));
  }
  return ok();
}

Result<void> InputFiles::unchanged() const {
  for (const InputFile& file : files_)
    if (file.stamp) TL_TRY(compare_stamps(file, stamp_of(file.path)));
  return ok();
}

Result<void> InputFiles::agrees_with(const InputFiles& other) const {
  std::map<std::filesystem::path, FileStamp> theirs;
  for (const InputFile& file : other.files_)
    if (file.stamp) theirs.emplace(file.path, *file.stamp);
  for (const InputFile& file : files_)
    if (const auto same = theirs.find(file.path); file.stamp && same != theirs.end())
      TL_TRY(compare_stamps(file, same->second));
  return ok();
}

}  // namespace tl::io
