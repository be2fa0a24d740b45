// Reads and writes linear transforms of images, a line each.
#include "core/io/text/xf_file.h"

#include "core/base/text.h"
#include "core/io/text/text_file.h"

namespace tl::io {

Result<std::vector<ImageTransform>> read_xf_file(const std::filesystem::path& path) {
  constexpr std::size_t most_images = std::size_t{1} << 20, longest_line = 4096, numbers = 6;
  constexpr int64_t max_bytes = int64_t{1} << 28;
  TL_TRY(const std::string text, read_text(path, "the file with the transforms", max_bytes));
  std::vector<ImageTransform> all;
  int64_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    const std::string where = path.string() + ":" + std::to_string(++number);
    if (trimmed(line).empty()) continue;
    const auto n = line.size() > longest_line ? std::nullopt : numbers_of(line, numbers);
    if (!n)
      return invalid("the line is not six numbers", where,
                     "A line has four numbers of a matrix, and the shifts along x and y");
    if (all.size() == most_images) return invalid("there are more transforms than any movie has frames", where);
    all.push_back({(*n)[0], (*n)[1], (*n)[2], (*n)[3], (*n)[4], (*n)[5]});
  }
  if (all.empty()) return invalid("the file holds no transform", path.string(), "Give one line per image");
  return all;
}

std::string xf_text(const std::vector<ImageTransform>& transforms) {
  std::string text;
  for (const ImageTransform& t : transforms)
    text += formatted("%12.7f%12.7f%12.7f%12.7f %15.9g %15.9g\n", t.a11, t.a12, t.a21, t.a22, t.dx, t.dy);
  return text;
}

}  // namespace tl::io
