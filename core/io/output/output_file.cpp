// Creates outputs under hidden names, checks and syncs them, and renames them when they are complete.
#include "core/io/output/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/io/bytes/read_at.h"
#include "core/io/output/stack_folder.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

Error already_exists(const fs::path& name) {
  return invalid("the output exists already", name.string(), "Choose another name, or allow it to be replaced");
}

// Follows a symbolic link, so that its target is replaced and the link stays.
Result<fs::path> without_link(const fs::path& wanted) {
  const fs::path name = wanted.has_filename() ? wanted : wanted.parent_path();  // "stack/"
  std::error_code failed;
  if (!fs::is_symlink(fs::symlink_status(name, failed))) return name;
  const fs::path target = fs::canonical(name, failed);
  if (failed)
    return invalid("the output is a symbolic link that leads nowhere", name.string(),
                   "Remove the link, or choose another name");
  return target;
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

Result<void> sync_folder(const fs::path& folder) {
  const int handle = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return system_error("the output's folder cannot be synced", folder, errno);
  const int failed = fsync(handle) == 0 ? 0 : errno;
  close(handle);
  // Some network file systems do not support syncing a folder.
  if (failed != 0 && failed != EINVAL) return system_error("the output's folder cannot be synced", folder, failed);
  return ok();
}

// Exchanges the names of two files or folders. If the file system cannot do that atomically, a file that can have a
// hard link exists under its name all the time, the old or the new one; a folder's name is missing for a moment: if the
// run is killed then, the next run restores the name (PartFile::create()).
int exchange(const fs::path& part, const fs::path& name) {
  if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), RENAME_EXCHANGE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  const fs::path aside = name.parent_path() / new_replaced_name(name.filename().string());
  if (link(name.c_str(), aside.c_str()) == 0) {
    if (rename(part.c_str(), name.c_str()) == 0) return rename_to_new(aside, part);
    const int code = errno;
    unlink(aside.c_str());
    return code;
  }
  if (const int code = rename_to_new(name, aside); code != 0) return code;
  if (const int code = rename_to_new(part, name); code != 0) {
    (void)rename_to_new(aside, name);
    return code;
  }
  return rename_to_new(aside, part);
}

