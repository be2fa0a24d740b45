// Chooses the format of a scan by its names and magic numbers.
#include "core/io/scans/scan_formats.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/printable.h"
#include "core/base/wording.h"
#include "core/io/hdf5/file.h"
#include "core/io/scans/references.h"
#include "core/io/text/frame_names.h"

// Defined in the generated format_list.cpp.
std::vector<::tl::io::ScanFormat> tl_format_list();

namespace tl::io {
namespace {

// From this score on the format is certain enough that its own error is reported.
constexpr int sure = 50;

constexpr const char* no_scan = "the content is not a scan that can be read";

std::string names_of_formats() {
  std::string text;
  for (const ScanFormat& f : scan_formats()) text += (text.empty() ? "" : ", ") + std::string(f.id);
  return text;
}

// Whether a list such as ".nx .nxs .h5" contains an extension.
bool lists(std::string_view extensions, std::string_view extension) {
  for (std::size_t begin = 0; begin < extensions.size();) {
    const std::size_t end = std::min(extensions.find(' ', begin), extensions.size());
    if (!extension.empty() && extensions.substr(begin, end - begin) == extension) return true;
    begin = end + 1;
  }
  return false;
}

// The folders in a folder that hold frames and are neither flats nor darks by name.
std::vector<std::string> folders_of_frames(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const std::filesystem::path& sub : subfolders(folder))
    if (frame_kind(sub.filename().string()) == FrameKind::projection && has_frame_files(sub))
      names.push_back(printable(sub.filename().string()));
  return names;
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t max_named = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), max_named); ++i) text += (i > 0 ? ", " : "") + names[i];
  return text + (names.size() > max_named ? " and " + std::to_string(names.size() - max_named) + " more" : "");
}

Error unknown_content(const std::filesystem::path& path) {
  std::string tried;
  for (const ScanFormat& f : scan_formats()) tried += (tried.empty() ? "" : ", ") + std::string(f.title);
  std::error_code none;
  if (const std::vector<std::string> stacks = folders_of_frames(path); stacks.size() > 1)
    return invalid("the folder holds " + std::to_string(stacks.size()) + " folders of frames: " + some_names(stacks),
                   path.string(), "Open one of them: flats and darks next to it are found");
  if (std::filesystem::is_directory(path, none))
    return invalid("the folder holds no frames that can be read", path.string(), "Tried: " + tried);
  std::string what = "the content is not of a known scan format";
  for (const ScanFormat& f : scan_formats()) {
    const std::string extension = path.extension().string();
    if (lists(f.extensions, extension)) {
      what = "the name ends in " + extension + " but the content is not of that kind";
      break;
    }
  }
  return invalid(what, path.string(), "Tried: " + tried + ". Check that the file was copied whole and not renamed");
}

Result<std::unique_ptr<ScanReader>> open_by_format(const std::filesystem::path& path, std::string_view format,
                                                   const ScanAccess& access) {
  if (!format.empty()) {
    for (const ScanFormat& f : scan_formats())
      if (f.id == format) return f.open(path, access);
    return invalid("unknown scan format \"" + std::string(format) + "\"", path.string(),
                   "Known: " + names_of_formats());
  }
  std::vector<std::pair<int, const ScanFormat*>> candidates;
  for (const ScanFormat& f : scan_formats())
    if (const int score = f.sniff(path, access); score > 0) candidates.emplace_back(score, &f);
  if (candidates.empty()) return unknown_content(path);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Error> errors;
  std::string tried;
  for (const auto& [score, f] : candidates) {
    auto scan = f->open(path, access);
    if (scan.ok() || score >= sure) return scan;
    errors.push_back(scan.error());
    tried += (tried.empty() ? "" : "; ") + std::string(f->title) + ": " + scan.error().what +
             (scan.error().where.empty() || scan.error().where == path ? "" : " (" + scan.error().where + ")");
  }
  // All readers failed for the same reason (a truncated file): report it once.
  if (std::all_of(errors.begin(), errors.end(), [&](const Error& e) { return e.what == errors.front().what; }))
    return errors.front();
  const std::string other_layout =
      two_wordings("name its frames with --data /PATH/IN/FILE (tomoloom info --tree FILE lists what it contains)",
                   "name its frames in the form of the load node");
  return invalid(
      no_scan, path.string(),
      "Tried " + tried + (Hdf5File::is_hdf5(path) ? ". If it is a scan of another layout, " + other_layout : ""));
}

}  // namespace

std::span<const ScanFormat> scan_formats() {
  static const std::vector<ScanFormat> all = tl_format_list();
  return all;
}

Result<std::unique_ptr<ScanReader>> open_scan_here(const std::filesystem::path& path, std::string_view format,
                                                   const ScanAccess& access) {
  auto scan = open_by_format(path, format, access);
  if (scan.ok()) scan = with_chosen_references(std::move(scan).value(), access);
  // Without a refused file the scan would look like another one.
  if (access.sources->refused()) return *access.sources->refused();
  return scan;
}

bool is_of_no_known_layout(const Error& error) { return error.kind == ErrorKind::invalid && error.what == no_scan; }

std::vector<std::string> scan_extensions() {
  std::set<std::string> all;
  for (const ScanFormat& f : scan_formats()) {
    std::istringstream words{std::string(f.extensions)};
    for (std::string word; words >> word;) all.insert(word);
  }
  return {all.begin(), all.end()};
}

}  // namespace tl::io
