// OutputRules: files that a writer may replace: existing files only on request, and never a file that the command
// reads.
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
// First words of the error for an output that would replace an input.
inline constexpr const char* is_an_input = "the output would replace an input of this command";

// The files and folders that a command reads, identified by device and inode, so that other spellings of a path,
// symbolic links and hard links are recognised. Filled once, afterwards only queried.
class ProtectedFiles {
 public:
  // `role` is the name of the file in messages ("the pipeline p.json"). A folder is added with the files in it, and a
  // possible table of classes (X.labels.json) with the file or folder next to it. Missing paths are ignored.
  void add(const std::filesystem::path& path, const std::string& role);
  // A volume: the path that the user named, and every file that its reader depends on. In a folder of slices, chunks or
  // a DICOM series no output may be created, since everything in it is read as a part of the volume.
  void add_volume(const std::filesystem::path& named, const std::vector<std::filesystem::path>& files);
  // A scan: the path that the user named, and every file that its reader depends on. In folders of frames every file is
  // protected, and no output may be created that the reader would take for a frame.
  void add_scan(const std::filesystem::path& named, const std::vector<std::filesystem::path>& files);
  void add(const ProtectedFiles& more);

  // Invalid if the output is one of the inputs, replaces a folder that contains one, or would be read as a frame of a
  // scan or a part of a volume.
  [[nodiscard]] Result<void> check(const std::filesystem::path& output, OutputKind kind) const;

 private:
  using FileId = std::pair<uint64_t, uint64_t>;  // device and inode
  static bool id_of(const std::filesystem::path& path, int flags, FileId& id, bool& folder);
  void add_one(const std::filesystem::path& path, const std::string& role);
  void add_members(const std::filesystem::path& folder, const std::string& role);
  void add_frames_folder(const std::filesystem::path& folder, const std::string& role);
  [[nodiscard]] Result<void> check_frames(const std::filesystem::path& output, OutputKind kind) const;
  [[nodiscard]] Result<void> check_volumes(const std::filesystem::path& output) const;

  std::map<FileId, std::string> files_;          // files, and folders that were added as such
  std::map<FileId, std::string> holders_;        // all folders above them
  std::map<FileId, std::string> frames_;         // folders in which a TIFF file is a frame
  std::map<FileId, std::string> volumes_;        // folders that are volumes
  std::map<FileId, std::string> searched_;       // folders whose subfolders readers search for frames
  std::map<FileId, std::string> references_in_;  // folders whose subfolders "flat...", "dark..." contain references
};

struct OutputRules {
  Overwrite overwrite = Overwrite::refuse;
  std::shared_ptr<const ProtectedFiles> inputs;  // null only for a command that reads no file: no_inputs()

  [[nodiscard]] Result<void> check(const std::filesystem::path& output, OutputKind kind) const;
};

// The rules of a command that reads no file.
inline OutputRules no_inputs(Overwrite overwrite) { return {overwrite, nullptr}; }

}  // namespace tl::io
