// core/nodes/input/load_pairs.cpp: pairs of sinograms and slices to train with, as one scan and one volume.
#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "core/base/grid_box.h"
#include "core/base/wording.h"
#include "core/io/open_scan.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/file_states.h"
#include "core/nodes/input/volume_file.h"
#include "core/values/interpolated.h"

namespace tl::input_load_pairs_node {

enum class RowOrder { lowest_first, highest_first };

struct Params {
  std::string file, data, targets_file, targets, more_data, more_targets;
  std::string angles_dataset, angles_file;
  std::optional<Angle> first_angle, angle_step;
  Length pixel_size{1};
  RowOrder target_rows = RowOrder::lowest_first;
};

std::string targets_path(const Params& p) { return p.targets_file.empty() ? p.file : p.targets_file; }

// Samples of one kind: sinograms [sample][view, col], or slices [sample][y, x].
class Samples2d {
 public:
  int64_t count = 0, rows = 0, cols = 0;
  std::vector<double> angles;  // of sinograms
  std::string where;
  std::unique_ptr<io::ScanReader> scan;
  std::unique_ptr<io::VolumeReader> volume;

  [[nodiscard]] std::vector<std::filesystem::path> files() const { return scan ? scan->files() : volume->files(); }
  [[nodiscard]] const std::shared_ptr<io::InputFiles>& inputs() const {
    return scan ? scan->inputs() : volume->inputs();
  }
};

// A dataset is named in a message by its file and path.
std::string place_of(const std::string& file, const std::string& dataset) {
  return dataset.empty() ? file : file + ":" + dataset;
}

Result<Samples2d> open_sinograms(const Params& p, const std::string& dataset, const CancelToken& cancel) {
  io::ScanChoices c;
  c.data = dataset;
  c.order = io::FrameOrder::sinograms;
  c.pixels = io::ScanPixels::absorption;
  c.angles_dataset = p.angles_dataset;
  c.angles_file = p.angles_file;
  if (p.first_angle) c.first_angle = p.first_angle->value;
  if (p.angle_step) c.angle_step = p.angle_step->value;
  Samples2d s;
  s.where = place_of(p.file, dataset);
  TL_TRY(s.scan, io::open_scan(p.file, {}, {cancel, c}));
  const io::ScanInfo& info = s.scan->info();
  s.count = info.rows;
  s.rows = info.views;
  s.cols = info.cols;
  s.angles = info.angles.value;
  return s;
}

Result<Samples2d> open_slices(const Params& p, const std::string& dataset, const CancelToken& cancel) {
  Samples2d s;
  const std::string file = targets_path(p);
  s.where = place_of(file, dataset);
  if (dataset.empty()) {
    TL_TRY(s.volume, io::open_volume(file, {}, cancel));
    const VolumeGrid& g = s.volume->info().grid;
    s.count = g.nz;
    s.rows = g.ny;
    s.cols = g.nx;
    return s;
  }
  io::ScanChoices c;  // meaningless angles, which a reader of frames requires
  c.data = dataset;
  c.pixels = io::ScanPixels::absorption;
  c.first_angle = 0;
  c.angle_step = 0.01;
  TL_TRY(s.scan, io::open_scan(file, {}, {cancel, c}));
  s.count = s.scan->info().views;
  s.rows = s.scan->info().rows;
  s.cols = s.scan->info().cols;
  return s;
}

struct Pairs {
  std::vector<Samples2d> sinograms, slices;  // the first samples, and further ones
  [[nodiscard]] int64_t count() const {
    return std::accumulate(slices.begin(), slices.end(), int64_t{0},
                           [](int64_t sum, const Samples2d& s) { return sum + s.count; });
  }
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto* kind : {&sinograms, &slices})
      for (const Samples2d& s : *kind)
        for (const std::filesystem::path& f : s.files())
          if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
    return all;
  }
};

std::string size_text(const Samples2d& s) { return std::to_string(s.rows) + " x " + std::to_string(s.cols); }

