// Unfinished outputs: a file or folder beside its output under a name of its own, locked while somebody writes it.
#pragma once

#include <filesystem>
#include <string>

#include "core/io/output/output_rules.h"

namespace tl::io {

// ".NAME.0123456789abcdef.part": a random number and its checksum, so that no name that a user chose is taken for one.
// Long names are cut.
std::string new_part_name(const std::string& output);
bool is_part_name(const std::string& name, const std::string& output);

// Removes itself and unlocks when it is destroyed.
class PartFile {
 public:
  // Makes a new file or folder, which no other program had, and locks it. What killed runs left of the same output is
  // removed. io: another run is writing this output; the folder cannot be written.
  static Result<PartFile> create(const std::filesystem::path& output, OutputKind kind);
  PartFile() = default;
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) noexcept;
  ~PartFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // A file: for reading and writing. A folder: for openat(). It holds the lock.
  [[nodiscard]] int handle() const { return handle_; }
  // The name still leads to what was made. io: somebody moved or replaced it.
  [[nodiscard]] Result<void> check_unchanged() const;
  // It has its final name: nothing is removed any more.
  void release();

 private:
  std::filesystem::path path_;
  std::string output_;
  OutputKind kind_ = OutputKind::file;
  int handle_ = -1;
};

// Whether an open file is the one that has this name now (no symbolic link, no other link).
bool is_at(int handle, const std::filesystem::path& path);

}  // namespace tl::io
