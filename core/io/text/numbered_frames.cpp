// Splits names into words and numbers, and compares them.
#include "core/io/text/numbered_frames.h"

#include <numeric>
#include <set>

namespace tl::io {
namespace {

bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

// A name split into its numbers and the words between them; none if a number has more than 15 digits.
struct NameParts {
  std::vector<std::string> words;
  std::vector<int64_t> numbers;
};
std::optional<NameParts> parts_of_name(const std::string& name) {
  constexpr std::size_t max_digits = 15;
  NameParts parts{{""}, {}};
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && is_digit_of_name(name[end])) ++end;
    if (end == at) {
      parts.words.back() += name[at++];
      continue;
    }
    if (end - at > max_digits) return std::nullopt;
    parts.numbers.push_back(std::stoll(name.substr(at, end - at)));
    parts.words.emplace_back();
    at = end;
  }
  return parts;
}

// Index of the number in which these names differ; nothing if several numbers or other parts differ.
std::optional<std::size_t> number_that_differs(const std::vector<NameParts>& names) {
  std::optional<std::size_t> found;
  for (const NameParts& one : names) {
    if (one.words != names.front().words) return std::nullopt;
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      if (one.numbers[i] == names.front().numbers[i]) continue;
      if (found && *found != i) return std::nullopt;
      found = i;
    }
  }
  return found;
}

// "37 to 48, 60, 72 and more"
std::string text_of_runs(const std::vector<int64_t>& numbers, int64_t step) {
  constexpr int max_named = 3;
  std::string text;
  int runs = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + step) ++end;
    if (++runs > max_named) return text + " and more";
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]) +
            (end - i > 1 ? " to " + std::to_string(numbers[end - 1]) : "");
    i = end;
  }
  return text;
}

}  // namespace

std::optional<NumberedFrames> numbered_frames(const std::vector<std::filesystem::path>& files,
                                              const std::vector<std::filesystem::path>& others) {
  std::vector<NameParts> names;
  for (const auto& file : files) {
    auto parts = parts_of_name(file.stem().string());
    if (!parts) return std::nullopt;
    names.push_back(*std::move(parts));
  }
  const auto which = number_that_differs(names);
  if (!which) return std::nullopt;
  int64_t step = 0;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const int64_t apart = names[i].numbers[*which] - names[i - 1].numbers[*which];
    if (apart <= 0) return std::nullopt;
    step = std::gcd(step, apart);
  }
  const int64_t first = names.front().numbers[*which], last = names.back().numbers[*which];
  const auto there = static_cast<int64_t>(files.size());
  if ((last - first) / step >= 2 * (there + static_cast<int64_t>(others.size()))) return std::nullopt;
  std::set<int64_t> of_others;
  for (const auto& file : others)
    if (const auto parts = parts_of_name(file.stem().string()); parts && parts->words == names.front().words)
      of_others.insert(parts->numbers[*which]);
  NumberedFrames found;
  found.first = first;
  std::vector<int64_t> missing;
  std::size_t next = 0;
  for (int64_t number = first; number <= last; number += step) {
    const bool is_there = names[next].numbers[*which] == number;
    if (!is_there && of_others.contains(number)) continue;
    if (is_there) {
      found.indices.push_back(found.all);
      ++next;
    } else {
      missing.push_back(number);
    }
    ++found.all;
  }
  if (2 * there < found.all) return std::nullopt;
  found.missing = text_of_runs(missing, step);
  return found;
}

}  // namespace tl::io
