// core/nodes/input/load_volume.cpp: open a volume on disk; only the voxels that are needed are read.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/wording.h"
#include "core/io/format.h"
#include "core/io/volume/format.h"
#include "core/io/volume/volume.h"
#include "core/node/node_builder.h"
#include "core/values/interpolated.h"
#include "core/values/subgrid.h"

namespace tl {
namespace input_load_volume_node {

enum class Format : int { automatic };  // or one of io::volume_formats(), counted from 1

struct Params {
  std::string file;
  Format format = Format::automatic;
  std::optional<Length> voxel_size;
};

// Between the voxels, so many are read and interpolated at a time.
constexpr int64_t most_read = int64_t{1} << 22, most_interpolated = int64_t{1} << 18;
constexpr int64_t bytes_of_interpolation = 4 * most_read + 64 * most_interpolated;

std::vector<Choice> format_choices() {
  std::vector<Choice> all = {{"auto_detect", "Detect"}};
  for (const io::VolumeFormat& f : io::volume_formats()) all.push_back({std::string(f.id), std::string(f.title)});
  return all;
}

Result<std::unique_ptr<io::VolumeReader>> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no volume is chosen", "file",
                   two_wordings("Give the volume's file name: --set NODE.file=VOLUME",
                                "Choose the volume's file in the form of this node"));
  const auto formats = io::volume_formats();
  const auto chosen = static_cast<std::size_t>(p.format);
  return io::open_volume(p.file, p.format == Format::automatic ? std::string_view() : formats[chosen - 1].id, cancel);
}

// Name of the reader of the file as it is now: a file that changed gets another reader.
std::string reader_name(const Params& p) {
  const auto stamp = io::stamp_of(p.file);
  if (!stamp) return "reader";
  return "reader " + std::to_string(stamp->inode) + " " + std::to_string(stamp->size) + " " +
         std::to_string(stamp->seconds) + "." + std::to_string(stamp->nanoseconds);
}

// The grid of the file, with the voxel size that the user gave: the volume grows or shrinks about the origin.
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
  VolumeInfo info;
  info.grid = grid_of(p, file);
  info.unit = file.unit;
  info.voxel_size = p.voxel_size ? Origin::user : file.voxel_size;
  return Infos{{"volume", info}};
}

// The voxels around the points of a grid; empty ranges if all points lie outside.
GridBox box_around(const VolumeGrid& whole, const VolumeGrid& wanted) {
  std::array<double, 3> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const int64_t k : {int64_t{0}, wanted.nz - 1})
    for (const int64_t j : {int64_t{0}, wanted.ny - 1})
      for (const int64_t i : {int64_t{0}, wanted.nx - 1}) {
        const GridPoint at = fractional_index(
            whole, wanted.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
        const std::array<double, 3> index = {at.k, at.j, at.i};
        for (std::size_t d = 0; d < 3; ++d) {
          low[d] = std::min(low[d], index[d]);
          high[d] = std::max(high[d], index[d]);
        }
      }
  const auto range = [&](std::size_t d, int64_t n) {
    const double last = static_cast<double>(n);
    const auto begin = static_cast<int64_t>(std::clamp(std::floor(low[d]), 0.0, last));
    const auto end = static_cast<int64_t>(std::clamp(std::floor(high[d]) + 2, 0.0, last));
    return Range{begin, std::max(begin, end)};
  };
  return {range(0, whole.nz), range(1, whole.ny), range(2, whole.nx)};
}

