// InputFiles: the files of a scan with their state when first read, so that changes during a computation are detected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/error.h"

struct stat;

namespace tl::io {

// Identifies the state of a file by device, inode, size and modification time.
struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0, seconds = 0, nanoseconds = 0;  // seconds and nanoseconds of the modification time
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(const struct stat& status);
// Nothing if the file does not exist.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

struct InputFile {
  std::filesystem::path path;
  std::optional<FileStamp> stamp;  // none before the first read
};

// One thread at a time.
class InputFiles {
 public:
  InputFiles(std::filesystem::path scan, std::vector<InputFile> files)
      : scan_(std::move(scan)), files_(std::move(files)) {}

  [[nodiscard]] const std::filesystem::path& scan() const { return scan_; }
  [[nodiscard]] const std::vector<InputFile>& files() const { return files_; }

  // Call before reading files [first, last): an error if one of them has changed since it was first read.
  Result<void> check(std::size_t first, std::size_t last);
  // An error if a file has changed since it was first read.
  [[nodiscard]] Result<void> unchanged() const;
  // An error if a file that both have read changed in between.
  [[nodiscard]] Result<void> agrees_with(const InputFiles& other) const;

 private:
  std::filesystem::path scan_;
  std::vector<InputFile> files_;
};

}  // namespace tl::io
