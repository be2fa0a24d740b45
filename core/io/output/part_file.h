// PartFile: an unfinished output: a file or folder next to the output under a unique name, locked while it is written.
#pragma once

#include <filesystem>
#include <string>

#include "core/io/output/output_rules.h"

namespace tl::io {

// ".NAME.0123456789abcdef.part": a random number and its checksum, so that no name chosen by a user is mistaken for
// one. Long names are shortened.
std::string new_part_name(const std::string& output);
// Such a name for what the output replaces, while neither has the output's name: where two files or folders cannot
// exchange their names.
std::string new_replaced_name(const std::string& output);
// Whether a name is one of these two kinds; of the second kind.
bool is_part_name(const std::string& name, const std::string& output);
bool is_replaced_name(const std::string& name, const std::string& output);

// Renames a file or folder to a name that must not exist. Returns 0 or an errno.
int rename_to_new(const std::filesystem::path& from, const std::filesystem::path& name);

// The destructor removes and unlocks the file or folder.
class PartFile {
 public:
  // Creates a new file or folder and locks it. Removes what killed runs left of the same output; but what they were
  // replacing gets the name of the output again if nothing has it. io: another run is writing this output; the folder
  // cannot be written.
  static Result<PartFile> create(const std::filesystem::path& output, OutputKind kind);
  PartFile() = default;
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) noexcept;
  ~PartFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // A file: open for reading and writing. A folder: for openat(). Has the lock.
  [[nodiscard]] int handle() const { return handle_; }
  // io if the name no longer refers to what was created: it was moved or replaced.
  [[nodiscard]] Result<void> check_unchanged() const;
  // To be called when the output has its final name: the destructor then removes nothing.
  void release();

 private:
  std::filesystem::path path_;
  std::string output_;
  OutputKind kind_ = OutputKind::file;
  int handle_ = -1;
};

// Whether an open file is the one that this path names now (not through a symbolic link, and with no other hard link).
bool is_at(int handle, const std::filesystem::path& path);

}  // namespace tl::io