Result<Pairs> open(const Params& p, const CancelToken& cancel = {}) {
  if (p.file.empty())
    return invalid("no pairs are chosen", "file",
                   two_wordings("Give the file of the sinograms, for example with --input FILE",
                                "Choose the file of the sinograms in the form of this node"));
  if (p.targets_file.empty() && p.targets.empty())
    return invalid("nothing says where the slices to learn are", "targets",
                   "Name their dataset, or another file or folder");
  if (p.more_data.empty() != p.more_targets.empty())
    return invalid("further samples need sinograms and slices", p.more_data.empty() ? "more_data" : "more_targets",
                   "Name both datasets, or none");
  Pairs pairs;
  for (const auto& [data, targets] : {std::pair(p.data, p.targets), std::pair(p.more_data, p.more_targets)}) {
    if (!pairs.slices.empty() && data.empty()) break;
    TL_TRY(Samples2d sinograms, open_sinograms(p, data, cancel));
    TL_TRY(Samples2d slices, open_slices(p, targets, cancel));
    if (sinograms.count != slices.count)
      return invalid(
          std::to_string(sinograms.count) + " sinograms and " + std::to_string(slices.count) + " slices make no pairs",
          slices.where, "Name datasets or folders with one slice for every sinogram");
    if (!pairs.slices.empty() &&
        (sinograms.rows != pairs.sinograms[0].rows || sinograms.cols != pairs.sinograms[0].cols ||
         slices.rows != pairs.slices[0].rows || slices.cols != pairs.slices[0].cols))
      return invalid("further pairs are of " + size_text(sinograms) + " and " + size_text(slices) + ", the others of " +
                         size_text(pairs.sinograms[0]) + " and " + size_text(pairs.slices[0]),
                     slices.where, "All samples need the same size");
    pairs.sinograms.push_back(std::move(sinograms));
    pairs.slices.push_back(std::move(slices));
  }
  return pairs;
}

Result<ScanGeometry> geometry_of(const Params& p, const Pairs& pairs) {
  const double pixel = p.pixel_size.value;
  return ScanGeometry::parallel(pairs.sinograms[0].angles, {pairs.count(), pairs.sinograms[0].cols, pixel, pixel});
}

VolumeGrid grid_of(const Params& p, const Pairs& pairs) {
  VolumeGrid grid = VolumeGrid::cubic(pairs.count(), pairs.slices[0].rows, pairs.slices[0].cols, p.pixel_size.value);
  return grid;
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  TL_TRY(const Pairs pairs, open(p));
  ProjectionsInfo scan;
  TL_TRY(scan.geometry, geometry_of(p, pairs));
  scan.kind = PixelKind::absorption;
  return Infos{{"projections", scan}, {"target", VolumeInfo{grid_of(p, pairs), Unit::per_mm}}};
}

Result<void> require_finite(const at::Tensor& samples, int64_t dim, int64_t first, const std::string& where) {
  const at::Tensor bad = at::isfinite(samples).logical_not();
  if (!bad.any().item<bool>()) return ok();
  const at::Tensor which = bad.movedim(dim, 0).flatten(1).any(1).nonzero();
  return invalid("sample " + std::to_string(first + which[0].item<int64_t>()) + " holds values that are not numbers",
                 where, "Leave it out, or repair it");
}

// The samples [begin, end) that lie in a part of `count` samples from `offset` on, as indices within the part.
Range within(Range samples, int64_t offset, int64_t count) {
  const Range r{std::max(samples.begin - offset, int64_t{0}), std::min(samples.end - offset, count)};
  return r.begin < r.end ? r : Range{0, 0};
}

Result<at::Tensor> read_sinograms(const Pairs& pairs, const ScanRegion& region, NodeRun& r) {
  std::vector<at::Tensor> parts;
  int64_t offset = 0;
  for (const Samples2d& s : pairs.sinograms) {
    if (const Range rows = within(region.rows, offset, s.count); !rows.empty()) {
      std::vector<int64_t> views(static_cast<std::size_t>(region.views.size()));
      std::iota(views.begin(), views.end(), region.views.begin);
      TL_TRY(at::Tensor part, s.scan->read_views(views, rows, region.cols, Samples::floats, r.cancel()));
      TL_TRY(require_finite(part, 1, rows.begin, s.where));
      parts.push_back(std::move(part));
    }
    offset += s.count;
  }
  return at::cat(parts, 1).to(r.dtype);
}

