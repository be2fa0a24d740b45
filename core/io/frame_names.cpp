// Tells from names of frame files and folders their natural order, whether they are flats or darks, and whether these
// were taken after the scan; lists TIFF and EDF files.
#include "core/io/frame_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/io/header_text.h"

namespace tl::io {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : lower_case_of(std::string(name))) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

template <class Keep>
std::vector<std::filesystem::path> sorted_members(const std::filesystem::path& folder, const Keep& keep) {
  std::vector<std::filesystem::path> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (keep(*it)) found.push_back(it->path());
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return natural_less(a.filename().string(), b.filename().string()); });
  return found;
}

bool is_tiff_file(const std::filesystem::directory_entry& entry) {
  std::error_code failed;
  return is_tiff_name(entry.path()) && entry.is_regular_file(failed);
}

template <class Wanted>
bool has_member(const std::filesystem::path& folder, const Wanted& is_wanted) {
  std::error_code failed;
  std::filesystem::directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed))
    if (is_wanted(*entry)) return true;
  return false;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      while (i < a.size() && a[i] == '0') ++i;
      while (j < b.size() && b[j] == '0') ++j;
      std::size_t ei = i, ej = j;
      while (ei < a.size() && is_digit(a[ei])) ++ei;
      while (ej < b.size() && is_digit(b[ej])) ++ej;
      if (ei - i != ej - j) return ei - i < ej - j;
      if (const int order = a.substr(i, ei - i).compare(b.substr(j, ej - j)); order != 0) return order < 0;
      i = ei;
      j = ej;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i >= a.size();
  return a < b;  // they differ in leading zeros only
}

FrameKind frame_kind(std::string_view name, std::string_view without_words_of) {
  static constexpr std::array<std::string_view, 3> dark_words = {"di", "df", "dk"};
  static constexpr std::array<std::string_view, 4> flat_words = {"ff", "io", "ref", "refhst"};
  const auto is_one_of = [](const auto& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  const std::vector<std::string> ignored = words_of(without_words_of);
  for (const std::string& word : words_of(name)) {
    if (is_one_of(ignored, word)) continue;
    if (word.starts_with("dark") || is_one_of(dark_words, word)) return FrameKind::dark;
    if (word.starts_with("flat") || word.starts_with("white") || word.starts_with("bright") ||
        is_one_of(flat_words, word))
      return FrameKind::flat;
  }
  return FrameKind::projection;
}

bool is_taken_after_scan(std::string_view name) {
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& w) { return w == "after" || w == "post" || w == "end"; });
}

bool is_tiff_name(const std::filesystem::path& file) {
  const std::string extension = lower_case_of(file.extension().string());
  return extension == ".tif" || extension == ".tiff";
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            bool (*is_wanted)(const std::filesystem::path& file)) {
  return sorted_members(folder, [&](const std::filesystem::directory_entry& entry) {
    std::error_code failed;
    return is_wanted(entry.path()) && entry.is_regular_file(failed);
  });
}

std::vector<std::filesystem::path> tiff_files(const std::filesystem::path& folder) {
  return files_in(folder, is_tiff_name);
}

bool has_tiff_files(const std::filesystem::path& folder) { return has_member(folder, is_tiff_file); }

bool is_edf_name(const std::filesystem::path& file) {
  const std::filesystem::path plain = lower_case_of(file.extension().string()) == ".gz" ? file.stem() : file;
  return lower_case_of(plain.extension().string()) == ".edf";
}

std::string edf_stem(const std::filesystem::path& file) {
  const std::filesystem::path plain = lower_case_of(file.extension().string()) == ".gz" ? file.stem() : file;
  return plain.stem().string();
}

std::vector<std::filesystem::path> edf_files(const std::filesystem::path& folder) {
  return files_in(folder, is_edf_name);
}

bool is_frame_name(const std::filesystem::path& file) { return is_tiff_name(file) || is_edf_name(file); }

bool has_frame_files(const std::filesystem::path& folder) {
  return has_member(folder, [](const std::filesystem::directory_entry& entry) {
    std::error_code failed;
    return is_frame_name(entry.path()) && entry.is_regular_file(failed);
  });
}

std::vector<std::filesystem::path> subfolders(const std::filesystem::path& folder) {
  return sorted_members(folder, [](const std::filesystem::directory_entry& e) {
    std::error_code failed;
    return e.is_directory(failed);
  });
}

}  // namespace tl::io
