// Decides which files an HDF5 scan may be read from, by their real paths.
#include "core/io/reader/source_files.h"

#include <algorithm>

#include "core/base/wording.h"

namespace tl::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* outside_its_folder = "outside its own folder";

}  // namespace

SourceFiles::SourceFiles(const fs::path& scan, OutsideLinks outside_links)
    : scan_(scan), outside_links_(outside_links) {
  // The scan itself if it is a folder; otherwise the folder of the given path, and that of the real file.
  std::error_code failed;
  const fs::path absolute = fs::absolute(scan, failed), real = fs::weakly_canonical(absolute, failed);
  if (fs::is_directory(real, failed)) {
    folders_ = {real};
  } else {
    folders_ = {fs::weakly_canonical(absolute.parent_path(), failed), real.parent_path()};
  }
}

bool SourceFiles::is_outside(const fs::path& file) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, failed), failed);
  return std::none_of(folders_.begin(), folders_.end(), [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  });
}

void SourceFiles::admit(const fs::path& file) {
  std::error_code failed;
  named_.push_back(fs::weakly_canonical(fs::absolute(file, failed), failed));
}

bool SourceFiles::is_named(const fs::path& file) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, failed), failed);
  return std::find(named_.begin(), named_.end(), real) != named_.end();
}

bool SourceFiles::is_scan_folder(const fs::path& folder) const {
  std::error_code failed;
  return std::find(folders_.begin(), folders_.end(), fs::weakly_canonical(fs::absolute(folder, failed), failed)) !=
         folders_.end();
}

bool SourceFiles::admits(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status)) return false;
  if (!fs::is_regular_file(status)) {
    if (!refused_)
      refused_ = io_error("the scan refers to \"" + file.string() + "\", which is not a regular file", scan_.string(),
                          "Put the file that is meant in its place");
    return false;
  }
  if (outside_links_ == OutsideLinks::follow || !is_outside(file) || is_named(file)) return true;
  if (std::find(refused_outside_.begin(), refused_outside_.end(), file) == refused_outside_.end())
    refused_outside_.push_back(file);
  return false;
}

std::optional<Error> SourceFiles::refused() const {
  constexpr std::size_t max_named = 5;
  if (refused_ || refused_outside_.empty()) return refused_;
  const std::size_t count = refused_outside_.size();
  std::string names;
  for (std::size_t i = 0; i < std::min(count, max_named); ++i)
    names += (i > 0 ? ", \"" : "\"") + refused_outside_[i].string() + "\"";
  if (count > max_named) names += " and " + std::to_string(count - max_named) + " more";
  const std::string which = count == 1 ? "the file " + names + " " + outside_its_folder
                                       : std::to_string(count) + " files " + outside_its_folder + ": " + names;
  return io_error(
      "the scan refers to " + which, scan_.string(),
      (count == 1 ? "If that file belongs to the scan, " : "If those files belong to the scan, ") +
          two_wordings(count == 1 ? "ask for it: --outside-links, or in the load node \"outside_links\" = follow"
                                  : "ask for them: --outside-links, or in the load node \"outside_links\" = follow",
                       "choose Follow for Files elsewhere in the form of the load node"));
}

bool refuses_outside_links(const Error& error) {
  return error.kind == ErrorKind::io && error.what.starts_with("the scan refers to ") &&
         error.what.find(outside_its_folder) != std::string::npos;
}

void SourceFiles::add(const fs::path& file, const FileStamp& stamp) {
  const auto known = std::find_if(opened_.begin(), opened_.end(), [&](const InputFile& one) {
    return one.path == file || (one.stamp->device == stamp.device && one.stamp->inode == stamp.inode);
  });
  if (known == opened_.end()) opened_.push_back({file, stamp});
}

std::vector<fs::path> SourceFiles::outside() const {
  std::vector<fs::path> found;
  for (const InputFile& file : opened_)
    if (is_outside(file.path)) found.push_back(file.path);
  return found;
}

int64_t SourceFiles::bytes() const {
  int64_t sum = 0;
  for (const InputFile& file : opened_) sum += file.stamp->size;
  return sum;
}

}  // namespace tl::io
