// core/nodes/output/save_mesh.cpp: write the surfaces of classes or objects as triangles.
#include <ATen/ATen.h>

#include <cmath>
#include <filesystem>

#include "core/mesh/mesh_file.h"
#include "core/mesh/mesh_filters.h"
#include "core/mesh/surface.h"
#include "core/nodes/output/output_node.h"
#include "core/values/label_colours.h"

namespace tl::output_save_mesh_node {

struct Params {
  std::string file = "surface.stl";
  const mesh::MeshFormat* format = nullptr;  // chosen by the ending of the file name
  std::vector<double> numbers;
  int64_t smoothing = 20;
  double keep = 1;
};

// Limits the size of blocks: triangles then have at least twice the memory of a block of labels.
constexpr int64_t surface_bytes_per_voxel = 8;

Result<const mesh::MeshFormat*> format_of(const Params& p) {
  if (p.format == nullptr) return mesh::mesh_format_of(p.file);
  return p.format;
}

Choices<const mesh::MeshFormat*> format_choices() {
  Choices<const mesh::MeshFormat*> choices{{nullptr, "by_name", "By the ending of the name"}};
  for (const mesh::MeshFormat& format : mesh::mesh_formats())
    choices.push_back({&format, std::string(format.ending.substr(1)), std::string(format.title)});
  return choices;
}

std::vector<std::filesystem::path> files_of(const Params& p, const mesh::MeshFormat& format) {
  std::vector<std::filesystem::path> files{p.file};
  for (const std::string_view ending : format.companion_endings)
    files.push_back(std::filesystem::path(p.file).replace_extension(ending));
  return files;
}

Result<void> check(const Params& p, const Infos& in) {
  if (p.file.empty()) return check_file_name("output.save_mesh", {}, p.file);
  TL_TRY(const mesh::MeshFormat* format, format_of(p));
  // Also if the format was chosen explicitly: the ending of another format is refused.
  TL_TRY(check_file_name("output.save_mesh", format->ending.substr(1), p.file));
  constexpr double most = 2147483647;  // of int32
  for (const double number : p.numbers)
    if (!(number >= 0 && number <= most && number == std::floor(number)))
      return invalid("a class is an integer, 0 or more", "numbers", "Give numbers of classes, such as 1, 2");
  return std::get<LabelsInfo>(in.at("labels")).grid.validate();
}

Result<std::shared_ptr<mesh::SurfaceBuilder>> begin(const Params& p, NodeRun& r) {
  TL_TRY(const mesh::MeshFormat* format, format_of(p));
  for (const std::filesystem::path& file : files_of(p, *format)) TL_TRY(check_output(file, io::OutputKind::file, r));
  mesh::SurfaceSettings settings;
  for (const double number : p.numbers) settings.numbers.insert(static_cast<int64_t>(number));
  if (const auto unlabelled = r.info<LabelsInfo>("labels").table.not_labelled) settings.without.insert(*unlabelled);
  settings.smoothing = p.smoothing;
  settings.keep = p.keep;
  settings.memory = r.memory;
  settings.cancel = r.cancel();
  return std::make_shared<mesh::SurfaceBuilder>(std::get<VolumeGrid>(r.full), settings);
}

Result<void> accumulate(const Params&, mesh::SurfaceBuilder& builder, NodeRun& r) {
  const at::Tensor slices = r.in<Labels>("labels").data.to(at::kCPU, at::kInt).contiguous();
  return builder.add({slices.const_data_ptr<int32_t>(), static_cast<std::size_t>(slices.numel())});
}

// Invalid if a requested number does not occur.
Result<void> check_all_there(const Params& p, const mesh::Mesh& surfaces) {
  for (const double number : p.numbers) {
    const auto has = [number](const mesh::LabelSurface& part) { return static_cast<double>(part.number) == number; };
    if (std::none_of(surfaces.begin(), surfaces.end(), has))
      return invalid("no voxel has the number " + std::to_string(static_cast<int64_t>(number)), "numbers",
                     "Leave it out, or look at the labels");
  }
  return ok();
}

Result<Findings> finish(const Params& p, mesh::SurfaceBuilder& builder, NodeRun& r) {
  TL_TRY(const mesh::Mesh surfaces, builder.finish());
  TL_TRY(check_all_there(p, surfaces));
  if (surfaces.empty())
    return invalid("there is no surface, since no voxel has a class", "labels", "Look at the labels");
  TL_TRY(const mesh::MeshFormat* format, format_of(p));
  mesh::MeshTarget target;
  target.path = p.file;
  target.table = r.info<LabelsInfo>("labels").table;
  target.description = embedded_description(r, target.path.parent_path());
  target.rules = r.host().output_rules();
  target.cancel = r.cancel();
  TL_TRY(io::OutputFile whole, format->write(target, surfaces));
  r.message(LogLevel::info, std::to_string(surfaces.size()) +
                                (surfaces.size() == 1 ? " surface of " : " surfaces of ") +
                                std::to_string(mesh::triangle_count(surfaces)) + " triangles");
  return deliver(std::move(whole), r);
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t) {
  return mesh::SurfaceBuilder::workspace(region_bytes(wanted, 1)) + region_bytes(wanted, surface_bytes_per_voxel);
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_mesh", "Save surfaces");
  n.role(NodeRole::save_mesh);
  n.summary("Writes the surfaces of classes or objects as triangles: STL, coloured PLY, or OBJ.");
  n.description(
      "Each class gets a closed surface, also where it touches the border of the volume, half-way between its voxels "
      "and the others. Smoothing removes the steps of voxels and keeps the enclosed volume; where two classes touch, "
      "their surfaces stay identical. Lengths are mm in the frame of the scan. The formats are .stl (binary, without "
      "classes), .ply (binary, with colours and numbers of classes), .obj (text, a group and a colour of each class, "
      "with a file .mtl next to it). PLY and OBJ embed the pipeline. Labels are read slab by slab; the triangles have "
      "to fit into memory.");
  n.cite(
      "G. Taubin, T. Zhang, G. Golub, Optimal surface smoothing as filter design, Computer Vision - ECCV '96, LNCS "
      "1064, 283 (1996)");
  n.cite("M. Garland, P. S. Heckbert, Surface simplification using quadric error metrics, SIGGRAPH 97, 209 (1997)");
  n.synonyms({"mesh", "STL", "PLY", "OBJ", "3D print", "isosurface", "marching cubes", "export", "triangles"});
  n.input<Labels>("labels", "Classes or objects: each number gets a surface.");
  declare_file(n);
  n.advanced_param("format", "Format", &Params::format, format_choices())
      .help("The format of the file; by its name, which then ends in .stl, .ply or .obj, or a given one.");
  n.param("numbers", "Classes", &Params::numbers)
      .help("Numbers of the classes to write; empty: all except 0 and unlabelled.");
  n.param("smoothing", "Smoothing", &Params::smoothing)
      .range(0, static_cast<double>(mesh::max_smoothing))
      .help("Iterations of smoothing; 0 leaves the surface between the voxels.");
  n.param("keep", "Share of triangles", &Params::keep)
      .range(0.01, 1)
      .help("Uses fewer triangles where the surface is flat: 0.1 keeps a tenth of all triangles, 1 all.");
  n.check(check).workspace(workspace).reduce<mesh::SurfaceBuilder>(begin, accumulate, finish);
}

}  // namespace tl::output_save_mesh_node

TL_NODE(output_save_mesh)
