// Wavefront OBJ: lines of text, with a group and a material for each class.
#include <algorithm>
#include <charconv>

#include "core/mesh/mesh_file.h"
#include "core/values/label_colours.h"

namespace tl::mesh {
namespace {

std::string material_of(const LabelSurface& part) { return "label_" + std::to_string(part.number); }

// Names of groups are separated by spaces.
std::string group_of(const LabelTable& table, const LabelSurface& part) {
  std::string name = part_name(table, part.number);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

template <class T>
void add_number(std::string& line, T number) {
  char text[32];
  line += ' ';
  line.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::string materials_text(const LabelTable& table, const Mesh& mesh) {
  constexpr float full = 255;
  std::string text = "# Materials of the classes, made by Tomoloom\n";
  for (const LabelSurface& part : mesh) {
    const LabelColour c = label_colour(table, part.number);
    text += "newmtl " + material_of(part) + "\nKd";
    for (const uint8_t byte : {c.red, c.green, c.blue}) add_number(text, static_cast<float>(byte) / full);
    text += "\n";
  }
  return text;
}

}  // namespace

Result<io::OutputFile> write_obj(const MeshTarget& target, const Mesh& mesh) {
  std::filesystem::path materials = target.path;
  materials.replace_extension(".mtl");
  TL_TRY(io::OutputFile file, io::OutputFile::create(target.path, target.rules));
  FileBuffer out(file, target.cancel);
  TL_TRY(out.put("# Made by Tomoloom, lengths in mm\n" + comment_lines("# tomoloom ", target.description) + "mtllib " +
                 materials.filename().string() + "\n"));
  uint64_t first = 1;
  std::string line;
  for (const LabelSurface& part : mesh) {
    TL_TRY(out.put("g " + group_of(target.table, part) + "\nusemtl " + material_of(part) + "\n"));
    for (const std::array<float, 3>& v : part.vertices) {
      line = "v";
      for (const float number : v) add_number(line, number);
      TL_TRY(out.put(line + "\n"));
    }
    for (const Triangle& t : part.triangles) {
      line = "f";
      for (const uint32_t corner : t) add_number(line, first + corner);
      TL_TRY(out.put(line + "\n"));
    }
    first += part.vertices.size();
  }
  TL_TRY(out.flush());
  TL_TRY(io::OutputFile colours, io::uncommitted_text(materials, materials_text(target.table, mesh), target.rules));
  file.add_companion(std::move(colours));
  return file;
}

}  // namespace tl::mesh
