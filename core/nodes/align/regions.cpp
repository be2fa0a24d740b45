// core/nodes/align/regions.cpp: finds the direction of each image of an object of which a volume is known.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/measured.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/node/node_builder.h"
#include "core/nodes/align/found_directions.h"
#include "gpu/filtering/fourier_volume/planes.h"

namespace tl::align_regions_node {

enum class Give { agreeing, all };

struct Params {
  int64_t regions = 42;
  double reach = 4;
  Angle spacing = 9_deg;
  int64_t edge = 32, steps = 1000, seed = 1;
  Give give = Give::agreeing;
};

// Of run(): the views that come out, with their geometry.
struct Found {
  std::vector<int64_t> views;
  ScanGeometry geometry;
};

constexpr int64_t least_edge = 8;  // [px]

DirectionsSpec spec_of(const Params& p, const Infos& in) {
  const DetectorShape& d = scan_of(in).geometry.detector();
  DirectionsSpec spec;
  spec.reference.grid = volume_of(in).grid;
  spec.reference.detector = d;
  spec.reference.edge = std::min(p.edge, d.cols) / 4 * 4;
  spec.reference.parts = std::max(int64_t{1}, static_cast<int64_t>(std::ceil(0.4 * pi / p.spacing.value - 1e-9)));
  spec.regions = p.regions;
  spec.reach = p.reach;
  spec.steps = p.steps;
  spec.seed = static_cast<uint64_t>(p.seed);
  return spec;
}

Result<void> check_images(const ProjectionsInfo& scan) {
  if (scan.kind != PixelKind::absorption && scan.kind != PixelKind::thickness)
    return invalid("directions are found in absorption, this is " + std::string(to_string(scan.kind)), "projections",
                   scan.kind == PixelKind::counts ? "Put a flat-field node before it"
                                                  : "Switch on the logarithm, or state that the movie is absorption");
  if (!scan.geometry.is_parallel())
    return invalid("the images are of a cone beam, which sees an object differently at each place", "projections",
                   "Connect images of a parallel beam");
  const DetectorShape& d = scan.geometry.detector();
  if (d.rows != d.cols || std::abs(d.pitch_u - d.pitch_v) > 1e-6 * d.pitch_u)
    return invalid("the images are not square: " + std::to_string(d.cols) + " x " + std::to_string(d.rows) +
                       " pixels of " + formatted("%.4g", d.pitch_u) + " x " + formatted("%.4g", d.pitch_v) + " mm",
                   "projections", "Crop them to squares around the object, with square pixels");
  if (d.cols < least_edge)
    return invalid("images of " + std::to_string(d.cols) + " pixels show no direction", "projections",
                   "At least " + std::to_string(least_edge) + " x " + std::to_string(least_edge) + " are needed");
  return ok();
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  TL_TRY(check_images(scan));
  const DetectorShape& d = scan.geometry.detector();
  if (p.reach > 0.25 * static_cast<double>(d.cols))
    return invalid("shifts of " + formatted("%.4g", p.reach) + " px would move the object out of images of " +
                       std::to_string(d.cols) + " px",
                   "reach", "Give at most a quarter of the images' width");
  if (volume_of(in).pending) return ok();
  const VolumeGrid& g = volume_of(in).grid;
  if (std::min({g.nz, g.ny, g.nx}) < 4)
    return invalid("the reference has fewer than 4 voxels along an axis", "volume", "Connect a volume, not a slice");
  const double field = d.pitch_u * static_cast<double>(d.cols);
  const double size = std::max({norm(g.step_x) * static_cast<double>(g.nx), norm(g.step_y) * static_cast<double>(g.ny),
                                norm(g.step_z) * static_cast<double>(g.nz)});
  constexpr double most = 4;  // beyond, the sizes of pixels and voxels do not belong together
  if (size > most * field || size < field / most)
    return invalid(
        "the reference is " + formatted("%.4g", size) + " mm wide, the images are " + formatted("%.4g", field) + " mm",
        "volume", "State the size of pixels and voxels in the nodes that load them");
  ops::FourierSampling sampling;
  sampling.grid = g;
  TL_TRY(sampling.geometry, ScanGeometry::parallel({0}, d));
  TL_TRY(ops::fourier_sizes(sampling));
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings* found) {
  TL_TRY(check(p, in));
  ProjectionsInfo scan = scan_of(in);
  scan.flats = scan.darks = 0;
  scan.pending = found == nullptr;
  if (found != nullptr) scan.geometry = std::static_pointer_cast<const Found>(found->kept)->geometry;
  return Infos{{"projections", scan}};
}

Result<Regions> all_inputs(const Params&, const Infos& in) {
  return Regions{{"projections", scan_of(in).geometry.full()}, {"volume", volume_of(in).grid}};
}

// Which views come out is known only once they are measured.
Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  if (std::holds_alternative<WholeRegion>(wanted)) return Regions{};
  ScanRegion region = std::get<ScanRegion>(wanted);
  region.views = {0, scan_of(in).geometry.views()};
  return Regions{{"projections", region}};
}

