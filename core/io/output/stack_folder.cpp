// Names the slices of a folder, and checks that this program wrote a folder before it is replaced or removed.
#include "core/io/output/stack_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/io/output/volume_writer.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t min_digits = 5;
constexpr std::string_view slice_ending = ".tif", frame_ending = ".png", dicom_ending = ".dcm";

// "stack" for "stack_00012.tif"; empty if the file is not a slice.
std::string stack_of_slice(std::string_view file, std::string_view ending = slice_ending) {
  if (!file.ends_with(ending)) return {};
  file.remove_suffix(ending.size());
  const auto digits = file.size() - (file.find_last_not_of("0123456789") + 1);
  if (digits < min_digits || digits + 2 > file.size() || file[file.size() - digits - 1] != '_') return {};
  return std::string(file.substr(0, file.size() - digits - 1));
}

std::string numbered_name(const std::string& stack, int64_t index, int64_t count, std::string_view ending) {
  const std::size_t digits = std::max(min_digits, std::to_string(count - 1).size());
  std::string number = std::to_string(index);
  number.insert(0, digits - number.size(), '0');
  return stack + "_" + number + std::string(ending);
}

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}
// Headers at any depth; chunks are numbers in the folder of an array, which is a number itself.
bool is_zarr_file(std::string_view name, int depth) {
  return name == ".zgroup" || name == ".zattrs" || name == ".zarray" || name == "zarr.json" ||
         (depth > 1 && is_number(name));
}
bool is_zarr_folder(std::string_view name, int depth) { return is_number(name) || (depth == 1 && name == "c"); }
constexpr int deepest_zarr_folder = 5;

bool has_zarr_header(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / ".zgroup", failed) || fs::is_regular_file(folder / "zarr.json", failed);
}

Error not_ours(const std::string& what, const fs::path& folder) {
  return invalid("the folder was not written by Tomoloom: " + what, folder.string(),
                 "It is not replaced: choose another name");
}

}  // namespace

std::string slice_name(const std::string& stack, int64_t index, int64_t slices) {
  return numbered_name(stack, index, slices, slice_ending);
}
std::string frame_name(const std::string& stack, int64_t index, int64_t frames) {
  return numbered_name(stack, index, frames, frame_ending);
}

std::string dicom_name(const std::string& stack, int64_t index, int64_t slices) {
  return numbered_name(stack, index, slices, dicom_ending);
}

std::string stack_name_in(const fs::path& folder) {
  if (const auto slices = tiff_files(folder); !slices.empty())
    return stack_of_slice(slices.front().filename().string());
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (std::string stack = stack_of_slice(it->path().filename().string(), dicom_ending); !stack.empty()) return stack;
  return {};
}

Result<void> check_is_our_folder(const fs::path& folder) {
  const bool zarr = has_zarr_header(folder);
  const std::string stack = stack_name_in(folder);
  if (!zarr && stack.empty()) return not_ours("it holds no slices", folder);
  std::error_code failed;
  fs::recursive_directory_iterator it(folder, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const fs::file_type type = it->symlink_status(failed).type();
    const int depth = it.depth();
    bool ours = type == fs::file_type::regular &&
                (name == scale_file || stack_of_slice(name) == stack || stack_of_slice(name, dicom_ending) == stack);
    if (zarr)
      ours = type == fs::file_type::directory ? depth < deepest_zarr_folder && is_zarr_folder(name, depth)
                                              : type == fs::file_type::regular && is_zarr_file(name, depth);
    if (!ours) return not_ours("it holds " + it->path().lexically_relative(folder).string(), folder);
  }
  if (failed) return io_error("the folder cannot be looked into: " + failed.message(), folder.string());
  const Result<std::string> text = read_description(folder);
  const auto record = nlohmann::json::parse(text.ok() ? text.value() : std::string(), nullptr, false);
  if (!record.is_object() || !record.contains("pipeline")) return not_ours("it embeds no record", folder);
  return ok();
}

namespace {

// Removes files written by this program from an open folder, and closes it.
void remove_members_in(int handle, const std::string& stack, int depth) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(handle), closedir);
  if (!listing) {
    close(handle);
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(listing.get()))  // NOLINT(concurrency-mt-unsafe): listing used by one thread
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  for (const std::string& name : names) {
    struct stat s {};
    if (fstatat(handle, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(s.st_mode)) {
      if (depth >= deepest_zarr_folder || !is_zarr_folder(name, depth)) continue;
      const int inner = openat(handle, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (inner >= 0) remove_members_in(inner, stack, depth + 1);
      unlinkat(handle, name.c_str(), AT_REMOVEDIR);  // succeeds only if the folder is then empty
      continue;
    }
    // Only an unfinished folder can contain frames: check_is_our_folder() refuses to replace a finished one with
    // frames.
    const auto is_of_stack = [&](std::string_view ending) {
      return !stack.empty() && stack_of_slice(name, ending) == stack;
    };
    // "v_00000.dcm" in "v.dicom"
    const std::string series = stack_of_slice(name, dicom_ending);
    const bool is_of_series = !series.empty() && (series == stack || series == fs::path(stack).stem());
    const bool ours = (depth == 0 && (name == scale_file || is_of_stack(slice_ending) || is_of_stack(frame_ending) ||
                                      is_of_series)) ||
                      is_zarr_file(name, depth);
    if (ours && S_ISREG(s.st_mode) && s.st_nlink == 1) unlinkat(handle, name.c_str(), 0);
  }
}

}  // namespace

void remove_folder_members(const fs::path& folder, const std::string& stack) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (handle < 0) return;
  remove_members_in(handle, stack, 0);
  rmdir(folder.c_str());  // succeeds only if the folder is then empty
}

}  // namespace tl::io
