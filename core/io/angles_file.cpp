// Reads view angles from a text file.
#include "core/io/angles_file.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include "core/base/units.h"

namespace tl::io {
namespace {

constexpr std::size_t most_angles = std::size_t{1} << 24;
constexpr std::size_t longest_line = std::size_t{1} << 26;  // bytes: one line may contain all angles

bool separates(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'; }

}  // namespace

Result<std::vector<double>> read_angles_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return io_error("the file with the angles does not exist", path.string(), "Check the path");
  std::ifstream in(path, std::ios::binary);
  if (!in) return io_error("the file with the angles cannot be read", path.string(), "Check permissions");
  std::vector<double> angles;
  std::string line;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    const std::string where = path.string() + ":" + std::to_string(number);
    if (line.size() > longest_line) return invalid("the line is too long for a list of angles", where);
    const char* at = line.data();
    const char* end = at + std::min(line.size(), line.find('#'));
    while (at < end) {
      if (separates(*at)) {
        ++at;
        continue;
      }
      if (*at == '+') ++at;
      double value = 0;
      const auto [after, error] = std::from_chars(at, end, value);
      if (error != std::errc() || (after < end && !separates(*after)))
        return invalid(
            "not a number: " + std::string(at, std::min<std::size_t>(20, static_cast<std::size_t>(end - at))), where,
            "Give one angle per view in degrees; comments begin with #");
      if (!std::isfinite(value)) return invalid("the angle is not finite", where, "Correct it");
      if (angles.size() >= most_angles) return invalid("more angles than any scan has views", where);
      angles.push_back(to_stored(value, Unit::deg));
      at = after;
    }
  }
  if (angles.empty()) return invalid("the file holds no angle", path.string(), "Give one angle per view in degrees");
  return angles;
}

}  // namespace tl::io
