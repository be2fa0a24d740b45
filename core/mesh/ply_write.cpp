// PLY, binary: a header of text, vertices, faces.
#include <limits>

#include "core/mesh/mesh_file.h"
#include "core/values/label_colours.h"

namespace tl::mesh {

Result<io::OutputFile> write_ply(const MeshTarget& target, const Mesh& mesh) {
  int64_t vertices = 0;
  for (const LabelSurface& part : mesh) vertices += static_cast<int64_t>(part.vertices.size());
  if (vertices > std::numeric_limits<int32_t>::max())
    return invalid("PLY counts vertices in 31 bits, and there are " + std::to_string(vertices), target.path.string(),
                   "Keep fewer triangles, or choose another format");
  TL_TRY(io::OutputFile file, io::OutputFile::create(target.path, target.rules));
  FileBuffer out(file, target.cancel);
  std::string header = "ply\nformat binary_little_endian 1.0\ncomment made by Tomoloom, lengths in mm\n";
  for (const LabelSurface& part : mesh)
    header += "comment label " + std::to_string(part.number) + " " + part_name(target.table, part.number) + "\n";
  header += comment_lines("comment tomoloom ", target.description);
  header += "element vertex " + std::to_string(vertices) +
            "\nproperty float x\nproperty float y\nproperty float z\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face " +
            std::to_string(triangle_count(mesh)) +
            "\nproperty list uchar int vertex_indices\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int label\nend_header\n";
  TL_TRY(out.put(header));
  const auto put_colour = [&](const LabelSurface& part) -> Result<void> {
    const LabelColour c = label_colour(target.table, part.number);
    for (const uint8_t byte : {c.red, c.green, c.blue}) TL_TRY(out.put_number(byte));
    return ok();
  };
  for (const LabelSurface& part : mesh)
    for (const std::array<float, 3>& v : part.vertices) {
      for (const float number : v) TL_TRY(out.put_number(number));
      TL_TRY(put_colour(part));
    }
  int32_t first = 0;
  for (const LabelSurface& part : mesh) {
    for (const Triangle& t : part.triangles) {
      TL_TRY(out.put_number(uint8_t{3}));
      for (const uint32_t corner : t) TL_TRY(out.put_number(first + static_cast<int32_t>(corner)));
      TL_TRY(put_colour(part));
      TL_TRY(out.put_number(static_cast<int32_t>(part.number)));
    }
    first += static_cast<int32_t>(part.vertices.size());
  }
  TL_TRY(out.flush());
  return file;
}

}  // namespace tl::mesh
