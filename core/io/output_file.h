// Output files that appear under their name only when whole: .part, flush, sync, rename.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/error.h"

namespace tl::io {

enum class Overwrite { refuse, replace };

// Reserves NAME.part beside NAME. The writer fills part_path() with any library, then commit() syncs and renames it.
// Destroyed without commit: the .part file is removed. Errors: io (folder missing, read-only, full), invalid (exists).
// A character device (/dev/null, /dev/full) is written to directly. While it lives, no other run can reserve the name.
class OutputFile {
 public:
  static Result<OutputFile> create(const std::filesystem::path& name, Overwrite overwrite);
  // The same for a folder of slices: part_path() is an empty folder. `replace` takes the place of a folder only if that
  // holds nothing but .tif, .tiff and .json files: no other folder is ever deleted.
  static Result<OutputFile> create_folder(const std::filesystem::path& name, Overwrite overwrite);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  [[nodiscard]] const std::filesystem::path& name() const { return name_; }
  [[nodiscard]] const std::filesystem::path& part_path() const { return part_; }
  Result<void> commit();

 private:
  OutputFile(std::filesystem::path name, std::filesystem::path part, Overwrite overwrite, int handle);
  void discard();
  std::filesystem::path name_, part_;
  Overwrite overwrite_ = Overwrite::refuse;
  int handle_ = -1;  // of part_: holds the lock and is synced; -1 once committed or moved away
};

// An io error with the system's reason for `code` (an errno) and what to do about it.
Error system_error(const std::string& what, const std::filesystem::path& where, int code);

// Writes all bytes at the current position of an open file descriptor.
Result<void> write_all(int handle, std::span<const std::byte> bytes, const std::filesystem::path& where);

// Writes a whole file through OutputFile.
Result<void> write_bytes(const std::filesystem::path& name, std::span<const std::byte> bytes, Overwrite overwrite);
Result<void> write_text(const std::filesystem::path& name, const std::string& text, Overwrite overwrite);

}  // namespace tl::io
