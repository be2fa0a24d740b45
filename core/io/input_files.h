// The files that a scan is read from, as they were when it was opened: what is computed from a scan that changed
// meanwhile is of no scan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.h"

struct stat;

namespace tl::io {

// Tells one state of a file from another.
struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0, seconds = 0, nanoseconds = 0;  // of the last change of its contents
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(const struct stat& status);
// Of a file that exists.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

struct InputFile {
  std::filesystem::path path;
  std::optional<FileStamp> stamp;  // none until it is first read
};

// One thread at a time.
class InputFiles {
 public:
  InputFiles(std::filesystem::path scan, std::vector<InputFile> files)
      : scan_(std::move(scan)), files_(std::move(files)) {}

  [[nodiscard]] const std::filesystem::path& scan() const { return scan_; }
  [[nodiscard]] const std::vector<InputFile>& files() const { return files_; }

  // To be called before some of the files are read: they are as they were the first time.
  Result<void> check(std::size_t first, std::size_t last);
  // All files that were read are as they were then.
  [[nodiscard]] Result<void> unchanged() const;
  // The files that both have read were the same for both.
  [[nodiscard]] Result<void> agrees_with(const InputFiles& other) const;

 private:
  std::filesystem::path scan_;
  std::vector<InputFile> files_;
};

}  // namespace tl::io
