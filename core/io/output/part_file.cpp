// Names and locks unfinished outputs, and removes leftovers of killed runs.
#include "core/io/output/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/io/output/output_file.h"
#include "core/io/output/stack_folder.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view part_ending = ".part";
constexpr std::size_t digits_of_part = 16;
constexpr std::size_t longest_stem = 200;  // [bytes]; most file systems allow 255

std::string stem_of(const std::string& output) { return "." + output.substr(0, longest_stem) + "."; }

std::string hex(uint32_t number) { return formatted("%08x", number); }

constexpr const char *unfinished_kind = "tomoloom part ", *replaced_kind = "tomoloom replaced ";

std::string digits_for(const char* kind, const std::string& stem, uint32_t number) {
  const std::string text = kind + stem + hex(number);
  return hex(number) + hex(static_cast<uint32_t>(XXH3_64bits(text.data(), text.size())));
}

std::string new_name(const char* kind, const std::string& output) {
  static thread_local std::random_device random;
  const std::string stem = stem_of(output);
  return stem + digits_for(kind, stem, random()) + std::string(part_ending);
}

bool is_name_of(const char* kind, const std::string& name, const std::string& output) {
  const std::string stem = stem_of(output);
  if (name.size() != stem.size() + digits_of_part + part_ending.size() || !name.starts_with(stem) ||
      !name.ends_with(part_ending))
    return false;
  const std::string digits = name.substr(stem.size(), digits_of_part);
  if (digits.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
  const auto number = static_cast<uint32_t>(std::strtoul(digits.substr(0, digits_of_part / 2).c_str(), nullptr, 16));
  return digits_for(kind, stem, number) == digits;
}

// Locks the folder while a name is chosen and locked, so that of two runs starting together exactly one is refused.
// Skipped on file systems that cannot lock folders (network disks).
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : handle_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)) {
    constexpr int tries = 400;
    for (int i = 0; handle_ >= 0 && i < tries; ++i) {
      if (flock(handle_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  ~FolderLock() {
    if (handle_ >= 0) close(handle_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int handle_;
};

// Removes the unfinished output of a killed run: a file with our kind of name that is not a link and can be locked. If
// that run was replacing a file and nothing has its name, the file gets the name back instead. False: another run is
// writing it.
bool clear_remains(const fs::path& part, const fs::path& output) {
  const int handle = open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (handle < 0) return true;  // the file no longer exists, or access is denied
  const std::string name = output.filename().string();
  const bool replaced = is_replaced_name(part.filename().string(), name);
  struct stat s {
  }, there{};
  const bool is_there = lstat(output.c_str(), &there) == 0;
  bool plain = fstat(handle, &s) == 0 && (S_ISDIR(s.st_mode) || (S_ISREG(s.st_mode) && s.st_nlink == 1));
  // A second hard link of the output itself, which a run creates before replacing it.
  const bool second_name =
      replaced && is_there && S_ISREG(s.st_mode) && s.st_dev == there.st_dev && s.st_ino == there.st_ino;
  plain = plain || second_name;
  const bool locked = plain && flock(handle, LOCK_EX | LOCK_NB) == 0;
  const bool busy = plain && !locked && errno == EWOULDBLOCK;
  if (locked && (second_name || is_at(handle, part))) {
    if (replaced && !is_there) {
      (void)rename_to_new(part, output);
    } else if (S_ISDIR(s.st_mode)) {
      remove_folder_members(part, name);
    } else {
      unlink(part.c_str());
    }
  }
  close(handle);
  return !busy;
}

// Creates a new file or folder; -1 with errno if the name exists.
int make_new(const fs::path& path, OutputKind kind) {
  if (kind == OutputKind::file) return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (mkdir(path.c_str(), 0777) != 0) return -1;
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

}  // namespace

std::string new_part_name(const std::string& output) { return new_name(unfinished_kind, output); }
std::string new_replaced_name(const std::string& output) { return new_name(replaced_kind, output); }

bool is_part_name(const std::string& name, const std::string& output) {
  return is_name_of(unfinished_kind, name, output) || is_replaced_name(name, output);
}
bool is_replaced_name(const std::string& name, const std::string& output) {
  return is_name_of(replaced_kind, name, output);
}

int rename_to_new(const fs::path& from, const fs::path& name) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system does not support the flag: check for the name, then rename.
  struct stat s {};
  if (lstat(name.c_str(), &s) == 0) return EEXIST;
  return rename(from.c_str(), name.c_str()) == 0 ? 0 : errno;
}

bool is_at(int handle, const fs::path& path) {
  struct stat open_one {
  }, named{};
  if (fstat(handle, &open_one) != 0 || lstat(path.c_str(), &named) != 0) return false;
  return open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino &&
         (S_ISDIR(named.st_mode) || named.st_nlink == 1);
}

Result<PartFile> PartFile::create(const fs::path& output, OutputKind kind) {
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  const FolderLock lock(folder);
  PartFile part;
  part.output_ = output.filename().string();
  part.kind_ = kind;
  constexpr int tries = 20;  // another run may delete a new file as a leftover before it is locked
  for (int i = 0; part.handle_ < 0; ++i) {
    const fs::path path = folder / new_part_name(part.output_);
    const int handle = make_new(path, kind);
    if (handle < 0 && (errno != EEXIST || i >= tries)) return system_error("the output cannot be created", path, errno);
    if (handle < 0) continue;
    const bool locked = flock(handle, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && is_at(handle, path)) {
      part.path_ = path;
      part.handle_ = handle;
    } else {
      close(handle);
      if (i >= tries) return io_error("the output cannot be locked", path.string(), "Choose another folder");
    }
  }
  std::vector<fs::path> others;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path() != part.path_ && is_part_name(it->path().filename().string(), part.output_))
      others.push_back(it->path());
  // First the files that may get the name of the output back.
  std::partition(others.begin(), others.end(),
                 [&](const fs::path& other) { return is_replaced_name(other.filename().string(), part.output_); });
  for (const fs::path& other : others)
    if (!clear_remains(other, output))
      return io_error("another run is writing this output", output.string(), "Wait for it, or choose another name");
  return part;
}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)),
      output_(std::move(other.output_)),
      kind_(other.kind_),
      handle_(std::exchange(other.handle_, -1)) {}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(output_, other.output_);
  std::swap(kind_, other.kind_);
  std::swap(handle_, other.handle_);
  return *this;
}

PartFile::~PartFile() {
  if (handle_ < 0) return;
  if (is_at(handle_, path_)) {
    if (kind_ == OutputKind::folder) {
      remove_folder_members(path_, output_);
    } else {
      unlink(path_.c_str());
    }
  }
  close(handle_);
}

Result<void> PartFile::check_unchanged() const {
  if (is_at(handle_, path_)) return ok();
  return io_error("the unfinished output was moved, linked or replaced by another program", path_.string(),
                  "Leave hidden .part files alone while a run writes them");
}

void PartFile::release() {
  if (handle_ >= 0) close(std::exchange(handle_, -1));
}

}  // namespace tl::io
