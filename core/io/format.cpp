// Chooses the format of a scan, opens it, and computes fingerprints of inputs.
#include "core/io/format.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "core/base/printable.h"
#include "core/base/wording.h"
#include "core/io/frame_names.h"
#include "core/io/hdf5/file.h"
#include "core/io/process/remote_scan.h"
#include "core/io/references/references.h"

// Defined in the generated format_list.cpp.
std::vector<::tl::io::ScanFormat> tl_format_list();

namespace tl::io {
namespace {

// From this score on the format is certain enough that its own error is reported.
constexpr int sure = 50;

constexpr const char* no_scan = "the content is no scan that can be read";

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

Result<void> check_path(const std::filesystem::path& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    return io_error("the scan does not exist", path.string(), "Check the path");
  if (failed) return io_error("the scan cannot be looked at: " + failed.message(), path.string(), "Check permissions");
  if (std::filesystem::is_directory(status)) return ok();
  if (!std::filesystem::is_regular_file(status))
    return io_error("not a file or folder", path.string(), "Give a scan file or a folder of frames");
  if (std::filesystem::file_size(path, failed) == 0 && !failed)
    return io_error("the file is empty", path.string(), "Check that it was copied whole");
  if (!std::ifstream(path, std::ios::binary))
    return io_error("the file cannot be read", path.string(), "Check permissions");
  return ok();
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
  constexpr std::size_t most_named = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) text += (i > 0 ? ", " : "") + names[i];
  return text + (names.size() > most_named ? " and " + std::to_string(names.size() - most_named) + " more" : "");
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
  std::string what = "the content is no scan format known here";
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

Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format,
                                              const OpenOptions& options) {
  TL_TRY(check_path(path));
  TL_TRY(check(options.choices));
  return open_remotely(path, format, options);
}

Result<ScanInfo> read_scan_info(const std::filesystem::path& path) {
  TL_TRY(const std::unique_ptr<ScanReader> scan, open_scan(path));
  return scan->info();
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

namespace {

// Hashes sampled blocks of a file: all of a small file, evenly spaced blocks of a large one.
Result<void> sample_file(XXH3_state_t* state, const std::filesystem::path& path, uint64_t blocks) {
  constexpr uint64_t block = 65536;
  std::ifstream file(path, std::ios::binary);
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(path, failed);
  if (!file || failed)
    return io_error("the file cannot be read for its fingerprint", path.string(), "Check permissions");
  std::array<unsigned char, 8> digits{};
  for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = static_cast<unsigned char>(size >> (8 * i));
  XXH3_128bits_update(state, digits.data(), digits.size());
  const uint64_t whole = (size + block - 1) / block;
  const uint64_t count = std::min(whole, blocks);
  std::vector<char> buffer(block);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t index = count < 2 ? 0 : i * (whole - 1) / (count - 1);
    const uint64_t begin = index * block;
    const auto length = static_cast<std::streamsize>(std::min(block, size - begin));
    file.seekg(static_cast<std::streamoff>(begin));
    if (!file.read(buffer.data(), length))
      return io_error("the file cannot be read for its fingerprint", path.string(), "It changed or is damaged");
    XXH3_128bits_update(state, buffer.data(), static_cast<std::size_t>(length));
  }
  return ok();
}

}  // namespace

Result<std::string> fingerprint(const std::filesystem::path& path) {
  constexpr uint64_t blocks_of_file = 64, blocks_of_member = 2;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    std::vector<std::filesystem::path> members;
    for (std::filesystem::directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
      if (it->is_regular_file(failed)) members.push_back(it->path());
    std::sort(members.begin(), members.end());
    for (const auto& member : members) {
      const std::string name = member.filename().string();
      XXH3_128bits_update(state.get(), name.c_str(), name.size() + 1);
      TL_TRY(sample_file(state.get(), member, blocks_of_member));
    }
  } else {
    TL_TRY(sample_file(state.get(), path, blocks_of_file));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "xxh128:%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return std::string(text.data());
}

}  // namespace tl::io
