// OutputRules: what a writer may replace: existing files only where that was asked for, and never what a command reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

enum class Overwrite { refuse, replace };
enum class OutputKind { file, folder };
// How the error of an output begins that would replace an input.
inline constexpr const char* is_an_input = "the output would replace an input of this command";

// The files and folders that a command reads. They are known by device and inode, so that another spelling of a path, a
// symbolic link and a hard link all lead to the same file. A value: filled once, then only asked.
class ProtectedFiles {
 public:
  // `role` is what a message calls it ("the pipeline p.json"). A folder is taken with the files in it. What does not
  // exist needs no protection.
  void add(const std::filesystem::path& path, const std::string& role);
  // A scan: what the user named, and every file that its reader depends on. In folders of frames every file is
  // protected, and nothing may appear that the reader would take for a frame.
  void add_scan(const std::filesystem::path& named, const std::vector<std::filesystem::path>& files);
  void add(const ProtectedFiles& more);

  // invalid: the output is one of these, replaces a folder that holds one, or would be read as a frame of the scan.
  [[nodiscard]] Result<void> check(const std::filesystem::path& output, OutputKind kind) const;

 private:
  using FileId = std::pair<uint64_t, uint64_t>;  // device and inode
  static bool id_of(const std::filesystem::path& path, int flags, FileId& id, bool& folder);
  void add_one(const std::filesystem::path& path, const std::string& role);
  void add_members(const std::filesystem::path& folder, const std::string& role);
  void add_frames_folder(const std::filesystem::path& folder, const std::string& role);
  [[nodiscard]] Result<void> check_frames(const std::filesystem::path& output, OutputKind kind) const;

  std::map<FileId, std::string> files_;     // also folders that were named themselves
  std::map<FileId, std::string> holders_;   // all folders above them
  std::map<FileId, std::string> frames_;    // folders in which a TIFF file is a frame
  std::map<FileId, std::string> searched_;  // folders whose subfolders are searched for frames
  std::map<FileId, std::string>
      references_in_;  // folders whose subfolders called "flat..." or "dark..." are references
};

struct OutputRules {
  Overwrite overwrite = Overwrite::refuse;
  std::shared_ptr<const ProtectedFiles> inputs;  // null only where a command reads no file: no_inputs()

  [[nodiscard]] Result<void> check(const std::filesystem::path& output, OutputKind kind) const;
};

// The rules of a command that reads no file.
inline OutputRules no_inputs(Overwrite overwrite) { return {overwrite, nullptr}; }

}  // namespace tl::io
