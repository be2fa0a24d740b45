// Copies programs into the user's folder, and finds the copy of one by the hash of its bytes.
#include "core/net/script/trusted_programs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/wording.h"
#include "core/io/bytes/input_files.h"
#include "core/io/bytes/read_at.h"
#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/values/hash.h"

namespace tl::net {
namespace {

namespace fs = std::filesystem;
using io::FileDescriptor;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::string_view archive_mark = "PK\x03\x04";  // first bytes of the zip archives that torch.jit.save writes
constexpr mode_t of_others = S_IRWXG | S_IRWXO;

Error refused(const fs::path& file) {
  return invalid(not_trusted, file.string(),
                 "A program can do whatever you may do: read, change and send your files. If you know who made it, " +
                     two_wordings("tomoloom trust " + file.string(), "press Trust this program"));
}

Error too_large(const fs::path& file) {
  return invalid("the file has more than " + std::to_string(io::max_model_bytes >> 20) + " MiB", file.string(),
                 "Choose the file of a network, or save its numbers in half precision");
}

// A file, never a pipe or a device, on which reading could wait for ever.
Result<FileDescriptor> opened(const fs::path& file, int more_flags = 0) {
  FileDescriptor handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | more_flags));
  struct stat status {};
  if (!handle.is_open() || fstat(handle.get(), &status) != 0)
    return io_error("the file cannot be read: " + std::generic_category().message(errno), file.string(),
                    "Check the path and the permissions");
  if (!S_ISREG(status.st_mode))
    return io_error("this is not a regular file", file.string(), "Choose the file of a network");
  if (status.st_size > io::max_model_bytes) return too_large(file);
  return handle;
}

// The bytes from `at` on, up to the size of a piece.
Result<std::string> piece_of(const FileDescriptor& handle, int64_t at, const fs::path& file) {
  std::string bytes(piece_bytes, '\0');
  const int64_t got = io::read_at(handle.get(), at, std::as_writable_bytes(std::span(bytes)));
  if (got < 0)
    return io_error("the file cannot be read: " + std::generic_category().message(errno), file.string(),
                    "Copy it again");
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

// Not inlined, because g++ 12 otherwise assumes the text to be uninitialised.
[[gnu::noinline]] bool begins_an_archive(const std::string& bytes) { return bytes.starts_with(archive_mark); }

// Reads the file once. Returns the name of its copy; `take` receives the pieces in order.
Result<std::string> read_program(const fs::path& file, const std::function<Result<void>(std::string_view)>& take) {
  TL_TRY(const FileDescriptor handle, opened(file));
  Hasher hasher;
  for (int64_t at = 0;;) {
    TL_TRY(const std::string piece, piece_of(handle, at, file));
    if (at == 0 && !begins_an_archive(piece))
      return invalid("this is not a TorchScript file", file.string(),
                     "Choose a file that torch.jit.save wrote; one of torch.save alone has no program in it");
    if (piece.empty()) break;
    at += static_cast<int64_t>(piece.size());
    if (at > io::max_model_bytes) return too_large(file);
    hasher.add(piece);
    TL_TRY(take(piece));
    if (piece.size() < piece_bytes) break;
  }
  return hasher.digest().text() + ".pt";
}
Result<std::string> name_of_copy(const fs::path& file) {
  return read_program(file, [](std::string_view) { return ok(); });
}

// Checks that no other user can have changed anything in the folder.
Result<void> check_folder(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) return ok();  // nothing is trusted yet
  if (S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & of_others) == 0) return ok();
  return unavailable("the folder of trusted programs is not yours alone", folder.string(),
                     "Make it so with chmod 700, or move it away");
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder.parent_path(), failed);
  if (!failed && mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    failed = std::error_code(errno, std::generic_category());
  if (failed) return io::system_error("the folder of trusted programs cannot be created", folder, failed.value());
  return check_folder(folder);
}

// Output nodes can write files again at any place: a file with other permissions than a copy's is not a copy.
constexpr mode_t mode_of_copy = S_IRUSR;

bool is_a_copy(const FileDescriptor& handle) {
  struct stat status {};
  return fstat(handle.get(), &status) == 0 && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXU | of_others)) == mode_of_copy;
}

Result<bool> have_same_bytes(const FileDescriptor& a, const FileDescriptor& b, const fs::path& file) {
  for (int64_t at = 0;;) {
    TL_TRY(const std::string of_a, piece_of(a, at, file));
    TL_TRY(const std::string of_b, piece_of(b, at, file));
    if (of_a != of_b) return false;
    if (of_a.size() < piece_bytes) return true;
    at += static_cast<int64_t>(of_a.size());
  }
}

