// Files of meshes: the list of formats, and helpers for the writers.
#include "core/mesh/mesh_file.h"

#include <algorithm>
#include <bit>

#include "core/base/text.h"
#include "core/values/label_colours.h"

namespace tl::mesh {

static_assert(std::endian::native == std::endian::little, "numbers of mesh files have the byte order of memory");

const std::vector<MeshFormat>& mesh_formats() {
  static const std::vector<MeshFormat> formats{
      {".stl", "STL", {}, write_stl}, {".ply", "PLY", {}, write_ply}, {".obj", "Wavefront OBJ", {".mtl"}, write_obj}};
  return formats;
}

Result<const MeshFormat*> mesh_format_of(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  for (const MeshFormat& format : mesh_formats())
    if (format.ending == ending) return &format;
  return invalid("the file extension does not belong to a mesh format", path.string(),
                 "Let the name end in .stl, .ply or .obj");
}

Result<void> FileBuffer::put(std::span<const std::byte> bytes) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return bytes_.size() < at_once ? ok() : flush();
}

Result<void> FileBuffer::put(std::string_view text) {
  return put(std::as_bytes(std::span<const char>(text.data(), text.size())));
}

Result<void> FileBuffer::flush() {
  cancel_.check();
  TL_TRY(io::write_all(file_.handle(), bytes_, file_.name()));
  bytes_.clear();
  return ok();
}

std::string comment_lines(std::string_view prefix, std::string_view description) {
  constexpr std::size_t longest = 200;
  std::string lines;
  while (!description.empty()) {
    std::size_t length = std::min(description.size(), longest - prefix.size());
    const auto is_inside = [&](std::size_t at) {  // continuation byte of a multi-byte character
      return at < description.size() && (static_cast<unsigned char>(description[at]) & 0xC0U) == 0x80U;
    };
    while (length > 1 && is_inside(length)) --length;
    std::string piece(description.substr(0, length));
    std::replace(piece.begin(), piece.end(), '\n', ' ');
    lines += std::string(prefix) + piece + '\n';
    description.remove_prefix(length);
  }
  return lines;
}

std::string part_name(const LabelTable& table, int64_t number) {
  const LabelClass* c = class_of(table, number);
  std::string name = c == nullptr ? "" : c->name;
  for (char& letter : name)
    if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = ' ';
  const std::size_t first = name.find_first_not_of(' ');
  if (first == std::string::npos) return "label " + std::to_string(number);
  return name.substr(first, name.find_last_not_of(' ') - first + 1);
}

}  // namespace tl::mesh
