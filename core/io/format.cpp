// The list of formats, choosing one for a path, and fingerprints of inputs.
#include "core/io/format.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <sstream>
#include <vector>

#include "core/io/child_probe.h"
#include "core/io/hdf5_file.h"

// Defined in the generated format_list.cpp.
std::vector<::tl::io::ScanFormat> tl_format_list();

namespace tl::io {
namespace {

// Above this a format is sure enough that its own error is the right one to show.
constexpr int sure = 50;

std::string names_of_formats() {
  std::string text;
  for (const ScanFormat& f : scan_formats()) text += (text.empty() ? "" : ", ") + std::string(f.id);
  return text;
}

// ".nx" is one of ".nx .nxs .h5".
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

Error unknown_content(const std::filesystem::path& path) {
  std::string tried;
  for (const ScanFormat& f : scan_formats()) tried += (tried.empty() ? "" : ", ") + std::string(f.title);
  std::error_code none;
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

Result<std::unique_ptr<ScanReader>> open_directly(const std::filesystem::path& path, std::string_view format);

// The HDF5 library crashes on some damaged files (1.10 follows damaged heaps of strings out of its memory), so such a
// file is opened in a child first, with a look at a pixel of every kind of frame: that walks everything but the pixels.
Result<void> survives_opening(const std::filesystem::path& path, std::string_view format) {
  constexpr unsigned int busy = 5, patience = 120;  // [s]: for a million chunks, for the slowest file system
  const ProbeOutcome outcome = try_in_child(
      [&] {
        const auto scan = open_directly(path, format);
        if (!scan.ok() || scan.value()->info().views < 1) return;
        (void)scan.value()->read({{0, 1}, {0, 1}, {0, 1}});
        (void)scan.value()->read_flats({0, 1}, {0, 1});
        (void)scan.value()->read_darks({0, 1}, {0, 1});
      },
      busy, patience);
  if (outcome == ProbeOutcome::returned || outcome == ProbeOutcome::untried) return ok();
  return io_error(outcome == ProbeOutcome::hung ? "the file is damaged: reading it does not end"
                                                : "the file is damaged: the HDF5 library crashes on it",
                  path.string(), "Copy it again from its source, or repair it with h5repack");
}

// A reader of an HDF5 file beside other threads: one of them at a time is in the library, so that none holds its lock
// when another one forks to try a file.
class ReaderInTurn final : public ScanReader {
 public:
  explicit ReaderInTurn(std::unique_ptr<ScanReader> reader) : reader_(std::move(reader)) {}
  ~ReaderInTurn() override {
    const std::lock_guard turn(hdf5_turn());
    reader_.reset();
  }
  ReaderInTurn(const ReaderInTurn&) = delete;
  ReaderInTurn& operator=(const ReaderInTurn&) = delete;
  [[nodiscard]] const ScanInfo& info() const override { return reader_->info(); }
  Result<void> read_into(const ScanRegion& region, const at::Tensor& out) override {
    const std::lock_guard turn(hdf5_turn());
    return reader_->read_into(region, out);
  }
  Result<at::Tensor> read_flats(Range rows, Range cols) override {
    const std::lock_guard turn(hdf5_turn());
    return reader_->read_flats(rows, cols);
  }
  Result<at::Tensor> read_darks(Range rows, Range cols) override {
    const std::lock_guard turn(hdf5_turn());
    return reader_->read_darks(rows, cols);
  }
  [[nodiscard]] std::vector<std::filesystem::path> files() const override {
    const std::lock_guard turn(hdf5_turn());
    return reader_->files();
  }

 private:
  std::unique_ptr<ScanReader> reader_;
};

}  // namespace

std::span<const ScanFormat> scan_formats() {
  static const std::vector<ScanFormat> all = tl_format_list();
  return all;
}

Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format) {
  TL_TRY(check_path(path));
  const std::lock_guard turn(hdf5_turn());
  if (!Hdf5File::is_hdf5(path)) return open_directly(path, format);
  TL_TRY(survives_opening(path, format));
  TL_TRY(std::unique_ptr<ScanReader> reader, open_directly(path, format));
  return std::unique_ptr<ScanReader>(std::make_unique<ReaderInTurn>(std::move(reader)));
}

Result<ScanInfo> read_scan_info(const std::filesystem::path& path) {
  TL_TRY(const std::unique_ptr<ScanReader> scan, open_scan(path));
  return scan->info();
}

std::vector<std::string> scan_extensions() {
  std::set<std::string> all;
  for (const ScanFormat& f : scan_formats()) {
    std::istringstream words{std::string(f.extensions)};
    for (std::string word; words >> word;) all.insert(word);
  }
  return {all.begin(), all.end()};
}

namespace {

Result<std::unique_ptr<ScanReader>> open_directly(const std::filesystem::path& path, std::string_view format) {
  if (!format.empty()) {
    for (const ScanFormat& f : scan_formats())
      if (f.id == format) return f.open(path);
    return invalid("unknown scan format \"" + std::string(format) + "\"", path.string(),
                   "Known: " + names_of_formats());
  }
  std::vector<std::pair<int, const ScanFormat*>> candidates;
  for (const ScanFormat& f : scan_formats())
    if (const int score = f.sniff(path); score > 0) candidates.emplace_back(score, &f);
  if (candidates.empty()) return unknown_content(path);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Error> errors;
  std::string tried;
  for (const auto& [score, f] : candidates) {
    auto scan = f->open(path);
    if (scan.ok() || score >= sure) return scan;
    errors.push_back(scan.error());
    tried += (tried.empty() ? "" : "; ") + std::string(f->title) + ": " + scan.error().what +
             (scan.error().where.empty() || scan.error().where == path ? "" : " (" + scan.error().where + ")");
  }
  // All readers stumbled over the same thing (a truncated file): say it once.
  if (std::all_of(errors.begin(), errors.end(), [&](const Error& e) { return e.what == errors.front().what; }))
    return errors.front();
  return invalid("the content is no scan that can be read", path.string(), "Tried " + tried);
}

// Blocks of a file that stand for all of it: the whole of a small one, evenly spread blocks of a large one.
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
