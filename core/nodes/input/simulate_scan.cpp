// core/nodes/input/simulate_scan.cpp: a scan of a known phantom, with uneven flats, darks, photon noise, a misplaced
// axis.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/grid_projection.h"
#include "core/base/random.h"
#include "core/node/node_builder.h"
#include "core/nodes/input/simulated_contrast.h"
#include "core/nodes/input/simulated_materials.h"
#include "core/nodes/input/simulated_motion.h"
#include "gpu/simulate/detector_defects.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"

namespace tl::input_simulate_scan_node {

enum class Body {
  shepp_logan,
  shepp_logan_original,
  shepp_logan_3d,
  disc,
  hollow_box,
  ellipses,
  geode,
  thin_box,
  hollow_sphere
};
enum class Noise { photons, none, gaussian };

// Samples along each edge of a voxel: the value at a surface is then right to 1/27 of the step.
constexpr int64_t samples_per_voxel = 3;

struct Params : ContrastParams, SimulatedMaterials, MotionParams {
  Body phantom = Body::shepp_logan_3d;
  double size = 0.9;
  std::optional<Attenuation> attenuation;
  int64_t views = 180, rows = 64, cols = 128;
  Length pixel_size{1};
  Beam beam = Beam::parallel;
  Length source_to_axis{1000}, axis_to_detector{500};
  Angle range = 180_deg, first_angle = 0_deg;
  double axis = 0;
  Angle tilt = 0_deg;
  double photons = 1e4, unevenness = 0.1, dark_level = 100;
  double stripes = 0, zingers = 0, dead_pixels = 0;
  int64_t flats = 20, darks = 20, seed = 1, rays = 1;
  Noise noise = Noise::photons;
  double noise_share = 0.12;
};

Result<ScanGeometry> geometry_of(const Params& p) {
  Orbit o;
  o.beam = p.beam;
  o.angles = equidistant_angles(p.views, p.range.value, p.first_angle.value);
  if (p.beam == Beam::cone) {
    o.source_to_axis = p.source_to_axis.value;
    o.axis_to_detector = p.axis_to_detector.value;
  }
  if (p.beam == Beam::parallel) o.axis_to_detector = p.distance.value;
  o.axis = p.axis;
  o.tilt = p.tilt.value;
  return ScanGeometry::from_orbit(o, {p.rows, p.cols, p.pixel_size.value, p.pixel_size.value});
}

// The radius of the phantom: the share `size` of the circle that stays in the field despite the misplaced axis.
double radius_of_phantom(const Params& p) {
  const double magnification =
      p.beam == Beam::cone ? (p.source_to_axis.value + p.axis_to_detector.value) / p.source_to_axis.value : 1;
  const double field = (0.5 * static_cast<double>(p.cols) - std::abs(p.axis)) * p.pixel_size.value / magnification;
  return p.size * field;
}

// Attenuation [1/mm] of the phantom's value 1.
double value_of_phantom(const Params& p) {
  if (const auto material = index_of(p).or_throw()) return material->attenuation;
  return p.attenuation ? p.attenuation->value : 1 / radius_of_phantom(p);
}

ops::Phantom phantom_of(const Params& p) {
  const double scale = radius_of_phantom(p);
  const auto seed = static_cast<uint64_t>(p.seed);
  const auto make = [&]() -> ops::Phantom {
    switch (p.phantom) {
      case Body::shepp_logan: return ops::shepp_logan_2d(scale, ops::Contrast::modified);
      case Body::shepp_logan_original: return ops::shepp_logan_2d(scale, ops::Contrast::original);
      case Body::disc: return ops::disc(scale);
      case Body::hollow_box: return ops::hollow_box(scale / 1.8, scale / 6);  // corners and cube stay in the field
      case Body::ellipses: return ops::random_ellipses(scale, 12, seed);
      case Body::geode: return ops::geode(scale, seed);
      case Body::thin_box: return ops::hollow_box(scale / 1.8, scale / 10.8);
      case Body::hollow_sphere: return ops::hollow_sphere(scale / 1.6, scale / 10.8);
      case Body::shepp_logan_3d: break;
    }
    return ops::shepp_logan_3d(scale);
  };
  return ops::with_values_scaled(make(), value_of_phantom(p));
}

// Beam and detector response per pixel of a region [row, col]: a broad bump and a fixed pattern, mean about 1.
at::Tensor response(const Params& p, Range rows, Range cols) {
  at::Tensor gain = at::empty({rows.size(), cols.size()}, at::kDouble);
  double* out = gain.data_ptr<double>();
  for (int64_t r = rows.begin; r < rows.end; ++r)
    for (int64_t c = cols.begin; c < cols.end; ++c) {
      const double x = (static_cast<double>(c) + 0.5) / static_cast<double>(p.cols) - 0.5;
      const double y = (static_cast<double>(r) + 0.5) / static_cast<double>(p.rows) - 0.5;
      const Philox pattern{static_cast<uint64_t>(p.seed), static_cast<uint64_t>(r * p.cols + c)};
      const double grain = 0.3 * pattern.normal(uint64_t{3} << 32);  // its own random series, see NoiseSeries
      *out++ = std::max(0.05, 1 + p.unevenness * (0.5 - 4 * x * x - 2 * y * y + grain));
    }
  return gain;
}

// Transmission of the phantom, or of the sample made of materials.
Result<at::Tensor> transmission_of(const Params& p, const ops::Phantom& phantom, const ScanGeometry& whole,
                                   const ScanRegion& part, NodeRun& r) {
  const ops::PhantomSampling sampling{at::kDouble, p.rays, r.cancel()};
  if (!is_spectral(p)) return simulated_transmission(p, phantom, whole, part, sampling);
  const ScanGeometry geometry = whole.crop(part);
  if (p.labels) {
    TL_TRY(const at::Tensor absorption, spectral_absorption(p, geometry, r));
    return at::exp(-absorption);
  }
  const at::Tensor lengths = ops::phantom_projections(phantom, geometry, sampling) / value_of_phantom(p);
  TL_TRY(const at::Tensor absorption, spectral_absorption(p, lengths));
  return at::exp(-absorption);
}

Result<at::Tensor> true_volume(const Params& p, const VolumeGrid& grid, NodeRun& r) {
  if (is_spectral(p) && p.labels) {
    TL_TRY(const at::Tensor values, label_attenuations(p, grid, r));
    return values.to(r.dtype);
  }
  const at::Tensor values = ops::phantom_volume(phantom_of(p), grid, {r.dtype, samples_per_voxel, r.cancel()});
  if (!is_spectral(p)) return values;
  TL_TRY(const std::vector<double> mu, effective_attenuations(p));
  return values * (mu.front() / value_of_phantom(p));
}

ops::DetectorDefects defects_of(const Params& p) {
  return {p.stripes, p.zingers, p.dead_pixels, static_cast<uint64_t>(p.seed), p.rows, p.cols};
}

// A stray photon reads several times the empty beam.
constexpr double zinger_strength = 5;
constexpr int64_t pixels_at_once = int64_t{1} << 23;

// Random counts with the given means: one frame of means for all, or one per frame.
at::Tensor counted(const Params& p, const at::Tensor& means, const ops::NoiseFrame& frame, at::ScalarType type) {
  const bool projections = frame.series == ops::NoiseSeries::projections;
  // The transport-of-intensity model can give negative values.
  if (p.noise == Noise::photons) return ops::poisson_counts(projections ? means.clamp_min(0) : means, frame, type);
  const bool noisy = p.noise == Noise::gaussian && projections;
  if (!noisy) return means.to(type).contiguous();
  return ops::add_gaussian_noise(means, p.noise_share * p.photons, frame).to(type);
}

Result<void> check(const Params& p, const Infos&) {
  TL_TRY(ScanGeometry g, geometry_of(p));
  if (!(0.5 * static_cast<double>(p.cols) > std::abs(p.axis)))
    return invalid("the axis lies outside the detector", "axis", "It is given in pixels from the detector centre");
  const double reach = 0.5 * static_cast<double>(p.cols) * p.pixel_size.value;
  if (p.beam == Beam::cone && g.magnification() > 1 && reach / g.magnification() > 0.9 * p.source_to_axis.value)
    return invalid("the source lies inside the field of view", "source_to_axis",
                   "Move the source away or use fewer columns");
  if (p.attenuation && !p.material.empty())
    return invalid("both material and attenuation are given", "attenuation",
                   "The material has an attenuation: give one");
  if (is_spectral(p) && !p.material.empty())
    return invalid("both material and materials are given", "materials",
                   "Give either one material in a beam of one energy, or materials in the beam of a tube");
  if (body_moves(p) && (p.contrast || p.labels))
    return invalid("a body that moves has neither phase contrast nor labels of a file", "drift_x",
                   "Set the drifts to 0, or leave contrast and labels out");
  TL_TRY(check_materials(p));
  return check_contrast(p, {p.beam, p.beam == Beam::cone ? p.axis_to_detector.value : p.distance.value});
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  ProjectionsInfo info;
  TL_TRY(info.geometry, geometry_of(p));
  info.kind = PixelKind::counts;
  info.flats = p.flats;
  info.darks = p.darks;
  info.energy = p.energy ? p.energy->value : 0;
  return Infos{{"projections", info}, {"truth", VolumeInfo{default_grid(info.geometry), Unit::per_mm}}};
}

Result<void> run(const Params& p, NodeRun& r) {
  if (const auto* grid = std::get_if<VolumeGrid>(&r.region)) {
    TL_TRY(const at::Tensor values, true_volume(p, grid_in_body(p, *grid), r));
    return r.done("truth", Volume{values, *grid});
  }
  const auto& region = std::get<ScanRegion>(r.region);
  TL_TRY(ScanGeometry whole, geometry_of(p));
  TL_TRY(const ScanGeometry seen, seen_from_body(p, whole));
  Projections out;
  out.geometry = whole.crop(region);
  out.kind = PixelKind::counts;
  const ops::DetectorDefects defects = defects_of(p);
  const ops::Phantom phantom = phantom_of(p);
  const at::Tensor beam =
      p.photons * response(p, region.rows, region.cols) * ops::working_pixels(defects, region.rows, region.cols);
  const at::Tensor open_beam = beam * ops::stripe_gain(defects, region.rows, region.cols);
  // Computes a few views at a time: intermediate results in double take several times the memory of the output.
  const int64_t frame = region.rows.size() * region.cols.size();
  const int64_t together = std::max<int64_t>(1, pixels_at_once / std::max<int64_t>(frame, 1));
  out.data = at::empty({region.views.size(), region.rows.size(), region.cols.size()}, r.dtype);
  for (int64_t first = region.views.begin; first < region.views.end; first += together) {
    ScanRegion part = region;
    part.views = {first, std::min(region.views.end, first + together)};
    TL_TRY(const at::Tensor transmission, transmission_of(p, phantom, seen, part, r));
    const ops::NoiseFrame place{static_cast<uint64_t>(p.seed), ops::NoiseSeries::projections, part, p.rows, p.cols};
    at::Tensor counts = counted(p, open_beam * transmission + p.dark_level, place, at::kDouble);
    ops::add_zingers(counts, defects, part, zinger_strength * p.photons);
    out.data.narrow(0, first - region.views.begin, part.views.size()).copy_(counts);
  }
  const auto frames = [&](int64_t n, const at::Tensor& mean, ops::NoiseSeries series) {
    const ops::NoiseFrame place{
        static_cast<uint64_t>(p.seed), series, {{0, n}, region.rows, region.cols}, p.rows, p.cols};
    return counted(p, (mean + p.dark_level).expand({n, region.rows.size(), region.cols.size()}), place, r.dtype);
  };
  if (p.flats > 0) out.references.flats = frames(p.flats, beam, ops::NoiseSeries::flats);
  if (p.darks > 0) out.references.darks = frames(p.darks, at::zeros_like(beam), ops::NoiseSeries::darks);
  // Half of the flats before the scan, the rest after it.
  for (int64_t i = 0; i < p.flats; ++i)
    out.references.flat_positions.push_back(2 * i < p.flats ? -0.5 : static_cast<double>(p.views) - 0.5);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.simulate_scan", 1).title("Simulate scan").category("Input").partition(Partition::custom);
  n.not_differentiable("it simulates recorded numbers");
  n.summary("Simulates a scan of a known phantom with uneven flats, darks, photon noise and a misplaced axis.");
  n.description(
      "Computes analytic line integrals, ray by ray, in a parallel or a cone beam, and gives detector counts with "
      "flats (half before, half after the scan) and darks. The noise of a pixel depends only on the seed and its "
      "position: any part of the scan, on any number of threads, gives the same counts. With materials the beam is "
      "that of an X-ray tube, and the object hardens it: the value 1 of a phantom then means the material, or each "
      "label of a file means one of several materials.");
  n.cite("Shepp, Logan, IEEE Trans. Nucl. Sci. 21 (1974) 21");
  n.cite("Kak, Slaney, Principles of Computerized Tomographic Imaging, IEEE Press (1988)");
  n.synonyms({"phantom", "Shepp-Logan", "test data", "synthetic", "Poisson noise", "simulation", "projections"});
  n.output<Projections>("projections", "Detector counts with flats, darks and the true geometry.");
  n.output<Volume>("truth", "The phantom itself, averaged over voxels: the result of a perfect reconstruction.");
  n.param("phantom", "Phantom", &Params::phantom,
          {{Body::shepp_logan, "shepp_logan", "Shepp-Logan, easy contrast"},
           {Body::shepp_logan_original, "shepp_logan_original", "Shepp-Logan, original contrast"},
           {Body::shepp_logan_3d, "shepp_logan_3d", "Shepp-Logan 3D"},
           {Body::disc, "disc", "Disc"},
           {Body::hollow_box, "hollow_box", "Hollow box"},
           {Body::ellipses, "ellipses", "Random ellipses"},
           {Body::geode, "geode", "Geode: shell, grains, pores and cracks"},
           {Body::thin_box, "thin_box", "Hollow box, thin walls"},
           {Body::hollow_sphere, "hollow_sphere", "Hollow sphere"}})
      .help(
          "Object that is scanned. All but Shepp-Logan 3D, the boxes, the sphere and the geode are infinitely long "
          "along the axis. With a size of 0.9 the box of thin walls is half as wide as the detector; if the detector "
          "has a multiple of 48 columns, its faces lie between voxels.");
  n.param("size", "Size", &Params::size)
      .range(0.01, 2)
      .help("Radius of the phantom as a share of the largest circle that stays in the field; above 1 it is truncated.");
  n.param("attenuation", "Attenuation", &Params::attenuation)
      .range(1e-9, 1e9, Unit::per_cm)
      .automatic("attenuation of the material, or 1 / radius of the phantom")
      .help("Attenuation of the phantom's value 1.");
  n.param("views", "Views", &Params::views).range(1, 1000000).help("Number of projections.");
  n.param("rows", "Rows", &Params::rows).range(1, 100000).help("Detector rows.");
  n.param("cols", "Columns", &Params::cols).range(1, 100000).help("Detector columns.");
  n.param("pixel_size", "Pixel size", &Params::pixel_size)
      .range(1e-3, 1e7, Unit::um)
      .help("Edge of the square detector pixels.");
  n.param("beam", "Beam", &Params::beam, {{Beam::parallel, "parallel", "Parallel"}, {Beam::cone, "cone", "Cone"}})
      .help("Parallel (synchrotron) or cone (laboratory source) beam.");
  n.param("source_to_axis", "Source to axis", &Params::source_to_axis)
      .range(1e-3, 1e9, Unit::mm)
      .help("Distance from the source to the rotation axis (cone beam).");
  n.param("axis_to_detector", "Axis to detector", &Params::axis_to_detector)
      .range(0, 1e9, Unit::mm)
      .help("Distance from the rotation axis to the detector (cone beam).");
  n.param("range", "Angular range", &Params::range)
      .range(-36000, 36000, Unit::deg)
      .help("Divided into as many equal steps as there are views; no view is taken at the end of the range.");
  n.advanced_param("first_angle", "First angle", &Params::first_angle)
      .range(-36000, 36000, Unit::deg)
      .help("Gantry angle of the first view.");
  n.param("axis", "Axis", &Params::axis)
      .range(-50000, 50000, Unit::px)
      .help("Rotation axis, in pixels from the detector centre.");
  n.advanced_param("tilt", "Tilt", &Params::tilt)
      .range(-45, 45, Unit::deg)
      .help("Tilt of the rotation axis in the detector plane: its top leans towards larger columns.");
  n.param("photons", "Photons", &Params::photons)
      .range(1, 1e12)
      .help("Mean counts of the empty beam above the dark level.");
  n.param("noise", "Noise", &Params::noise,
          {{Noise::photons, "photons", "Photon noise"},
           {Noise::none, "none", "None"},
           {Noise::gaussian, "gaussian", "Gaussian"}})
      .help("Poisson noise; the exact mean counts; or Gaussian noise of the projections, with exact flats and darks.");
  n.advanced_param("noise_share", "Gaussian noise", &Params::noise_share)
      .range(0, 10)
      .help("Standard deviation of Gaussian noise, as a share of the mean counts of the empty beam.");
  n.param("unevenness", "Unevenness", &Params::unevenness)
      .range(0, 1)
      .help("Strength of the uneven beam and of the detector's fixed pattern.");
  n.param("stripes", "Stripes", &Params::stripes)
      .range(0, 1)
      .help(
          "Share of the pixels whose gain changed by some 5 % after the flats: stripes in sinograms, rings in slices.");
  n.param("zingers", "Zingers", &Params::zingers)
      .range(0, 1)
      .help("Fraction of the pixel values hit by a stray photon.");
  n.param("dead_pixels", "Dead pixels", &Params::dead_pixels)
      .range(0, 1)
      .help("Share of the pixels that always read the dark level.");
  n.param("flats", "Flats", &Params::flats).range(0, 10000).help("Images of the empty beam.");
  n.param("darks", "Darks", &Params::darks).range(0, 10000).help("Images without beam.");
  n.param("dark_level", "Dark level", &Params::dark_level)
      .range(0, 1e9)
      .help("Mean counts without beam, in every image.");
  n.param("seed", "Seed", &Params::seed).range(0, 2147483647).help("The same seed gives the same numbers.");
  n.advanced_param("rays", "Rays per pixel edge", &Params::rays)
      .range(1, 16)
      .help("Rays along each edge of a pixel; more than one averages the line integrals over the pixel.");
  describe_contrast(n);
  describe_motion(n);
  declare_simulated_materials(n);
  n.fingerprint([](const Params& p) { return fingerprint_of_labels(p); });
  n.files([](const Params& p) { return files_of_labels(p); });
  n.check(check).infos(infos).run(run);
}

}  // namespace tl::input_simulate_scan_node

TL_NODE(input_simulate_scan)
