// PartFile: an unfinished output: a file or folder next to the output under a unique name, locked while it is written.
#pragma once

#include <filesystem>
#include <string>

#include "core/io/output/output_rules.h"

namespace tl::io {

// ".NAME.0123456789abcdef.part": a random number and its checksum, so that no user's file is mistaken for an unfinished
// output. Long names are shortened.
std::string new_part_name(const std::string& output);
// A name for the replaced file or folder while neither it nor the new one has the output's name; needed where names
// cannot be exchanged.
std::string new_replaced_name(const std::string& output);
// Whether a name is of either kind; whether it is of the second kind.
bool is_part_name(const std::string& name, const std::string& output);
bool is_replaced_name(const std::string& name, const std::string& output);

// Renames a file or folder to a name that must not exist. Returns 0 or an errno.
int rename_to_new(const std::filesystem::path& from, const std::filesystem::path& name);

// The destructor removes and unlocks the file or folder.
class PartFile {
 public:
  // Creates a new file or folder and locks it. Removes leftovers of killed runs with the same output; a file that they
  // were replacing gets its name back if nothing has it. io: another run is writing this output; the folder is not
  // writable.
  static Result<PartFile> create(const std::filesystem::path& output, OutputKind kind);
  PartFile() = default;
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) noexcept;
  ~PartFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // A file: open for reading and writing. A folder: for openat(). Has the lock.
  [[nodiscard]] int handle() const { return handle_; }
  // io if the name no longer refers to the created file or folder: it was moved or replaced.
  [[nodiscard]] Result<void> check_unchanged() const;
  // Call when the output has its final name: the destructor then deletes nothing.
  void release();

 private:
  std::filesystem::path path_;
  std::string output_;
  OutputKind kind_ = OutputKind::file;
  int handle_ = -1;
};

// Whether an open file is the one at this path now (not through a symbolic link, and without another hard link).
bool is_at(int handle, const std::filesystem::path& path);

}  // namespace tl::io
