// Parses and writes short texts; formatted() measures its text before it writes it.
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace tl {
namespace {

template <class T>
std::optional<std::vector<T>> parsed(std::string_view text, std::size_t count) {
  std::vector<T> values;
  for (std::string word : words_of(text)) {
    if (word.starts_with('+')) word.erase(0, 1);
    T value{};
    const char* const end = word.data() + word.size();
    if (const auto read = std::from_chars(word.data(), end, value); read.ec != std::errc() || read.ptr != end)
      return std::nullopt;
    values.push_back(value);
  }
  return values.size() == count ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  const auto begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view between = " \t\r\n,";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return words;
}

std::optional<std::vector<double>> numbers_of(std::string_view text, std::size_t count) {
  auto values = parsed<double>(text, count);
  if (values && !std::all_of(values->begin(), values->end(), [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  return values;
}

std::optional<std::vector<int64_t>> integers_of(std::string_view text, std::size_t count) {
  return parsed<int64_t>(text, count);
}

std::string shape_text(std::span<const int64_t> shape) {
  std::string text;
  for (const int64_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text.empty() ? "one number" : text;
}

std::string formatted(const char* format, ...) {
  va_list to_measure, to_write;
  va_start(to_measure, format);
  va_copy(to_write, to_measure);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, to_measure)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, to_write);
  va_end(to_write);
  va_end(to_measure);
  return text;
}

}  // namespace tl
