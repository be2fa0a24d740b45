// Names the slices of a folder, and checks that such a folder is ours before it is replaced.
#include "core/io/output/stack_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/io/frame_names.h"
#include "core/io/output/volume_writer.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_digits = 5;
constexpr std::string_view slice_ending = ".tif", frame_ending = ".png";

// "stack" for "stack_00012.tif"; empty if the file is not a slice.
std::string stack_of(std::string_view file, std::string_view ending = slice_ending) {
  if (!file.ends_with(ending)) return {};
  file.remove_suffix(ending.size());
  const auto digits = file.size() - (file.find_last_not_of("0123456789") + 1);
  if (digits < least_digits || digits + 2 > file.size() || file[file.size() - digits - 1] != '_') return {};
  return std::string(file.substr(0, file.size() - digits - 1));
}

std::string numbered_name(const std::string& stack, int64_t index, int64_t count, std::string_view ending) {
  const std::size_t digits = std::max(least_digits, std::to_string(count - 1).size());
  std::string number = std::to_string(index);
  number.insert(0, digits - number.size(), '0');
  return stack + "_" + number + std::string(ending);
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

bool is_slice_name(std::string_view file, std::string_view stack) {
  const std::string of = stack_of(file);
  return !of.empty() && of == stack;
}

std::string stack_name_in(const fs::path& folder) {
  const auto slices = tiff_files(folder);
  return slices.empty() ? std::string() : stack_of(slices.front().filename().string());
}

Result<void> check_is_our_stack(const fs::path& folder) {
  const auto slices = tiff_files(folder);
  if (slices.empty()) return not_ours("it holds no slices", folder);
  const std::string stack = stack_of(slices.front().filename().string());
  if (stack.empty()) return not_ours("it holds " + slices.front().filename().string(), folder);
  std::error_code failed;
  fs::directory_iterator it(folder, failed);
  for (const fs::directory_iterator end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const bool plain = fs::is_regular_file(it->symlink_status(failed));
    if (!plain || (name != scale_file && !is_slice_name(name, stack))) return not_ours("it holds " + name, folder);
  }
  if (failed) return io_error("the folder cannot be looked into: " + failed.message(), folder.string());
  const Result<std::string> text = read_description(folder);
  const auto record = nlohmann::json::parse(text.ok() ? text.value() : std::string(), nullptr, false);
  if (!record.is_object() || !record.contains("pipeline")) return not_ours("its first slice embeds no record", folder);
  return ok();
}

void remove_stack_members(const fs::path& folder, const std::string& stack) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (handle < 0) return;
  std::vector<std::string> members;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    members.push_back(it->path().filename().string());
  for (const std::string& name : members) {
    struct stat s {};
    // Only an unfinished folder has frames: check_is_our_stack() lets no finished one with them be replaced.
    const bool is_frame = !stack.empty() && stack_of(name, frame_ending) == stack;
    const bool ours = name == scale_file || is_slice_name(name, stack) || is_frame;
    if (ours && fstatat(handle, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(s.st_mode) && s.st_nlink == 1)
      unlinkat(handle, name.c_str(), 0);
  }
  close(handle);
  rmdir(folder.c_str());  // succeeds only if nothing else is in it
}

}  // namespace tl::io
