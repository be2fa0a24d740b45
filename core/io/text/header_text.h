// Parsing of the words and numbers in the text headers of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl::io {

std::string without_spaces_around(std::string_view text);
std::string lower_case_of(std::string text);
// The words between spaces, commas or tabs.
std::vector<std::string> header_words(std::string_view text);
// Finite numbers; nothing if a word is not one or there are not `count` of them.
std::optional<std::vector<double>> numbers_of(std::string_view text, std::size_t count);
std::optional<std::vector<int64_t>> integers_of(std::string_view text, std::size_t count);

}  // namespace tl::io
