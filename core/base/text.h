// Text: words, numbers and shapes, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tl {

// Without spaces, tabs and line ends on both sides; a part of `text`.
std::string_view trimmed(std::string_view text);
// Converts ASCII letters only; other bytes are unchanged.
std::string lower_case(std::string_view text);
// The words between spaces, tabs, line ends or commas.
std::vector<std::string> words_of(std::string_view text);
// The `count` finite numbers in a text; nothing if a word is not a number or there are more or fewer.
std::optional<std::vector<double>> numbers_of(std::string_view text, std::size_t count);
std::optional<std::vector<int64_t>> integers_of(std::string_view text, std::size_t count);
// "3 x 512 x 512"; "one number" for an empty shape.
std::string shape_text(std::span<const int64_t> shape);
// As std::printf writes it.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

}  // namespace tl
