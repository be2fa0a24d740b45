// Reads positions of source and detector from a text file with twelve numbers a line.
#include "core/io/text/vectors_file.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

// The numbers of a line; nothing unless there are exactly twelve.
std::optional<ConeVector> parsed_vector(std::string_view line) {
  constexpr double largest = 1e9;
  ConeVector vector{};
  std::size_t count = 0;
  const char* at = line.data();
  const char* end = at + line.size();
  while (at < end) {
    if (is_gap(*at)) {
      ++at;
      continue;
    }
    if (*at == '+') ++at;
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (after < end && !is_gap(*after)) || !(std::abs(value) <= largest) ||
        count == vector.size())
      return std::nullopt;
    vector[count++] = value;
    at = after;
  }
  return count == vector.size() ? std::optional(vector) : std::nullopt;
}

}  // namespace

Result<std::vector<ConeVector>> read_vectors_file(const std::filesystem::path& path) {
  constexpr std::size_t max_views = std::size_t{1} << 20, longest_line = 4096;
  constexpr int64_t max_bytes = int64_t{1} << 30;
  TL_TRY(const std::string text, read_text(path, "the geometry file", max_bytes));
  std::vector<ConeVector> all;
  int64_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    const std::string where = path.string() + ":" + std::to_string(++number);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    const auto vector = line.size() > longest_line ? std::nullopt : parsed_vector(line);
    if (!vector)
      return invalid(
          "the line is not twelve numbers", where,
          "A line is the source, the centre of the detector, and its steps along columns and rows, x y z each");
    if (all.size() == max_views) return invalid("there are more views than in any scan", where);
    all.push_back(*vector);
  }
  if (all.empty()) return invalid("the geometry file holds no view", path.string(), "Copy it again from its source");
  return all;
}

}  // namespace tl::io