int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t) {
  const DirectionsSpec spec = spec_of(p, in);
  ops::FourierSampling sampling;
  sampling.grid = spec.reference.grid;
  const auto geometry = ScanGeometry::parallel({0}, spec.reference.detector);
  if (!geometry.ok()) return 0;
  sampling.geometry = geometry.value();
  const auto sizes = ops::fourier_sizes(sampling);
  const int64_t of_slices = sizes.ok() ? 16 * sizes.value().grid_numbers() : 0;
  return of_slices + bytes_of_directions(spec, scan_of(in).geometry.views());
}

// Pixels without a value get the mean of their image, and images without any are empty.
at::Tensor finite_images(const at::Tensor& images, NodeRun& r) {
  const at::Tensor finite = images.isfinite();
  const int64_t missing = images.numel() - finite.sum().item<int64_t>();
  if (missing == 0) return images;
  r.message(LogLevel::warning, std::to_string(missing) + " pixels without a value: the mean of the image stands in");
  const at::Tensor zero = at::zeros({}, images.options());
  const at::Tensor mean = images.where(finite, zero).sum({1, 2}, true) / finite.sum({1, 2}, true).clamp_min(1);
  return images.where(finite, mean);
}

// What all images together say.
struct Summary {
  int64_t images = 0, flat = 0, ambiguous = 0, agreeing = 0;
  Verdict verdict = Verdict::none;
};

Summary summary_of(const FoundDirections& found) {
  Summary s;
  for (const FoundDirection& d : found.images) {
    ++s.images;
    s.flat += d.verdict == Verdict::flat ? 1 : 0;
    s.ambiguous += d.verdict == Verdict::ambiguous ? 1 : 0;
    s.agreeing += d.agrees && d.verdict != Verdict::flat ? 1 : 0;
  }
  s.verdict = 2 * s.flat > s.images                 ? Verdict::flat
              : 2 * s.ambiguous > s.images - s.flat ? Verdict::ambiguous
                                                    : Verdict::resolved;
  return s;
}

void report_summary(const Summary& s, const FoundDirections& found, NodeRun& r) {
  r.message(LogLevel::info, "Network and matching agree on " + std::to_string(s.agreeing) + " of " +
                                std::to_string(s.images) + " images; noise " + formatted("%.3g", found.noise) +
                                ", amplitude " + formatted("%.3g", found.amplitude));
  if (s.flat > 0)
    r.message(LogLevel::warning,
              std::to_string(s.flat) + " of " + std::to_string(s.images) +
                  " images show no more of the reference than noise does: they have no direction and are left out");
  if (s.verdict == Verdict::ambiguous)
    r.message(
        LogLevel::warning,
        "Directions are ambiguous: of " + std::to_string(s.ambiguous) + " of " + std::to_string(s.images) +
            " images another direction is as likely. The reference looks the same from several sides, or the noise is "
            "too strong to tell them apart.");
}

Result<Findings> findings_of(const Params& p, const FoundDirections& found, const DirectionsSpec& spec, NodeRun& r) {
  const Summary s = summary_of(found);
  if (s.flat == s.images)
    return invalid("no image shows more of the reference than noise does", "projections",
                   "Look at the images, and at whether the volume is of the same object and contrast");
  report_summary(s, found, r);
  auto kept = std::make_shared<Found>();
  std::vector<View> views;
  for (std::size_t i = 0; i < found.images.size(); ++i) {
    const FoundDirection& d = found.images[i];
    if (d.verdict == Verdict::flat || (p.give == Give::agreeing && !d.agrees)) continue;
    kept->views.push_back(static_cast<int64_t>(i));
    views.push_back(view_of_pose(d.pose, spec.reference.detector, spec.reference.edge, spec.reference.grid.centre));
  }
  if (views.empty())
    return invalid("network and matching agree on no image", "give",
                   "Allow more training steps, or hand on all images and look at the table");
  TL_TRY(kept->geometry, ScanGeometry::from_views(Beam::parallel, spec.reference.detector, std::move(views)));
  Findings f;
  TL_TRY(f.values["directions"], found_directions_table(found, spec));
  const double share = static_cast<double>(s.agreeing) / static_cast<double>(s.images);
  const double sigma = std::sqrt(share * (1 - share) / static_cast<double>(s.images));
  f.values["agreement"] = Scalar{at::scalar_tensor(100 * share, at::kDouble), Unit::percent, 100 * sigma, s.verdict};
  f.kept_bytes = static_cast<int64_t>(kept->views.size() * (sizeof(View) + sizeof(int64_t)));
  f.kept = std::move(kept);
  return f;
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  if (in.vectors.defined())
    return invalid("a node before this one learns the geometry", "projections", "Remove this node while learning");
  DirectionsSpec spec = spec_of(p, r.infos);
  spec.reference.volume = r.in<Volume>("volume").data.detach().to(at::kCPU, at::kFloat).contiguous();
  spec.images = finite_images(in.data.detach().to(at::kCPU, at::kFloat), r).contiguous();
  spec.cancel = spec.reference.cancel = r.cancel();
  constexpr int64_t whole = 1000;
  spec.progress = [&r](double share) {
    r.host().event([&](EventSink& s) {
      s.node_progress(r.node(), static_cast<int64_t>(share * static_cast<double>(whole)), whole);
    });
  };
  spec.trained = [&r](int64_t step, double loss) { r.metric("loss", step, loss); };
  TL_TRY(const FoundDirections found, find_directions(spec));
  return findings_of(p, found, spec, r);
}

