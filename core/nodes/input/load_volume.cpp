// core/nodes/input/load_volume.cpp: open a volume on disk; only the voxels that are needed are read.
#include <ATen/ATen.h>

#include "core/base/wording.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/volume_file.h"
#include "core/values/interpolated.h"

namespace tl::input_load_volume_node {

struct Params {
  std::string file;
  std::string format;
  std::optional<Length> voxel_size;
};

Result<std::unique_ptr<io::VolumeReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no volume is chosen", "file",
                   two_wordings("Give the volume's file name: --set NODE.file=VOLUME",
                                "Choose the volume's file in the form of this node"));
  return io::open_volume(p.file, p.format, cancel);
}

// The grid of the file, scaled about the origin to the voxel size that the user gave.
VolumeGrid grid_of(const Params& p, const io::VolumeFileInfo& file) {
  VolumeGrid grid = file.grid;
  if (!p.voxel_size) return grid;
  const double factor = p.voxel_size->value / norm(grid.step_x);
  for (Vec3* v : {&grid.centre, &grid.step_x, &grid.step_y, &grid.step_z}) *v = factor * *v;
  return grid;
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  const io::VolumeFileInfo& file = reader->info();
  VolumeInfo info{
      .grid = grid_of(p, file), .unit = file.unit, .voxel_size = p.voxel_size ? Origin::user : file.voxel_size};
  return Infos{{"volume", info}};
}

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(const auto reader, kept_reader(p.file, r, [&] { return open(p, r.cancel()); }));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  TL_TRY(const at::Tensor data, values_on_grid(*reader, grid_of(p, reader->info()), wanted, interpolated, r.cancel()));
  return r.done("volume", Volume{data.to(r.dtype), wanted, reader->info().unit});
}

int64_t workspace(const Params&, const Infos&, const Region&, int64_t) { return bytes_of_sampling; }

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_volume", 1).title("Load volume").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.role(NodeRole::load_volume);
  n.summary(
      "Opens a volume on disk: TIFF, a folder of slices, HDF5 (NXtomoproc, nabu), NRRD, MetaImage, NIfTI, MRC, "
      "OME-Zarr or DICOM.");
  n.description(
      "Reads only the voxels that later nodes need; between the voxels it interpolates linearly, and outside of the "
      "volume values are 0. Voxel size, position, unit and the scale of integers are taken from the file; missing "
      "values are guessed and reported. For files without directions, row 0 of a slice is the largest y.");
  n.synonyms({"open", "import", "reconstruction", "TIFF", "ImageJ", "HDF5", "NeXus", "nabu", "raw", "MHD", "NRRD",
              "NIfTI", "MRC", "Zarr", "OME", "DICOM"});
  n.output<Volume>("volume", "The volume, at the position and in the unit that the file states.");
  n.param("file", "File", &Params::file)
      .input_file()
      .help(
          "The volume: a TIFF, HDF5, .nrrd, .mhd, .mha, .nii, .mrc or .dcm file, or a folder: of TIFF slices, of a "
          "DICOM "
          "series, or an OME-Zarr.");
  n.advanced_param("format", "Format", &Params::format, volume_format_choices())
      .help("File format; usually detected from the file.");
  n.param("voxel_size", "Voxel size", &Params::voxel_size)
      .range(1e-6, 1e9, Unit::um)
      .automatic("as the file says, else 1 mm")
      .help("Voxel size along x. Voxel sizes along y and z and the position are scaled by the same factor.");
  n.infos(infos).workspace(workspace).run(run);
  describe_files<open>(n);
}

}  // namespace tl::input_load_volume_node

TL_NODE(input_load_volume)
