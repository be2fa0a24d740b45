// OutputFile: an output that appears under its name only when complete; several can be committed together or not at
// all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/output/output_rules.h"
#include "core/io/output/part_file.h"

namespace tl::io {

// Creates a hidden file or folder next to NAME. The writer fills it, then commit() checks, syncs and renames it to
// NAME. Destroyed without commit(), it leaves nothing. Errors: io (folder missing, read-only, full; another run writes
// the same output), invalid (exists, is an input, is a link that leads nowhere).
// A character device (/dev/null, /dev/full) is written to directly.
class OutputFile {
 public:
  static Result<OutputFile> create(const std::filesystem::path& name, const OutputRules& rules);
  // A folder of slices or chunks. Overwrite::replace replaces a folder only if it is empty or was written by this
  // program (check_is_our_folder()): no other folder is ever deleted.
  static Result<OutputFile> create_folder(const std::filesystem::path& name, const OutputRules& rules);
  [[nodiscard]] const std::filesystem::path& name() const { return name_; }
  // For libraries that open files themselves, and for messages.
  [[nodiscard]] const std::filesystem::path& part_path() const { return device_.is_open() ? name_ : part_.path(); }
  // The open file, for reading and writing; owned by this object.
  [[nodiscard]] int handle() const { return device_.is_open() ? device_.get() : part_.handle(); }
  // Adds a new file to a folder; for "0/1/2" creates the subfolders. commit() fails if it was deleted, has another
  // size, or other files were added.
  Result<void> add_member(const std::string& member, std::span<const std::byte> bytes);
  // Adds another complete output that belongs to this one (the voxels of a header): either both are committed, or none.
  void add_companion(OutputFile companion) { companions_.push_back(std::move(companion)); }
  Result<void> commit();

 private:
  friend Result<void> commit_together(std::vector<OutputFile> outputs);
  friend Result<void> commit_missing(std::vector<OutputFile> outputs);
  enum class State { unfinished, named, exchanged };

  OutputFile(std::filesystem::path name, OutputRules rules, OutputKind kind);
  [[nodiscard]] Result<void> check_name() const;
  Result<void> make_subfolder(const std::string& subfolder);
  Result<void> sync();
  [[nodiscard]] Result<void> check_members() const;
  Result<void> take_name();
  void take_back();
  void finish();

  std::filesystem::path name_;
  OutputRules rules_;
  OutputKind kind_ = OutputKind::file;
  PartFile part_;
  std::map<std::string, int64_t> members_;  // bytes
  std::set<std::string> subfolders_;        // in which members are
  State state_ = State::unfinished;
  std::vector<OutputFile> companions_;
  FileDescriptor device_;
  FileDescriptor replaced_;  // the file that had the name before: locked until all outputs have their names
};

// Renames all outputs to their final names, or none: if one fails, those before it are undone and the files that they
// replaced are restored.
Result<void> commit_together(std::vector<OutputFile> outputs);

// Commits the outputs of a run that repeats a killed one, which may have committed some of them: existing files with
// equal bytes are kept, the others get their names, whatever their rules; all or none. Invalid if a different file has
// one of the names. For files, not for folders.
Result<void> commit_missing(std::vector<OutputFile> outputs);

// An io error with the system's message for `code` (an errno) and a hint.
Error system_error(const std::string& what, const std::filesystem::path& where, int code);

// Writes all bytes at the current position of an open file descriptor.
Result<void> write_all(int handle, std::span<const std::byte> bytes, const std::filesystem::path& where);

// A complete file without its final name yet: for commit_together().
Result<OutputFile> uncommitted_file(const std::filesystem::path& name, std::span<const std::byte> bytes,
                                    const OutputRules& rules);
Result<OutputFile> uncommitted_text(const std::filesystem::path& name, const std::string& text,
                                    const OutputRules& rules);
// Writes a whole file.
Result<void> write_bytes(const std::filesystem::path& name, std::span<const std::byte> bytes, const OutputRules& rules);
Result<void> write_text(const std::filesystem::path& name, const std::string& text, const OutputRules& rules);

}  // namespace tl::io