Result<void> run(const Params&, NodeRun& r) {
  if (!r.wants("projections")) return ok();
  const auto& in = r.in<Projections>("projections");
  if (in.vectors.defined())
    return invalid("a node before this one learns the geometry", "projections", "Remove this node while learning");
  const auto& found = *static_cast<const Found*>(r.findings->kept.get());
  const auto& region = std::get<ScanRegion>(r.region);
  const auto from = found.views.begin();
  const std::vector<int64_t> views(from + region.views.begin, from + region.views.end);
  Projections out;
  out.kind = in.kind;
  out.geometry = found.geometry.crop(region);
  out.data = in.data.index_select(0, at::tensor(views, at::kLong).to(in.data.device()));
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("align.regions", 1).title("Learn directions").category("Alignment").partition(Partition::custom);
  n.not_differentiable("directions are searched for");
  n.summary("Finds the direction of each image of an object, such as a particle, of which a volume is known.");
  n.description(
      "A small network is trained on noisy, shifted and rotated projections of the volume: it names the region of the "
      "sphere from which an image was taken. Within that region and its neighbours, correlation with projections of "
      "the volume gives direction, rotation in the plane and shift. All directions are matched too: where both agree, "
      "the direction can be trusted. How strong noise and signal are is measured in the images, so that there is "
      "nothing to tune. 'Fourier reconstruction' takes what comes out. Contrast has to be that of the volume: dense "
      "parts bright.");
  n.cite(
      "A. Jimenez-Moreno et al., DeepAlign, a 3D alignment method based on regionalized deep learning for cryo-EM, J. "
      "Struct. Biol. 213 (2021) 107712");
  n.cite(
      "P. Penczek, M. Radermacher, J. Frank, Three-dimensional reconstruction of single particles embedded in ice, "
      "Ultramicroscopy 40 (1992) 33");
  n.synonyms({"DeepAlign", "orientation", "projection matching", "particles", "single particle", "cryo-EM", "pose",
              "unknown angles", "neural network", "Euler angles", "consensus", "Xmipp"});
  n.input<Projections>("projections", "Images of the object, in absorption, in whatever direction.");
  n.input<Volume>("volume", "The object, such as an earlier reconstruction, without NaN.");
  n.output<Projections>("projections", "The images with their directions and shifts.");
  n.output<Table>("directions",
                  "By image: direction and shift as RELION has them, the region that the network names, its "
                  "probability with that of its neighbours, correlation, whether both methods agree, verdict (0 "
                  "resolved, 1 ambiguous, 2 flat).");
  n.output<Scalar>("agreement", "Share of the images on which both methods agree.");
  n.param("regions", "Regions", &Params::regions,
          {{42, "42", "42, 30 degrees apart"}, {12, "12", "12, 63 degrees apart"}, {6, "6", "6, 90 degrees apart"}})
      .help("Into how many parts the network divides the sphere of directions.");
  n.param("reach", "Largest shift", &Params::reach)
      .range(0, 1000, Unit::px)
      .help("How far the object may lie from the middle of an image.");
  n.param("give", "Hand on", &Params::give,
          {{Give::agreeing, "agreeing", "Images on which both methods agree"},
           {Give::all, "all", "All images that show the object"}})
      .help("Which images come out; the table has all of them.");
  n.param("steps", "Training steps", &Params::steps)
      .range(1, 1e6)
      .help("Steps of 64 images each with which the network is trained.");
  n.advanced_param("spacing", "Spacing of directions", &Params::spacing)
      .range(3, 36, Unit::deg)
      .help("Angle between the directions that are matched first; twice as many follow, and values between them.");
  n.advanced_param("edge", "Working size", &Params::edge)
      .range(8, 512, Unit::px)
      .help("Larger images are reduced to this edge, which loses fine detail and noise.");
  n.advanced_param("seed", "Seed", &Params::seed)
      .range(0, 1e9)
      .help("Number that fixes the network's first weights and its training images.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).measure(all_inputs, measure).run(run);
}

}  // namespace tl::align_regions_node

TL_NODE(align_regions)
