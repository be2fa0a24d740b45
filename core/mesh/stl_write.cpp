// STL, binary: 80 bytes of text, the number of triangles, and 50 bytes for each.
#include <cmath>
#include <limits>

#include "core/mesh/mesh_file.h"

namespace tl::mesh {
namespace {

using Point = std::array<float, 3>;

Point unit_normal(const Point& a, const Point& b, const Point& c) {
  std::array<double, 3> u{}, v{};
  for (std::size_t d = 0; d < 3; ++d) u[d] = double{b[d]} - double{a[d]}, v[d] = double{c[d]} - double{a[d]};
  const std::array<double, 3> n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(n[0], n[1], n[2]);
  if (length == 0) return {0, 0, 0};
  return {static_cast<float>(n[0] / length), static_cast<float>(n[1] / length), static_cast<float>(n[2] / length)};
}

}  // namespace

Result<io::OutputFile> write_stl(const MeshTarget& target, const Mesh& mesh) {
  const int64_t count = triangle_count(mesh);
  if (count > std::numeric_limits<uint32_t>::max())
    return invalid("STL counts triangles in 32 bits, and there are " + std::to_string(count), target.path.string(),
                   "Keep fewer triangles, or choose another format");
  TL_TRY(io::OutputFile file, io::OutputFile::create(target.path, target.rules));
  FileBuffer out(file, target.cancel);
  // Not beginning with "solid", by which readers recognise the text form.
  std::string header = "Binary STL, mm, made by Tomoloom; its pipeline stands in the record next to it";
  constexpr std::size_t header_bytes = 80;
  header.resize(header_bytes, ' ');
  TL_TRY(out.put(header));
  TL_TRY(out.put_number(static_cast<uint32_t>(count)));
  for (const LabelSurface& part : mesh)
    for (const Triangle& t : part.triangles) {
      const Point &a = part.vertices[t[0]], &b = part.vertices[t[1]], &c = part.vertices[t[2]];
      for (const Point& p : {unit_normal(a, b, c), a, b, c})
        for (const float number : p) TL_TRY(out.put_number(number));
      TL_TRY(out.put_number(uint16_t{0}));
    }
  TL_TRY(out.flush());
  return file;
}

}  // namespace tl::mesh
