// From the names of frame files and folders, finds their natural order, whether they are flats or darks, and whether
// these were taken after the scan; lists TIFF and EDF files.
#include "core/io/text/frame_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "core/base/text.h"

namespace tl::io {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Words that follow flat, dark, white or bright without a gap: flatfield, darks, flatbefore.
constexpr std::array<std::string_view, 19> endings = {
    "s",   "field", "fields", "frame", "frames", "image", "images", "img",     "before", "after",
    "pre", "post",  "end",    "start", "begin",  "hst",   "mean",   "current", "avg"};
constexpr std::array<std::string_view, 4> kinds = {"flat", "dark", "white", "bright"};

template <class List>
bool is_one_of(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Adds a word; a compound such as "flatbefore" as "flat" and "before".
void add_word(const std::string& word, std::vector<std::string>& words) {
  if (word.empty()) return;
  for (const std::string_view kind : kinds)
    if (word.starts_with(kind) && is_one_of(endings, std::string_view(word).substr(kind.size()))) {
      words.emplace_back(kind);
      words.push_back(word.substr(kind.size()));
      return;
    }
  words.push_back(word);
}

// The words of a name in lower case: runs of letters, divided before an upper-case letter after a lower-case one.
std::vector<std::string> words_in_name(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  char before = ' ';
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool begins = std::isupper(letter) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if (std::isalpha(letter) == 0 || begins) {
      add_word(word, words);
      word.clear();
    }
    if (std::isalpha(letter) != 0) word += static_cast<char>(std::tolower(letter));
    before = c;
  }
  add_word(word, words);
  return words;
}

bool is_hidden(const std::filesystem::path& file) { return file.filename().string().starts_with('.'); }

template <class Keep>
std::vector<std::filesystem::path> sorted_members(const std::filesystem::path& folder, const Keep& keep) {
  std::vector<std::filesystem::path> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (!is_hidden(it->path()) && keep(*it)) found.push_back(it->path());
  sort_naturally(found);
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
    if (!is_hidden(entry->path()) && is_wanted(*entry)) return true;
  return false;
}

// The text before a position in a name, without its numbers: equal for all names of a series.
std::string text_before(std::string_view name, std::size_t at) {
  std::string context;
  for (std::size_t i = 0; i < at; ++i) {
    if (!is_digit(name[i])) context += name[i];
    if (is_digit(name[i]) && (i == 0 || !is_digit(name[i - 1]))) context += '#';
  }
  return context;
}

bool is_minus_of_number(std::string_view name, std::size_t at) {
  return name[at] == '-' && at + 1 < name.size() && is_digit(name[at + 1]) && (at == 0 || !is_digit(name[at - 1]));
}

// The texts after which "-" is a sign in some names.
using SignContexts = std::set<std::string>;
SignContexts sign_contexts(const std::vector<std::filesystem::path>& files) {
  SignContexts with_minus, without, after_letter, with_zeros, signs;
  const auto has_minus = [](const auto& file) { return file.filename().string().find('-') != std::string::npos; };
  if (std::none_of(files.begin(), files.end(), has_minus)) return signs;
  for (const std::filesystem::path& file : files) {
    const std::string name = file.filename().string();
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (is_minus_of_number(name, i)) {
        const std::string context = text_before(name, i);
        with_minus.insert(context);
        if (i > 0 && std::isalpha(static_cast<unsigned char>(name[i - 1])) != 0) after_letter.insert(context);
        if (name[i + 1] == '0' && i + 2 < name.size() && is_digit(name[i + 2])) with_zeros.insert(context);
      } else if (is_digit(name[i]) && (i == 0 || !is_digit(name[i - 1]))) {
        without.insert(text_before(name, i));
      }
    }
  }
  for (const std::string& context : with_minus)
    if (without.count(context) != 0 || (after_letter.count(context) == 0 && with_zeros.count(context) == 0))
      signs.insert(context);
  return signs;
}

// A number in a name, whose "-" may be a sign; digits without leading zeros.
struct NumberInName {
  bool is_there = false, negative = false;
  std::string_view digits;
  std::size_t end = 0;
};
NumberInName number_at(std::string_view name, std::size_t at, const SignContexts& signs) {
  NumberInName number;
  number.negative = !signs.empty() && is_minus_of_number(name, at) && signs.count(text_before(name, at)) != 0;
  std::size_t begin = at + (number.negative ? 1 : 0);
  number.is_there = is_digit(name[begin]);
  number.end = begin;
  while (number.end < name.size() && is_digit(name[number.end])) ++number.end;
  while (begin < number.end && name[begin] == '0') ++begin;
  number.digits = name.substr(begin, number.end - begin);
  return number;
}

bool less_in_size(std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

bool natural_less(std::string_view a, std::string_view b, const SignContexts& signs) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const NumberInName first = number_at(a, i, signs), second = number_at(b, j, signs);
    if (first.is_there && second.is_there) {
      if (first.negative != second.negative) return first.negative;
      if (first.digits != second.digits)
        return first.negative ? less_in_size(second.digits, first.digits) : less_in_size(first.digits, second.digits);
      i = first.end;
      j = second.end;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return i >= a.size();
  return a < b;  // the names differ only in leading zeros
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) { return natural_less(a, b, {}); }

void sort_naturally(std::vector<std::filesystem::path>& files) {
  const SignContexts signs = sign_contexts(files);
  std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
    return natural_less(a.filename().string(), b.filename().string(), signs);
  });
}

FrameKind frame_kind(std::string_view name, std::string_view without_words_of) {
  static constexpr std::array<std::string_view, 4> dark_words = {"dark", "di", "df", "dk"};
  static constexpr std::array<std::string_view, 7> flat_words = {"flat", "white", "bright", "ff",
                                                                 "io",   "ref",   "refhst"};
  const std::vector<std::string> ignored = words_in_name(without_words_of);
  for (const std::string& word : words_in_name(name)) {
    if (is_one_of(ignored, word)) continue;
    if (is_one_of(dark_words, word)) return FrameKind::dark;
    if (is_one_of(flat_words, word)) return FrameKind::flat;
  }
  return FrameKind::projection;
}

bool is_taken_after_scan(std::string_view name) {
  const auto words = words_in_name(name);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& w) { return w == "after" || w == "post" || w == "end"; });
}

bool is_tiff_name(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  return extension == ".tif" || extension == ".tiff";
}

std::vector<std::filesystem::path> visible_members(const std::filesystem::path& folder) {
  return sorted_members(folder, [](const std::filesystem::directory_entry& /*entry*/) { return true; });
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
  const std::filesystem::path plain = lower_case(file.extension().string()) == ".gz" ? file.stem() : file;
  return lower_case(plain.extension().string()) == ".edf";
}

std::string edf_stem(const std::filesystem::path& file) {
  const std::filesystem::path plain = lower_case(file.extension().string()) == ".gz" ? file.stem() : file;
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