// Result of the last check of a program: states of the file and of the copy with the same bytes, if there is one.
struct Look {
  io::FileStamp file;
  std::string name;
  std::optional<io::FileStamp> copy;
};

Result<Look> look_at(const fs::path& file, const fs::path& folder) {
  Look look;
  if (const auto stamp = io::stamp_of(file)) look.file = *stamp;
  TL_TRY(look.name, name_of_copy(file));
  const fs::path copy = folder / look.name;
  const auto stamp = io::stamp_of(copy);
  if (!stamp) return look;
  TL_TRY(const FileDescriptor of_copy, opened(copy, O_NOFOLLOW));
  TL_TRY(const FileDescriptor of_file, opened(file));
  TL_TRY(const bool same, have_same_bytes(of_file, of_copy, file));
  if (same && is_a_copy(of_copy)) look.copy = stamp;
  return look;
}

// Results for the files that were checked last; any thread.
class Looks {
 public:
  std::optional<Look> of(const fs::path& file) {
    const std::lock_guard lock(mutex_);
    const auto found = looks_.find(file);
    return found == looks_.end() ? std::nullopt : std::optional(found->second);
  }
  void remember(const fs::path& file, const Look& look) {
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (looks_.size() >= most) looks_.clear();
    looks_[file] = look;
  }

 private:
  std::mutex mutex_;
  std::map<fs::path, Look> looks_;
};
Looks& looks() {
  static Looks all;
  return all;
}

}  // namespace

Result<fs::path> programs_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  fs::path base = data == nullptr ? fs::path() : fs::path(data);
  if (!base.is_absolute()) {  // the specification of these folders requires it; relative paths are ignored
    const char* home = std::getenv("HOME");
    base = home == nullptr ? fs::path() : fs::path(home) / ".local/share";
  }
  if (!base.is_absolute())
    return unavailable("there is no folder for programs that you trust", {},
                       "Set HOME, or XDG_DATA_HOME to a folder of yours");
  return base / "tomoloom" / "programs";
}

Result<fs::path> trust_program(const fs::path& file) {
  auto before = trusted_copy(file);
  if (before.ok() || before.error().what != not_trusted) return before;
  TL_TRY(const fs::path folder, programs_folder());
  TL_TRY(make_folder(folder));
  TL_TRY(const std::string name, name_of_copy(file));
  const auto inputs = std::make_shared<io::ProtectedFiles>();
  inputs->add(file, "the program");
  // A file of that name with other bytes, which a crash or an equal hash may have left, is not a copy of anything.
  TL_TRY(io::OutputFile out, io::OutputFile::create(folder / name, {io::Overwrite::replace, inputs}));
  if (fchmod(out.handle(), mode_of_copy) != 0)
    return io::system_error("the copy cannot be made read-only", out.part_path(), errno);
  TL_TRY(const std::string copied, read_program(file, [&](std::string_view piece) {
           return io::write_all(out.handle(), std::as_bytes(std::span(piece)), out.part_path());
         }));
  if (copied != name)
    return io_error("the file changed while it was copied", file.string(), "Wait until it is whole, then do it again");
  TL_TRY(out.commit());
  return trusted_copy(file);
}

Result<fs::path> trusted_copy(const fs::path& file) {
  TL_TRY(const fs::path folder, programs_folder());
  TL_TRY(check_folder(folder));
  TL_TRY(const Look look, look_at(file, folder));
  looks().remember(file, look);
  if (!look.copy) return refused(file);
  return folder / look.name;
}

Result<void> check_trusted(const fs::path& file) {
  const auto look = looks().of(file);
  if (look && io::stamp_of(file) == look->file) {
    TL_TRY(const fs::path folder, programs_folder());
    TL_TRY(check_folder(folder));
    const auto copy = io::stamp_of(folder / look->name);
    if (!copy) return refused(file);
    if (copy == look->copy) return ok();
  }
  TL_TRY(trusted_copy(file));
  return ok();
}

Result<bool> forget_program(const fs::path& file) {
  const auto copy = trusted_copy(file);
  if (!copy.ok() && copy.error().what == not_trusted) return false;
  if (!copy.ok()) return copy.error();
  if (unlink(copy.value().c_str()) != 0) return io::system_error("the copy cannot be removed", copy.value(), errno);
  return true;
}

}  // namespace tl::net