// Compares both files from the first byte to the end.
Result<bool> same_bytes(int a, int b, const fs::path& where) {
  struct stat of_a {};
  struct stat of_b {};
  if (fstat(a, &of_a) != 0 || fstat(b, &of_b) != 0) return system_error("the output cannot be read", where, errno);
  if (!S_ISREG(of_b.st_mode) || of_a.st_size != of_b.st_size) return false;
  std::vector<char> from_a(size_t{1} << 16), from_b(from_a.size());
  for (off_t at = 0; at < of_a.st_size;) {
    const int64_t got = read_at(a, at, std::as_writable_bytes(std::span(from_a)));
    if (got <= 0) return system_error("the output cannot be read", where, got < 0 ? errno : EIO);
    if (read_at(b, at, std::as_writable_bytes(std::span(from_b).first(static_cast<size_t>(got)))) != got ||
        std::memcmp(from_a.data(), from_b.data(), static_cast<size_t>(got)) != 0)
      return false;
    at += got;
  }
  return true;
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

OutputFile::OutputFile(fs::path name, OutputRules rules, OutputKind kind)
    : name_(std::move(name)), rules_(std::move(rules)), kind_(kind) {}

// Checked before the work and again before renaming: the folder may change in between.
Result<void> OutputFile::check_name() const {
  TL_TRY(rules_.check(name_, kind_));
  std::error_code failed;
  const auto status = fs::symlink_status(name_, failed);
  if (!fs::exists(status)) return ok();
  if (kind_ == OutputKind::file) {
    if (fs::is_directory(status)) return invalid("the output is a folder", name_.string(), "Give the name of a file");
    if (!fs::is_regular_file(status))
      return invalid("the output is neither a new name nor a file", name_.string(), "Choose another name");
    return rules_.overwrite == Overwrite::refuse ? already_exists(name_) : Result<void>();
  }
  if (!fs::is_directory(status)) return invalid("the output is not a folder", name_.string(), "Choose another name");
  if (fs::is_empty(name_, failed) && !failed) return ok();  // an empty folder may always be used
  if (rules_.overwrite == Overwrite::refuse) return already_exists(name_);
  return check_is_our_folder(name_);
}

Result<OutputFile> OutputFile::create(const fs::path& wanted, const OutputRules& rules) {
  TL_TRY(rules.check(wanted, OutputKind::file));
  TL_TRY(const fs::path name, without_link(wanted));
  TL_TRY(check_folder_of(name));
  OutputFile file(name, rules, OutputKind::file);
  std::error_code failed;
  if (fs::is_character_file(fs::status(name, failed))) {
    file.device_ = FileDescriptor(open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.device_.is_open()) return system_error("the output cannot be opened", name, errno);
    return file;
  }
  TL_TRY(file.check_name());
  TL_TRY(file.part_, PartFile::create(name, OutputKind::file));
  TL_TRY(file.check_name());  // the name may exist again: a killed run was about to replace that file
  return file;
}

Result<OutputFile> OutputFile::create_folder(const fs::path& wanted, const OutputRules& rules) {
  TL_TRY(rules.check(wanted, OutputKind::folder));
  TL_TRY(const fs::path name, without_link(wanted));
  TL_TRY(check_folder_of(name));
  OutputFile folder(name, rules, OutputKind::folder);
  TL_TRY(folder.check_name());
  TL_TRY(folder.part_, PartFile::create(name, OutputKind::folder));
  TL_TRY(folder.check_name());
  return folder;
}

Result<void> OutputFile::make_subfolder(const std::string& subfolder) {
  if (subfolders_.count(subfolder) != 0) return ok();
  if (const auto above = subfolder.rfind('/'); above != std::string::npos)
    TL_TRY(make_subfolder(subfolder.substr(0, above)));
  if (mkdirat(part_.handle(), subfolder.c_str(), 0777) != 0)
    return system_error("the output cannot be written", part_.path() / subfolder, errno);
  subfolders_.insert(subfolder);
  return ok();
}

Result<void> OutputFile::add_member(const std::string& member, std::span<const std::byte> bytes) {
  TL_CHECK(kind_ == OutputKind::folder, "members are added to folders");
  if (const auto above = member.rfind('/'); above != std::string::npos) TL_TRY(make_subfolder(member.substr(0, above)));
  const fs::path where = part_.path() / member;
  constexpr int new_file = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  const int handle = openat(part_.handle(), member.c_str(), new_file, 0666);
  if (handle < 0) return system_error("the output cannot be written", where, errno);
  members_[member] = static_cast<int64_t>(bytes.size());
  Result<void> written = write_all(handle, bytes, where);
  // Only starts writing to the disk early; sync() writes the rest and reports errors.
  (void)sync_file_range(handle, 0, 0, SYNC_FILE_RANGE_WRITE);
  if (close(handle) != 0 && written.ok()) return system_error("the output cannot be written", where, errno);
  return written;
}

Result<void> OutputFile::check_members() const {
  const auto changed = [&](const std::string& member, const std::string& what) {
    return io_error("a file of the unfinished output " + what, (part_.path() / member).string(),
                    "Leave hidden .part folders alone while a run writes them, and run it again");
  };
  for (const auto& [member, bytes] : members_) {
    struct stat s {};
    if (fstatat(part_.handle(), member.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) return changed(member, "is gone");
    if (!S_ISREG(s.st_mode) || s.st_size != bytes) return changed(member, "was changed");
  }
  std::error_code failed;
  for (fs::recursive_directory_iterator it(part_.path(), failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().lexically_relative(part_.path()).string();
    if (members_.count(name) == 0 && subfolders_.count(name) == 0)
      return changed(name, "was put there by another program");
  }
  return failed ? system_error("the output cannot be looked into", part_.path(), failed.value()) : Result<void>();
}

Result<void> OutputFile::sync() {
  if (device_.is_open()) {
    if (fsync(device_.get()) != 0 && errno != EINVAL)
      return system_error("the output cannot be written out", name_, errno);
    return ok();
  }
  TL_CHECK(part_.handle() >= 0, "commit() of an output that is gone");
  TL_TRY(part_.check_unchanged());
  if (kind_ == OutputKind::folder) TL_TRY(check_members());
  for (const auto& [member, bytes] : members_) {
    const FileDescriptor file(openat(part_.handle(), member.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    const int wrong = file.is_open() && fsync(file.get()) == 0 ? 0 : errno;
    if (wrong != 0) return system_error("the output cannot be written out", part_.path() / member, wrong);
  }
  for (const std::string& subfolder : subfolders_) TL_TRY(sync_folder(part_.path() / subfolder));
  if (fsync(part_.handle()) != 0 && errno != EINVAL)
    return system_error("the output cannot be written out", part_.path(), errno);
  return ok();
}

Result<void> OutputFile::take_name() {
  if (device_.is_open()) return ok();
  TL_TRY(check_name());
  TL_TRY(part_.check_unchanged());
  // Locks the replaced file, so that no other run deletes it as a leftover while it has the name of an unfinished
  // output.
  replaced_ = FileDescriptor(open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (replaced_.is_open()) (void)flock(replaced_.get(), LOCK_EX | LOCK_NB);
  struct stat s {};
  const bool there = lstat(name_.c_str(), &s) == 0;
  const int code = there ? exchange(part_.path(), name_) : rename_to_new(part_.path(), name_);
  if (code == EEXIST) return already_exists(name_);
  if (code != 0) return system_error("the output cannot be given its name", name_, code);
  state_ = there ? State::exchanged : State::named;
  return ok();
}

void OutputFile::take_back() {
  if (state_ == State::exchanged) (void)exchange(part_.path(), name_);
  if (state_ == State::named) (void)rename_to_new(name_, part_.path());
  state_ = State::unfinished;
}

// Deletes what was replaced.
void OutputFile::finish() {
  if (state_ == State::exchanged) {
    if (kind_ == OutputKind::folder) {
      remove_folder_members(part_.path(), stack_name_in(part_.path()));
    } else {
      unlink(part_.path().c_str());
    }
  }
  state_ = State::unfinished;
  part_.release();
}

Result<void> OutputFile::commit() {
  std::vector<OutputFile> alone;
  alone.push_back(std::move(*this));
  return commit_together(std::move(alone));
}

Result<void> commit_together(std::vector<OutputFile> all) {
  // Companions are renamed first: if the run is killed, a new table of classes lies next to an old volume, and its
  // checksum reveals that; an old table without a checksum next to a new volume would not be detected.
  std::vector<OutputFile> outputs;
  for (OutputFile& output : all) {
    for (OutputFile& companion : std::exchange(output.companions_, {})) outputs.push_back(std::move(companion));
    outputs.push_back(std::move(output));
  }
  for (OutputFile& output : outputs) TL_TRY(output.sync());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Result<void> named = outputs[i].take_name();
    if (named.ok()) continue;
    for (std::size_t before = i; before-- > 0;) outputs[before].take_back();
    return named;
  }
  Result<void> synced = ok();
  for (OutputFile& output : outputs) {
    output.finish();
    if (!output.device_.is_open() && synced.ok()) synced = sync_folder(output.name_.parent_path());
  }
  return synced;
}

Result<void> commit_missing(std::vector<OutputFile> outputs) {
  std::vector<OutputFile> missing;
  for (OutputFile& output : outputs) {
    const FileDescriptor there(open(output.name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (there.is_open()) {
      TL_TRY(const bool same, same_bytes(output.handle(), there.get(), output.name_));
      if (!same) return already_exists(output.name_);
      continue;
    }
    output.rules_.overwrite = Overwrite::refuse;
    missing.push_back(std::move(output));
  }
  return commit_together(std::move(missing));
}

Result<OutputFile> uncommitted_file(const fs::path& name, std::span<const std::byte> bytes, const OutputRules& rules) {
  TL_TRY(OutputFile file, OutputFile::create(name, rules));
  TL_TRY(write_all(file.handle(), bytes, file.part_path()));
  return file;
}

Result<OutputFile> uncommitted_text(const fs::path& name, const std::string& text, const OutputRules& rules) {
  return uncommitted_file(name, std::as_bytes(std::span(text)), rules);
}

Result<void> write_bytes(const fs::path& name, std::span<const std::byte> bytes, const OutputRules& rules) {
  TL_TRY(OutputFile file, uncommitted_file(name, bytes, rules));
  return file.commit();
}

Result<void> write_text(const fs::path& name, const std::string& text, const OutputRules& rules) {
  return write_bytes(name, std::as_bytes(std::span(text)), rules);
}

}  // namespace tl::io
