// .part files and folders: reserve, lock, sync, rename, clean up.
#include "core/io/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

namespace tl::io {
namespace {

namespace fs = std::filesystem;

Error already_exists(const fs::path& name) {
  return invalid("the output exists already", name.string(), "Choose another name, or allow it to be replaced");
}

// A link is followed, so that what it leads to is replaced and the link stays.
fs::path without_link(const fs::path& name) {
  std::error_code failed;
  if (!fs::is_symlink(name, failed)) return name;
  const fs::path target = fs::weakly_canonical(name, failed);
  return failed ? name : target;
}

Result<void> check_folder_of(const fs::path& name) {
  if (!name.has_filename()) return invalid("an output needs a name", name.string(), "End it in a file name");
  const fs::path parent = name.has_parent_path() ? name.parent_path() : fs::path(".");
  std::error_code failed;
  const auto status = fs::status(parent, failed);
  if (fs::is_directory(status)) return ok();
  if (fs::exists(status)) return io_error("not a folder", parent.string(), "Choose an output in a folder");
  return io_error("the folder of the output does not exist", parent.string(), "Create it first");
}

// Another run holds the lock on the same .part. File systems that cannot lock (NFS) only lose this check.
Result<void> lock(int handle, const fs::path& part) {
  if (flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ok();
  return io_error("another run is writing this output", part.string(), "Wait for it, or choose another name");
}

Result<void> only_slices(const fs::path& folder) {
  static const std::set<std::string> ours = {".tif", ".tiff", ".json"};
  std::error_code failed;
  fs::directory_iterator it(folder, failed);
  for (const fs::directory_iterator end; !failed && it != end; it.increment(failed))
    if (!it->is_regular_file(failed) || ours.count(it->path().extension().string()) == 0)
      return invalid("the folder holds something other than slices (" + it->path().filename().string() + ")",
                     folder.string(), "It is not deleted: choose another name");
  if (failed) return system_error("the folder cannot be looked into", folder, failed.value());
  return ok();
}

Result<void> sync_folder(const fs::path& folder) {
  const int handle = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return system_error("the output's folder cannot be synced", folder, errno);
  const int failed = fsync(handle) == 0 ? 0 : errno;
  close(handle);
  // Some network file systems have nothing to sync in a folder.
  if (failed != 0 && failed != EINVAL) return system_error("the output's folder cannot be synced", folder, failed);
  return ok();
}

Result<void> sync_members(const fs::path& folder) {
  std::error_code failed;
  for (const auto& member : fs::directory_iterator(folder, failed)) {
    const int handle = open(member.path().c_str(), O_RDONLY | O_CLOEXEC);
    const int wrong = handle < 0 ? errno : (fsync(handle) == 0 ? 0 : errno);
    if (handle >= 0) close(handle);
    if (wrong != 0) return system_error("the output cannot be written out", member.path(), wrong);
  }
  if (failed) return system_error("the output cannot be written out", folder, failed.value());
  return ok();
}

// Puts `part` in the place of `name`; with refuse, never over something that appeared meanwhile.
int rename_to(const fs::path& part, const fs::path& name, Overwrite overwrite) {
  const unsigned int how = overwrite == Overwrite::refuse ? RENAME_NOREPLACE : 0;
  if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), how) == 0) return 0;
  if (how == 0 || errno != EINVAL) return errno;
  // A file system without that flag: the next best thing.
  std::error_code failed;
  if (fs::exists(name, failed)) return EEXIST;
  return rename(part.c_str(), name.c_str()) == 0 ? 0 : errno;
}

// A folder cannot be renamed over a full one: the two change places and the old one goes.
int replace_folder(const fs::path& part, const fs::path& name) {
  if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), RENAME_EXCHANGE) == 0) {
    std::error_code failed;
    fs::remove_all(part, failed);
    return failed.value();
  }
  if (errno == ENOENT) return rename_to(part, name, Overwrite::refuse);
  if (errno != EINVAL) return errno;
  std::error_code failed;
  fs::remove_all(name, failed);
  return failed ? failed.value() : rename_to(part, name, Overwrite::refuse);
}

}  // namespace

Error system_error(const std::string& what, const fs::path& where, int code) {
  std::string hint = "Check the disk and the path";
  if (code == ENOSPC || code == EDQUOT) hint = "Free some space, or write to another disk";
  if (code == EFBIG) hint = "Files on this system may not be that large: write to another disk or as a stack";
  if (code == EACCES || code == EPERM || code == EROFS) hint = "Choose a folder that you may write to";
  return io_error(what + ": " + std::generic_category().message(code), where.string(), hint);
}

