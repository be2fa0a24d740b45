// Sorts the files of a folder of EDF frames by their names.
#include "core/io/edf/folder.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "core/base/printable.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool are_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The number at the end of a name; nothing if there is none, or if it is too large.
std::optional<int64_t> number_at_end(std::string_view stem) {
  constexpr std::size_t max_digits = 18;  // of an int64_t
  const std::string_view digits = stem.substr(std::min(stem.size(), stem.find_last_not_of("0123456789") + 1));
  if (digits.empty() || digits.size() > max_digits) return std::nullopt;
  return std::strtoll(std::string(digits).c_str(), nullptr, 10);
}

enum class EdfName { view, averaged_flat, raw_flat, other_flat, averaged_dark, raw_dark, other_dark };

// `sample`: the sample's name; words in it do not indicate flats or darks.
EdfName kind_of_name(const std::string& stem, const std::string& sample) {
  const auto rest_after = [&](std::string_view begin) { return std::string_view(stem).substr(begin.size()); };
  const auto is = [&](std::string_view begin) {
    return stem.starts_with(begin) && (stem.size() == begin.size() || are_digits(rest_after(begin)));
  };
  if (is("dark") || is("darkHST")) return EdfName::averaged_dark;
  if (is("darkend")) return EdfName::raw_dark;
  if (is("refHST")) return EdfName::averaged_flat;
  const std::size_t line = stem.find('_');
  if (stem.starts_with("ref") && line != std::string::npos && are_digits(stem.substr(3, line - 3)) &&
      are_digits(stem.substr(line + 1)))
    return EdfName::raw_flat;
  switch (frame_kind(stem, sample)) {
    case FrameKind::flat: return EdfName::other_flat;
    case FrameKind::dark: return EdfName::other_dark;
    case FrameKind::projection: break;
  }
  return EdfName::view;
}

using Groups = std::map<std::string, std::vector<NumberedFile>>;  // by prefix

const Groups::value_type& chosen_group(const Groups& groups, const std::string& wanted_name) {
  for (const std::string& name : {wanted_name, wanted_name + "_"})
    if (const auto found = groups.find(name); found != groups.end()) return *found;
  return *std::max_element(groups.begin(), groups.end(),
                           [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
}

std::string number_of_files(std::size_t n) { return counted(static_cast<int64_t>(n), "file"); }

void take_flats(std::map<EdfName, std::vector<NumberedFile>>& by_kind, EdfFolder& sorted) {
  const auto averaged = by_kind[EdfName::averaged_flat], raw = by_kind[EdfName::raw_flat];
  sorted.flats = averaged.empty() ? raw : averaged;
  if (!averaged.empty() && !raw.empty())
    sorted.notes_on_flats.push_back("Flats are the averages refHST*.edf; " + number_of_files(raw.size()) +
                                    " ref*_*.edf, of which they were made, left out.");
  if (sorted.flats.empty())
    for (const NumberedFile& one : by_kind[EdfName::other_flat]) sorted.flats.push_back({one.file, std::nullopt});
}

void take_darks(std::map<EdfName, std::vector<NumberedFile>>& by_kind, EdfFolder& sorted) {
  const auto averaged = by_kind[EdfName::averaged_dark], raw = by_kind[EdfName::raw_dark];
  const auto& chosen = !averaged.empty() ? averaged : !raw.empty() ? raw : by_kind[EdfName::other_dark];
  sorted.dark_files = averaged.empty() && !raw.empty() ? DarkFiles::as_measured : DarkFiles::averaged;
  for (const NumberedFile& one : chosen) sorted.darks.push_back(one.file);
  if (!averaged.empty() && !raw.empty())
    sorted.notes_on_darks.push_back("Darks are averages (" + averaged.front().file.filename().string() + "); " +
                                    number_of_files(raw.size()) + " darkend*.edf, of which they were made, left out.");
}

}  // namespace

std::string prefix_of(const fs::path& file) {
  const std::string stem = edf_stem(file);
  return stem.substr(0, std::min(stem.size(), stem.find_last_not_of("0123456789") + 1));
}

DarkFiles dark_files_of(const fs::path& file) {
  return kind_of_name(edf_stem(file), {}) == EdfName::raw_dark ? DarkFiles::as_measured : DarkFiles::averaged;
}

EdfFolder sort_edf_folder(const fs::path& folder, const std::string& wanted_name) {
  std::map<EdfName, std::vector<NumberedFile>> by_kind;
  Groups groups;
  std::size_t others = 0;
  for (const fs::path& file : edf_files(folder)) {
    const std::string stem = edf_stem(file);
    const EdfName kind = kind_of_name(stem, wanted_name);
    const std::optional<int64_t> number = number_at_end(stem);
    if (kind == EdfName::view && !number) {
      ++others;
      continue;
    }
    (kind == EdfName::view ? groups[prefix_of(file)] : by_kind[kind]).push_back({file, number});
  }
  EdfFolder sorted;
  take_flats(by_kind, sorted);
  take_darks(by_kind, sorted);
  if (groups.empty()) return sorted;
  const auto& [prefix, views] = chosen_group(groups, wanted_name);
  sorted.prefix = prefix;
  sorted.views = views;
  std::stable_sort(sorted.views.begin(), sorted.views.end(),
                   [](const NumberedFile& a, const NumberedFile& b) { return *a.number < *b.number; });
  for (const auto& [name, files] : groups) others += name == prefix ? 0 : files.size();
  if (others > 0)
    sorted.notes.push_back(counted(static_cast<int64_t>(others), "EDF file") + " not called " + printable(prefix) +
                           "NUMBER left out.");
  return sorted;
}

}  // namespace tl::io
