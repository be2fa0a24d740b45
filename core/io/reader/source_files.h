// SourceFiles: which files an HDF5 scan may be read from, and which were opened.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/io/bytes/input_files.h"
#include "core/io/reader/scan_info.h"

namespace tl::io {

// Files of one scan. One thread at a time.
class SourceFiles {
 public:
  SourceFiles(const std::filesystem::path& scan, OutsideLinks outside_links);

  // Whether a file may be opened: a regular file (opening a pipe would block) in the scan's folder or below, or
  // anywhere with OutsideLinks::follow. Refused files are stored with the reason; missing files are not.
  bool admits(const std::filesystem::path& file);
  // Admits a file that the user named, wherever it is. Links inside it are treated like those of other files.
  void admit(const std::filesystem::path& file);
  // Records an admitted file after it was opened.
  void add(const std::filesystem::path& file, const FileStamp& stamp);

  [[nodiscard]] const std::vector<InputFile>& opened() const { return opened_; }
  [[nodiscard]] std::optional<Error> refused() const;
  // Opened files outside the scan's folder.
  [[nodiscard]] std::vector<std::filesystem::path> outside() const;
  [[nodiscard]] bool is_scan_folder(const std::filesystem::path& folder) const;
  // HDF5 searches the external files of a virtual dataset's sources in the working folder, which must then be the
  // scan's folder.
  void require_scan_folder() { wants_scan_folder_ = true; }
  [[nodiscard]] bool requires_scan_folder() const { return wants_scan_folder_; }
  // Bytes of all opened files.
  [[nodiscard]] int64_t bytes() const;

 private:
  [[nodiscard]] bool is_outside(const std::filesystem::path& file) const;
  [[nodiscard]] bool is_named(const std::filesystem::path& file) const;
  std::filesystem::path scan_;
  std::vector<std::filesystem::path> folders_;
  OutsideLinks outside_links_;
  std::vector<std::filesystem::path> named_;  // by the user; real paths
  std::vector<InputFile> opened_;
  std::optional<Error> refused_;
  bool wants_scan_folder_ = false;
  std::vector<std::filesystem::path> refused_outside_;
};

// Whether opening failed because the scan links files outside its folder, which the user may allow.
bool refuses_outside_links(const Error& error);

}  // namespace tl::io