// Interpolates at the points of a grid between the voxels, in parts that need few voxels each. `out` is zero, which
// stays outside of the volume.
Result<void> interpolate(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                         const at::Tensor& out, const CancelToken& cancel) {
  constexpr int64_t wasteful = 64, small = 4096;  // voxels read per point; points
  const GridBox box = box_around(whole, wanted);
  const int64_t read = box.z.size() * box.y.size() * box.x.size(), points = wanted.count();
  if (read == 0) return ok();
  cancel.check();
  if (points > 1 && (read > most_read || points > most_interpolated || (read > wasteful * points && points > small))) {
    const std::array<int64_t, 3> sizes = {wanted.nz, wanted.ny, wanted.nx};
    const auto axis = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    const auto half = [&](int64_t begin, int64_t end) -> Result<void> {
      std::array<Range, 3> part = {Range{0, wanted.nz}, Range{0, wanted.ny}, Range{0, wanted.nx}};
      part[static_cast<std::size_t>(axis)] = {begin, end};
      return interpolate(reader, whole, wanted.sub(part[0], part[1], part[2]), out.narrow(axis, begin, end - begin),
                         cancel);
    };
    const int64_t n = sizes[static_cast<std::size_t>(axis)];
    TL_TRY(half(0, n / 2));
    return half(n / 2, n);
  }
  TL_TRY(const at::Tensor voxels, reader.read(box, cancel));
  out.copy_(interpolated(voxels, whole.sub(box.z, box.y, box.x), wanted));
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto reader = r.memo<io::VolumeReader>(reader_name(p), 1024, [&]() -> std::shared_ptr<io::VolumeReader> {
    std::shared_ptr<io::VolumeReader> opened = open(p, r.cancel()).or_throw();
    for (const std::string& note : opened->info().notes) r.message(LogLevel::info, note);
    return opened;
  });
  TL_TRY(r.host().reads(reader->inputs()));
  const VolumeGrid whole = grid_of(p, reader->info());
  const auto& wanted = std::get<VolumeGrid>(r.region);
  at::Tensor data;
  if (const auto part = find_subgrid(whole, wanted)) {
    TL_TRY(data, reader->read({part->z, part->y, part->x}, r.cancel()));
  } else {
    data = at::zeros({wanted.nz, wanted.ny, wanted.nx}, at::kFloat);
    TL_TRY(interpolate(*reader, whole, wanted, data, r.cancel()));
  }
  r.out("volume", Volume{data.to(r.dtype), wanted, reader->info().unit});
  return ok();
}

int64_t workspace(const Params&, const Infos&, const Region&, int64_t) { return bytes_of_interpolation; }

Result<std::string> fingerprint(const Params& p) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  std::string all;
  for (const auto& file : reader->files()) {
    TL_TRY(const std::string one, io::fingerprint(file));
    all += (all.empty() ? "" : " ") + one;
    // A folder of thousands of slices is identified by its first ones and the count.
    if (all.size() > 4096) return all + " ... " + std::to_string(reader->files().size()) + " files";
  }
  return all;
}

Result<ScanFiles> files(const Params& p) {
  TL_TRY(const std::unique_ptr<io::VolumeReader> reader, open(p));
  return ScanFiles{p.file, reader->files()};
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_volume", 1).title("Load volume").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Opens a volume on disk: TIFF, a folder of slices, HDF5 (NXtomoproc, nabu), NRRD, MetaImage or NIfTI.");
  n.description(
      "Reads only the voxels that later nodes need; between the voxels it interpolates linearly, and outside of the "
      "volume values are 0. Voxel size, position, unit and the scale of integers are taken from the file; what it does "
      "not say is guessed and reported. For files without directions, row 0 of a slice is the largest y.");
  n.synonyms(
      {"open", "import", "reconstruction", "TIFF", "ImageJ", "HDF5", "NeXus", "nabu", "raw", "MHD", "NRRD", "NIfTI"});
  n.output<Volume>("volume", "The volume, at the place and in the unit that the file states.");
  n.param("file", &Params::file)
      .title("File")
      .input_file()
      .help("The volume: a TIFF, HDF5, .nrrd, .mhd, .mha or .nii file, or a folder of TIFF slices.");
  n.param("format", &Params::format, format_choices())
      .title("Format")
      .advanced()
      .help("File format; usually detected from the file.");
  n.param("voxel_size", &Params::voxel_size)
      .title("Voxel size")
      .unit(Unit::um)
      .range(1e-6, 1e9)
      .automatic("as the file says, else 1 mm")
      .help("Distance of voxels along x; the other axes and the position keep their ratio to it.");
  n.infos(infos).workspace(workspace).run(run).fingerprint(fingerprint).files(files);
}

}  // namespace input_load_volume_node

TL_NODE(input_load_volume)

}  // namespace tl