// Slices [sample, y, x] in the order of the samples.
Result<at::Tensor> read_slices(const Params& p, const Pairs& pairs, Range samples, NodeRun& r) {
  std::vector<at::Tensor> parts;
  int64_t offset = 0;
  for (const Samples2d& s : pairs.slices) {
    if (const Range wanted = within(samples, offset, s.count); !wanted.empty()) {
      const Range rows{0, s.rows}, cols{0, s.cols};
      at::Tensor part;
      if (s.volume) {
        TL_TRY(part, s.volume->read({wanted, rows, cols}, r.cancel()));
      } else {
        std::vector<int64_t> frames(static_cast<std::size_t>(wanted.size()));
        std::iota(frames.begin(), frames.end(), wanted.begin);
        TL_TRY(part, s.scan->read_views(frames, rows, cols, Samples::floats, r.cancel()));
        if (p.target_rows == RowOrder::highest_first) part = part.flip(1);
      }
      TL_TRY(require_finite(part, 0, wanted.begin, s.where));
      parts.push_back(std::move(part));
    }
    offset += s.count;
  }
  return at::cat(parts, 0).to(r.dtype);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto pairs = r.memo<Pairs>(reader_name({p.file, targets_path(p)}), 1024,
                                   [&] { return std::make_shared<Pairs>(open(p, r.cancel()).or_throw()); });
  for (const auto* kind : {&pairs->sinograms, &pairs->slices})
    for (const Samples2d& s : *kind) TL_TRY(r.host().reads(s.inputs()));
  if (const auto* region = std::get_if<ScanRegion>(&r.region)) {
    Projections out;
    TL_TRY(out.data, read_sinograms(*pairs, *region, r));
    TL_TRY(const ScanGeometry whole, geometry_of(p, *pairs));
    out.geometry = whole.crop(*region);
    out.kind = PixelKind::absorption;
    return r.done("projections", std::move(out));
  }
  // The first sample is the first detector row, which sees the last slice.
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const VolumeGrid grid = grid_of(p, *pairs);
  const auto box = box_in(grid, wanted);
  const Range slices = box ? box->z : Range{0, grid.nz};
  TL_TRY(at::Tensor found, read_slices(p, *pairs, {grid.nz - slices.end, grid.nz - slices.begin}, r));
  found = found.flip(0);
  found = box ? found.narrow(1, box->y.begin, box->y.size()).narrow(2, box->x.begin, box->x.size()).contiguous()
              : interpolated(found, grid, wanted);
  return r.done("target", Volume{found, wanted, Unit::per_mm});
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_pairs", 1).title("Load pairs").category("Input").partition(Partition::custom);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Opens pairs of sinograms and slices, to train reconstructions and networks with.");
  n.description(
      "Sinograms [sample, view, column] become the detector rows of one parallel scan, the first sample being the top "
      "row; slices [sample, y, x] become the true volume, the first sample being the last slice. Batches of rows are "
      "then batches of samples. Both are datasets of an HDF5 file, or a folder each of any format; values are line "
      "integrals in units of the pixel size, and attenuation. A second pair of datasets is appended to the first, to "
      "be held out from learning.");
  n.synonyms({"training", "dataset", "supervised", "deep learning", "phantoms", "batches", "validation"});
  n.output<Projections>("projections", "The sinograms, one detector row each.");
  n.output<Volume>("target", "The slices, one for each sinogram.");
  n.param("file", "File", &Params::file).input_file().help("HDF5 file with the sinograms, or a folder of them.");
  n.param("data", "Sinograms", &Params::data)
      .help("HDF5 path of the sinograms [sample, view, column]. Empty: the format of the file defines the path.");
  n.advanced_param("targets_file", "File of the slices", &Params::targets_file)
      .input_file()
      .help("Another HDF5 file, a volume, or a folder of slices. Empty: they are in the file of the sinograms.");
  n.param("targets", "Slices", &Params::targets)
      .help("HDF5 path of the slices [sample, y, x]. Empty: the file of the slices is a volume.");
  n.param("more_data", "Further sinograms", &Params::more_data)
      .help("HDF5 path of sinograms that come after the others, for example to be held out.");
  n.param("more_targets", "Further slices", &Params::more_targets)
      .help("HDF5 path of the slices of the further sinograms.");
  n.param("angles_dataset", "Angles in the file", &Params::angles_dataset)
      .help("HDF5 path of one angle per view, in the unit of its attribute \"units\".");
  n.advanced_param("angles_file", "File of angles", &Params::angles_file)
      .input_file()
      .help("Text file with one angle per view.");
  n.advanced_param("first_angle", "First angle", &Params::first_angle)
      .range(-36000, 36000, Unit::deg)
      .automatic("0")
      .help("Angle of the first view, if neither file nor dataset contains angles.");
  n.advanced_param("angle_step", "Step of angles", &Params::angle_step)
      .range(-360, 360, Unit::deg)
      .automatic("from the file")
      .help("Angle between views, if neither file nor dataset contains angles.");
  n.param("pixel_size", "Pixel size", &Params::pixel_size)
      .range(1e-6, 1e9, Unit::um)
      .help("Distance between detector columns, and edge of the voxels of the slices.");
  n.advanced_param("target_rows", "Rows of the slices", &Params::target_rows,
                   {{RowOrder::lowest_first, "lowest_first", "Lowest first"},
                    {RowOrder::highest_first, "highest_first", "Highest first"}})
      .help("Whether row 0 of a slice in a dataset has the smallest or the largest y.");
  n.infos(infos).run(run);
  describe_files<open>(n);
}

}  // namespace tl::input_load_pairs_node

TL_NODE(input_load_pairs)
