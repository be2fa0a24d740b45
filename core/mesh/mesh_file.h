// Files of meshes: STL, PLY and OBJ.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/io/output/output_file.h"
#include "core/mesh/mesh.h"
#include "core/values/label_table.h"

namespace tl::mesh {

struct MeshTarget {
  std::filesystem::path path;
  LabelTable table;         // names and colours of the parts
  std::string description;  // {"pipeline": ..., "provenance": ...}, for formats with room for text
  io::OutputRules rules;
  CancelToken cancel;  // writing throws Failure{cancelled}
};

struct MeshFormat {
  std::string_view ending;  // ending of the file name, ".stl"
  std::string_view title;
  // Endings of further files ("NAME.mtl"), committed with this one.
  std::vector<std::string_view> companion_endings;
  std::function<Result<io::OutputFile>(const MeshTarget&, const Mesh&)> write;
};

const std::vector<MeshFormat>& mesh_formats();
// The format by the ending of a file name, ignoring case. Invalid for other endings; the error lists the supported
// ones.
Result<const MeshFormat*> mesh_format_of(const std::filesystem::path& path);

// All formats use mm, and x, y, z in the frame of the scan.
//
// Binary STL: triangles of all parts with their normals; no classes and no unit. Invalid beyond 2^32 - 1 triangles.
Result<io::OutputFile> write_stl(const MeshTarget& target, const Mesh& mesh);
// Binary, little endian: vertices and faces with the colour of their class, faces with its number ("label"). The
// description is in comments "tomoloom ..." of at most 200 bytes, to be joined.
Result<io::OutputFile> write_ply(const MeshTarget& target, const Mesh& mesh);
// Text: a group of each class with a material of its colour in NAME.mtl. The description is in comments as of PLY.
Result<io::OutputFile> write_obj(const MeshTarget& target, const Mesh& mesh);

// Buffers the bytes of a file, and writes a megabyte at a time.
class FileBuffer {
 public:
  FileBuffer(const io::OutputFile& file, const CancelToken& cancel) : file_(file), cancel_(cancel) {}
  Result<void> put(std::span<const std::byte> bytes);
  Result<void> put(std::string_view text);
  // A number in the byte order of this machine, which the files use too.
  template <class T>
  Result<void> put_number(T number) {
    return put(std::as_bytes(std::span<const T, 1>(&number, 1)));
  }
  Result<void> flush();

 private:
  const io::OutputFile& file_;
  CancelToken cancel_;
  std::vector<std::byte> bytes_;
};

// The description as lines of at most 200 bytes that begin with `prefix`, never cut within a character.
std::string comment_lines(std::string_view prefix, std::string_view description);
// "enamel", or "label 3" without a name; one line, without spaces at its ends.
std::string part_name(const LabelTable& table, int64_t number);

}  // namespace tl::mesh
