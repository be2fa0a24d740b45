// Decides whether a writer may replace a file, and recognises inputs under any name.
#include "core/io/output/output_rules.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/base/wording.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

fs::path named_file(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }
fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

Error protected_output(const std::string& what, const fs::path& output) {
  return invalid(what, output.string(),
                 "Inputs are never replaced" + two_wordings(", not even by --overwrite", "") + ": choose another name");
}

}  // namespace

bool ProtectedFiles::id_of(const fs::path& path, int flags, FileId& id, bool& folder) {
  struct stat s {};
  if (fstatat(AT_FDCWD, path.c_str(), &s, flags) != 0) return false;
  id = {static_cast<uint64_t>(s.st_dev), static_cast<uint64_t>(s.st_ino)};
  folder = S_ISDIR(s.st_mode);
  return true;
}

void ProtectedFiles::add_one(const fs::path& path, const std::string& role) {
  FileId id;
  bool folder = false;
  for (const int flags : {0, AT_SYMLINK_NOFOLLOW})
    if (id_of(path, flags, id, folder)) files_.emplace(id, role);
  std::error_code failed;
  for (fs::path above = fs::canonical(path, failed).parent_path(); !failed && !above.empty();
       above = above.parent_path()) {
    // The folders above a known folder are recorded too.
    if (!id_of(above, 0, id, folder) || !holders_.emplace(id, role).second || above == above.root_path()) break;
  }
}

void ProtectedFiles::add_members(const fs::path& folder, const std::string& role) {
  FileId id;
  bool is_folder = false;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    for (const int flags : {0, AT_SYMLINK_NOFOLLOW})
      if (id_of(it->path(), flags, id, is_folder) && !is_folder) files_.emplace(id, role);
}

void ProtectedFiles::add(const fs::path& path, const std::string& role) {
  const fs::path named = named_file(path);
  add_one(named, role);
  for (const fs::path& volume : {named, named.parent_path() / named.stem()}) {
    const fs::path table = volume.string() + ".labels.json";
    add_one(table, "the table of classes " + table.filename().string());
  }
  std::error_code failed;
  if (fs::is_directory(named, failed)) add_members(named, role);
}

void ProtectedFiles::add_volume(const fs::path& given, const std::vector<fs::path>& files) {
  const fs::path named = named_file(given);
  const std::string role = "the volume " + named.filename().string();
  add(named, role);
  for (const fs::path& file : files) add_one(file, role);
  FileId id;
  bool folder = false;
  if (id_of(named, 0, id, folder) && folder) volumes_.emplace(id, role);
}

void ProtectedFiles::add_frames_folder(const fs::path& folder, const std::string& role) {
  FileId id;
  bool is_folder = false;
  if (!id_of(folder, 0, id, is_folder) || !frames_.emplace(id, role).second) return;
  add_members(folder, role);
  for (const fs::path& around : {folder, folder / ".."})
    if (id_of(around, 0, id, is_folder)) references_in_.emplace(id, role);
}

void ProtectedFiles::add_scan(const fs::path& given, const std::vector<fs::path>& files) {
  const fs::path named = named_file(given);
  const std::string role = "the scan " + named.filename().string();
  add(named, role);
  std::error_code failed;
  const bool folder = fs::is_directory(named, failed);
  if (folder) {
    FileId id;
    bool is_folder = false;
    add_frames_folder(named, role);
    if (id_of(named, 0, id, is_folder) && !has_tiff_files(named)) searched_.emplace(id, role);
  }
  std::map<fs::path, int64_t> frames_in;
  for (const fs::path& file : files) {
    add_one(file, role);
    if (is_tiff_name(file)) ++frames_in[folder_of(file)];
  }
  // A single multi-page file is not a folder of frames.
  for (const auto& [where, count] : frames_in)
    if (count > 1 || !fs::equivalent(where, folder_of(named), failed)) add_frames_folder(where, role);
}

void ProtectedFiles::add(const ProtectedFiles& more) {
  files_.insert(more.files_.begin(), more.files_.end());
  holders_.insert(more.holders_.begin(), more.holders_.end());
  frames_.insert(more.frames_.begin(), more.frames_.end());
  volumes_.insert(more.volumes_.begin(), more.volumes_.end());
  searched_.insert(more.searched_.begin(), more.searched_.end());
  references_in_.insert(more.references_in_.begin(), more.references_in_.end());
}

Result<void> ProtectedFiles::check(const fs::path& wanted, OutputKind kind) const {
  const fs::path output = named_file(wanted);
  for (const int flags : {0, AT_SYMLINK_NOFOLLOW}) {
    FileId id;
    bool folder = false;
    if (!id_of(output, flags, id, folder)) continue;
    if (const auto found = files_.find(id); found != files_.end())
      return protected_output(std::string(is_an_input) + ", " + found->second, output);
    if (!folder) continue;
    if (const auto found = holders_.find(id); found != holders_.end())
      return protected_output(std::string(is_an_input) + ": the folder holds " + found->second, output);
  }
  TL_TRY(check_volumes(output));
  return check_frames(output, kind);
}

// Walks through all folders above it, also those that do not exist yet.
Result<void> ProtectedFiles::check_volumes(const fs::path& output) const {
  if (volumes_.empty()) return ok();
  std::error_code failed;
  fs::path above = fs::weakly_canonical(fs::absolute(folder_of(output), failed), failed);
  for (; !failed; above = above.parent_path()) {
    FileId id;
    bool folder = false;
    const auto found = id_of(above, 0, id, folder) ? volumes_.find(id) : volumes_.end();
    if (found != volumes_.end())
      return invalid("the output would be taken for a part of an input, " + found->second, output.string(),
                     "Choose a name outside of the folder of the volume");
    if (above == above.parent_path()) break;
  }
  return ok();
}

Result<void> ProtectedFiles::check_frames(const fs::path& output, OutputKind kind) const {
  FileId around;
  bool folder = false;
  if (!id_of(folder_of(output), 0, around, folder)) return ok();
  const auto refused = [&](const std::string& role) {
    return invalid("the output would be taken for frames of " + role, output.string(),
                   "Choose a name outside of the folder of the frames");
  };
  if (kind == OutputKind::file) {
    const auto found = frames_.find(around);
    return found != frames_.end() && is_tiff_name(output) ? refused(found->second) : ok();
  }
  if (const auto found = searched_.find(around); found != searched_.end()) return refused(found->second);
  const auto found = references_in_.find(around);
  const bool references = frame_kind(output.filename().string()) != FrameKind::projection;
  return found != references_in_.end() && references ? refused(found->second) : ok();
}

Result<void> OutputRules::check(const fs::path& output, OutputKind kind) const {
  return inputs ? inputs->check(output, kind) : ok();
}

}  // namespace tl::io