Result<void> write_all(int handle, std::span<const std::byte> bytes, const fs::path& where) {
  while (!bytes.empty()) {
    const ssize_t written = write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("the output cannot be written", where, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return ok();
}

OutputFile::OutputFile(fs::path name, fs::path part, Overwrite overwrite, int handle)
    : name_(std::move(name)), part_(std::move(part)), overwrite_(overwrite), handle_(handle) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : name_(std::move(other.name_)),
      part_(std::move(other.part_)),
      overwrite_(other.overwrite_),
      handle_(std::exchange(other.handle_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(part_, other.part_);
  std::swap(overwrite_, other.overwrite_);
  std::swap(handle_, other.handle_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (handle_ < 0) return;
  std::error_code failed;
  if (part_ != name_) fs::remove_all(part_, failed);
  close(std::exchange(handle_, -1));
}

Result<OutputFile> OutputFile::create(const fs::path& wanted, Overwrite overwrite) {
  const fs::path name = without_link(wanted);
  TL_TRY(check_folder_of(name));
  std::error_code failed;
  const auto status = fs::status(name, failed);
  if (fs::is_character_file(status)) {
    const int device = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (device < 0) return system_error("the output cannot be opened", name, errno);
    return OutputFile(name, name, overwrite, device);
  }
  if (fs::is_directory(status)) return invalid("the output is a folder", name.string(), "Give the name of a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    return invalid("the output is neither a new name nor a file", name.string(), "Choose another name");
  if (fs::exists(status) && overwrite == Overwrite::refuse) return already_exists(name);
  fs::path part = name;
  part += ".part";
  const int handle = open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (handle < 0) return system_error("the output cannot be created", part, errno);
  if (auto locked = lock(handle, part); !locked.ok()) {
    close(handle);
    return std::move(locked).error();
  }
  OutputFile file(name, part, overwrite, handle);
  if (ftruncate(handle, 0) != 0) return system_error("the output cannot be created", part, errno);
  return file;
}

Result<OutputFile> OutputFile::create_folder(const fs::path& wanted, Overwrite overwrite) {
  fs::path name = without_link(wanted);
  if (!name.has_filename()) name = name.parent_path();  // "stack/"
  TL_TRY(check_folder_of(name));
  std::error_code failed;
  const auto status = fs::status(name, failed);
  if (fs::exists(status)) {
    if (!fs::is_directory(status)) return invalid("the output is no folder", name.string(), "Choose another name");
    const bool empty = fs::is_empty(name, failed);
    if (!empty && overwrite == Overwrite::refuse) return already_exists(name);
    TL_TRY(only_slices(name));
    overwrite = Overwrite::replace;  // an empty folder may always be filled
  }
  fs::path part = name;
  part += ".part";
  if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
    return system_error("the output cannot be created", part, errno);
  const int handle = open(part.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (handle < 0) return system_error("the output cannot be created", part, errno);
  auto usable = lock(handle, part);
  if (usable.ok()) usable = only_slices(part);  // what a killed run left behind
  if (!usable.ok()) {
    close(handle);
    return std::move(usable).error();
  }
  OutputFile folder(name, part, overwrite, handle);
  for (fs::directory_iterator it(part, failed), end; !failed && it != end; it.increment(failed))
    fs::remove(*it, failed);
  if (failed) return system_error("what an earlier run left cannot be removed", part, failed.value());
  return folder;
}

Result<void> OutputFile::commit() {
  TL_CHECK(handle_ >= 0, "commit() of an output that is gone");
  std::error_code failed;
  const bool device = part_ == name_, folder = !device && fs::is_directory(part_, failed);
  if (folder) TL_TRY(sync_members(part_));
  if (fsync(handle_) != 0 && errno != EINVAL) return system_error("the output cannot be written out", part_, errno);
  if (!device) {
    const bool exchange = folder && overwrite_ == Overwrite::replace;
    const int code = exchange ? replace_folder(part_, name_) : rename_to(part_, name_, overwrite_);
    if (code == EEXIST) return already_exists(name_);
    if (code != 0) return system_error("the output cannot be given its name", name_, code);
  }
  close(std::exchange(handle_, -1));
  return device ? ok() : sync_folder(name_.parent_path());
}

Result<void> write_bytes(const fs::path& name, std::span<const std::byte> bytes, Overwrite overwrite) {
  TL_TRY(OutputFile file, OutputFile::create(name, overwrite));
  const int handle = open(file.part_path().c_str(), O_WRONLY | O_CLOEXEC);
  if (handle < 0) return system_error("the output cannot be written", file.part_path(), errno);
  const auto written = write_all(handle, bytes, file.part_path());
  if (close(handle) != 0 && written.ok()) return system_error("the output cannot be written", file.part_path(), errno);
  TL_TRY(written);
  return file.commit();
}

Result<void> write_text(const fs::path& name, const std::string& text, Overwrite overwrite) {
  return write_bytes(name, std::as_bytes(std::span(text)), overwrite);
}

}  // namespace tl::io
