// Nodes that only tests know.
#include "tests/support/phantom_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <thread>
#include <tuple>

#include "core/base/random.h"
#include "core/node/node_builder.h"
#include "core/nodes/displacement.h"
#include "core/values/crop.h"
#include "core/values/grid_positions.h"
#include "gpu/phase/paganin.h"
#include "gpu/simulate/phantom_library.h"
#include "gpu/simulate/poisson.h"

std::vector<tl::NodeType> tl_node_list();

namespace tl::test {
namespace {

enum class BeamKind { parallel, cone };
enum class Pixels { absorption, transmission, counts, thickness };
enum class Gaps { none, one_nan };
enum class Body { shepp_logan, balls };

struct Source {
  int64_t views = 60, rows = 8, cols = 48;
  Angle range = 180_deg;
  double axis = 0;
  Angle tilt = 0_deg, lean = 0_deg;
  double jitter = 0, drift = 0, photons = 0, height = 1, pixel = 1, delta_over_beta = 0;
  int64_t seed = 1, rays = 1;
  BeamKind beam = BeamKind::parallel;
  Pixels kind = Pixels::absorption;
  double density = 1;
  Gaps gaps = Gaps::none;
  Body body = Body::shepp_logan;
};

constexpr int64_t flats_at_each_end = 2, dark_frames = 2;
constexpr double flat_drift = 0.05;            // relative increase of the beam's brightness until the end of the scan
constexpr double energy = 20, distance = 100;  // [keV], [mm] behind the axis

PixelKind pixel_kind(const Source& p) {
  return p.kind == Pixels::counts         ? PixelKind::counts
         : p.kind == Pixels::transmission ? PixelKind::transmission
         : p.kind == Pixels::thickness    ? PixelKind::thickness
                                          : PixelKind::absorption;
}

Result<ScanGeometry> geometry(const Source& p) {
  Orbit o;
  o.angles = equidistant_angles(p.views, p.range.value, 0.01);
  o.axis = p.axis;
  o.tilt = p.tilt.value;
  o.axis_to_detector = distance;
  const Philox random{11, static_cast<uint64_t>(p.seed)};
  for (int64_t n = 0; n < p.views && (p.jitter > 0 || p.drift != 0); ++n) {
    const double moved = p.drift * static_cast<double>(n) / static_cast<double>(p.views);
    o.shift_u.push_back(p.jitter * (2 * random.uniform(static_cast<uint64_t>(2 * n)) - 1) + moved);
    o.shift_v.push_back(p.jitter * (2 * random.uniform(static_cast<uint64_t>(2 * n + 1)) - 1) - moved);
  }
  if (p.beam == BeamKind::cone) {
    o.beam = Beam::cone;
    o.source_to_axis = 200;
  }
  return ScanGeometry::from_orbit(o, {p.rows, p.cols, p.pixel, p.pixel});
}

Result<Infos> source_infos(const Source& p, const Infos&, const Findings*) {
  ProjectionsInfo info;
  TL_TRY(info.geometry, geometry(p));
  info.kind = pixel_kind(p);
  info.energy = energy;
  if (info.kind == PixelKind::counts) {
    info.flats = 2 * flats_at_each_end;
    info.darks = dark_frames;
  }
  return Infos{{"projections", info}};
}

// A smooth pattern of the detector [row, col] in indices of the whole detector.
at::Tensor pattern(Range rows, Range cols, double base, double swing, at::ScalarType dtype) {
  const at::Tensor r = at::arange(rows.begin, rows.end, at::kDouble).view({-1, 1});
  const at::Tensor c = at::arange(cols.begin, cols.end, at::kDouble).view({1, -1});
  return (base + swing * at::sin(0.7 * r + 0.3 * c)).to(dtype);
}

// Counts behind an object, with the corresponding flats and darks.
void count_photons(const Source& p, const ScanRegion& region, at::ScalarType dtype, Projections& out) {
  const at::Tensor flat = pattern(region.rows, region.cols, 1000, 150, dtype);
  const at::Tensor dark = pattern(region.rows, region.cols, 20, 3, dtype);
  std::vector<at::Tensor> flats;
  for (int64_t i = 0; i < 2 * flats_at_each_end; ++i) {
    const bool late = i >= flats_at_each_end;
    flats.push_back(late ? flat * (1 + flat_drift) : flat);
    out.references.flat_positions.push_back(late ? static_cast<double>(p.views) - 0.5 : -0.5);
  }
  out.references.flats = at::stack(flats) + dark;
  out.references.darks = at::stack(std::vector<at::Tensor>(dark_frames, dark));
  const at::Tensor time =
      (at::arange(region.views.begin, region.views.end, at::kDouble) + 0.5) / static_cast<double>(p.views);
  out.data = dark + flat * (1 + flat_drift * time).to(dtype).view({-1, 1, 1}) * out.data;
}

// Five balls at several heights and distances from the axis, whose images do not overlap in a field of 48 pixels.
ops::Phantom balls(double pixel) {
  ops::Phantom all;
  for (int n = 0; n < 5; ++n) {
    const double angle = 2.4 * n, radius = pixel * (5 + n);
    all.parts.push_back({ops::Solid::ellipsoid,
                         {radius * std::cos(angle), radius * std::sin(angle), 4 * pixel * (n - 2)},
                         {1.5 * pixel, 1.5 * pixel, 1.5 * pixel},
                         1});
  }
  return all;
}

// Complete views of transmission after propagation to the detector: multiplied by 1 + a k^2, which Paganin's filter
// inverts (transport of intensity, one material).
at::Tensor propagated(const Source& p, const at::Tensor& transmission) {
  const int64_t rows = transmission.size(1), cols = transmission.size(2);
  const auto k = [&](const at::Tensor& frequency) { return (2 * pi / p.pixel * frequency).square(); };
  const at::Tensor k2 =
      k(at::fft_fftfreq(rows, 1, at::kDouble)).view({-1, 1}) + k(at::fft_rfftfreq(cols, 1, at::kDouble)).view({1, -1});
  const double area = ops::paganin_area(energy, distance) * p.delta_over_beta;
  const at::Tensor wave = at::fft_rfft2(transmission.to(at::kDouble)) * (1 + area * k2);
  return at::fft_irfft2(wave, at::IntArrayRef{rows, cols}).to(transmission.scalar_type());
}

Result<void> source_run(const Source& p, NodeRun& r) {
  const auto& region = std::get<ScanRegion>(r.region);
  TL_TRY(ScanGeometry whole, geometry(p));
  Projections out;
  out.geometry = whole.crop(region);
  out.kind = pixel_kind(p);
  // Off the centre and without symmetry, inside the field of view.
  ops::Phantom phantom = ops::shifted(ops::shepp_logan_3d(0.3 * p.pixel * static_cast<double>(p.cols)),
                                      {2 * p.pixel, -1.5 * p.pixel, 0.3 * p.pixel});
  if (p.body == Body::balls) phantom = balls(p.pixel);
  for (ops::Primitive& part : phantom.parts) {
    part.centre.z *= p.height;
    part.half.z *= p.height;
  }
  Orbit truth = *out.geometry.orbit();
  truth.lamino += p.lean.value;
  const auto scanned =
      p.lean.value == 0 ? out.geometry : ScanGeometry::from_orbit(truth, out.geometry.detector()).or_throw();
  out.data = ops::phantom_projections(phantom, scanned, {r.dtype, p.rays, r.cancel()}) * (p.density / p.pixel);
  if (p.delta_over_beta > 0) {
    if (region != whole.full()) return invalid("a propagated scan is made as a whole", "delta_over_beta");
    out.data = -at::log(propagated(p, at::exp(-out.data)).clamp_min(1e-6));
  }
  if (p.photons > 0) {
    const ops::NoiseFrame frame{6 + static_cast<uint64_t>(p.seed), ops::NoiseSeries::projections, region, p.rows,
                                p.cols};
    const at::Tensor counts = ops::poisson_counts(p.photons * at::exp(-out.data), frame);
    out.data = -at::log(counts.clamp_min(1) / p.photons);
  }
  if (p.kind == Pixels::transmission || p.kind == Pixels::counts) out.data = at::exp(-out.data);
  if (p.kind == Pixels::counts) count_photons(p, region, r.dtype, out);
  const int64_t view = p.views / 2 - region.views.begin, row = p.rows / 2 - region.rows.begin,
                col = p.cols / 2 - region.cols.begin;
  const bool inside =
      std::min({view, row, col}) >= 0 && view < out.data.size(0) && row < out.data.size(1) && col < out.data.size(2);
  if (p.gaps == Gaps::one_nan && inside) out.data[view][row][col].fill_(std::numeric_limits<double>::quiet_NaN());
  r.out("projections", std::move(out));
  return ok();
}

void describe_source(NodeBuilder<Source>& n) {
  n.id("test.phantom", 1).title("Phantom").category("Input").summary("Test source.").partition(Partition::custom);
  n.output<Projections>("projections", "A scan of a phantom.");
  n.param("views", "views", &Source::views).range(1, 10000).help("Views.");
  n.param("rows", "rows", &Source::rows).range(1, 10000).help("Rows.");
  n.param("cols", "cols", &Source::cols).range(1, 10000).help("Columns.");
  n.param("range", "range", &Source::range).range(1, 720, Unit::deg).help("Angular range.");
  n.param("axis", "axis", &Source::axis).range(-100, 100, Unit::px).help("Axis.");
  n.param("lean", "lean", &Source::lean)
      .range(-20, 20, Unit::deg)
      .help("Of the axis along the beam; whole scans only.");
  n.param("tilt", "tilt", &Source::tilt).range(-10, 10, Unit::deg).help("Tilt of the axis in the detector's plane.");
  n.param("jitter", "jitter", &Source::jitter)
      .range(0, 10, Unit::px)
      .help("Views are shifted by up to this, in both directions.");
  n.param("drift", "drift", &Source::drift).range(-10, 10, Unit::px).help("And by this from first to last.");
  n.param("photons", "photons", &Source::photons).range(0, 1e9).help("Noise of so many photons; 0 = none.");
  n.param("seed", "seed", &Source::seed).range(1, 1000000).help("Of the noise and the shifts.");
  n.param("rays", "rays", &Source::rays).range(1, 16).help("Per edge of a pixel.");
  n.param("height", "height", &Source::height).range(0.01, 10).help("Factor of the phantom's height.");
  n.param("beam", "beam", &Source::beam,
          {{BeamKind::parallel, "parallel", "Parallel"}, {BeamKind::cone, "cone", "Cone"}})
      .help("Beam.");
  n.param("kind", "kind", &Source::kind,
          {{Pixels::absorption, "absorption", "Absorption"},
           {Pixels::transmission, "transmission", "Transmission"},
           {Pixels::counts, "counts", "Counts"},
           {Pixels::thickness, "thickness", "Thickness"}})
      .help("What the pixels are; counts come with flats and darks.");
  n.param("pixel", "pixel", &Source::pixel)
      .range(1e-4, 10, Unit::mm)
      .help("Of the detector; the phantom goes with it.");
  n.param("delta_over_beta", "delta_over_beta", &Source::delta_over_beta)
      .range(0, 1e6)
      .help("Of the phantom; 0 = no propagation.");
  n.param("density", "density", &Source::density).range(0, 10).help("Factor of the phantom's attenuation.");
  n.param("gaps", "gaps", &Source::gaps, {{Gaps::none, "none", "None"}, {Gaps::one_nan, "one_nan", "One NaN"}})
      .help("Whether the middle pixel is NaN.");
  n.param("body", "body", &Source::body,
          {{Body::shepp_logan, "shepp_logan", "Shepp-Logan"}, {Body::balls, "balls", "Balls"}})
      .help("What is scanned.");
  n.infos(source_infos).run(source_run);
}

struct Nothing {};

Result<void> pass_on(const Nothing&, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& whole = r.info<ProjectionsInfo>("projections").geometry.detector();
  const auto& w = std::get<ScanRegion>(r.region);
  TL_CHECK(in.data.size(1) == whole.rows && in.data.size(2) == whole.cols, "whole views were promised");
  Projections out = crop(in, {{0, in.geometry.views()}, w.rows, w.cols});
  r.out("projections", std::move(out));
  return ok();
}

void describe_per_view(NodeBuilder<Nothing>& n) {
  n.id("test.per_view", 1).title("Per view").category("Correction").summary("Test filter.");
  n.partition(Partition::per_view);
  n.input<Projections>("projections", "Any.");
  n.output<Projections>("projections", "The same.");
  n.run(pass_on);
}

enum class What { bad_alloc, torch, torch_memory, std_exception, failure };
struct Throws {
  What what = What::bad_alloc;
};

Result<void> throw_it(const Throws& p, NodeRun&) {
  switch (p.what) {
    case What::bad_alloc: throw std::bad_alloc();
    case What::torch: std::ignore = at::ones({2}).view({3}); return ok();
    case What::torch_memory:
      TORCH_CHECK(false, "DefaultCPUAllocator: not enough memory: you tried to allocate 4 bytes");
    case What::std_exception: throw std::runtime_error("odd");
    case What::failure: throw Failure(invalid("wrong", "here", "do that"));
  }
  return ok();
}

void describe_throws(NodeBuilder<Throws>& n) {
  n.id("test.throws", 1).title("Throws").category("Correction").summary("Test node.").partition(Partition::pointwise);
  n.input<Projections>("projections", "Any.");
  n.output<Projections>("projections", "None.");
  n.param("what", "what", &Throws::what,
          {{What::bad_alloc, "bad_alloc", "a"},
           {What::torch, "torch", "b"},
           {What::torch_memory, "torch_memory", "m"},
           {What::std_exception, "std", "c"},
           {What::failure, "failure", "d"}})
      .help("What to throw.");
  n.run(throw_it);
}

// A smooth displacement of some voxels' edges [mm], the same at a position whatever part is asked for.
Result<Infos> waves_infos(const Nothing&, const Infos& in, const Findings*) {
  return Infos{
      {"displacement", MapsInfo{std::get<VolumeInfo>(in.at("volume")).grid, displacement_channels(), false, Unit::mm}}};
}
Result<Regions> waves_needs(const Nothing&, const Infos&, const Region& wanted) { return Regions{{"volume", wanted}}; }
Result<void> make_waves(const Nothing&, NodeRun& r) {
  const auto& grid = std::get<VolumeGrid>(r.region);
  const at::Tensor at = grid_positions(grid);
  const double edge = norm(r.info<VolumeInfo>("volume").grid.step_x);
  const at::Tensor all =
      at::stack({at::sin(at[1] / (9 * edge)), at::cos(at[0] / (7 * edge)), at::sin(at[0] / (8 * edge))});
  return r.done("displacement", Maps{(0.6 * edge * all).to(r.dtype), grid, Unit::mm});
}

void describe_waves(NodeBuilder<Nothing>& n) {
  n.id("test.displacement", 1).title("Displacement").category("Filter").summary("Test node.");
  n.partition(Partition::custom);
  n.input<Volume>("volume", "Whose grid is taken.");
  n.output<Maps>("displacement", "Waves.");
  n.infos(waves_infos).needs(waves_needs).run(make_waves);
}

Result<void> many_steps(const Nothing&, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  for (int64_t i = 0; i < 1000; ++i) {
    out.data = out.data + 1;
    r.metric("step", i, 0);
  }
  r.out("projections", std::move(out));
  return ok();
}

void describe_steps(NodeBuilder<Nothing>& n) {
  n.id("test.steps", 1).title("Steps").category("Correction").summary("Test node.").partition(Partition::pointwise);
  n.input<Projections>("projections", "Any.");
  n.output<Projections>("projections", "Other ones.");
  n.run(many_steps);
}

std::atomic<bool> gate_is_closed = false, gate_has_waiting = false;

Result<void> pass_gate(const Nothing&, NodeRun& r) {
  while (gate_is_closed) {
    gate_has_waiting = true;
    if (r.cancel().cancelled()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  gate_has_waiting = false;
  if (r.cancel().cancelled()) return cancelled();
  r.out("projections", r.in<Projections>("projections"));
  return ok();
}

void describe_gate(NodeBuilder<Nothing>& n) {
  n.id("test.gate", 1).title("Gate").category("Correction").summary("Test node.").partition(Partition::pointwise);
  n.input<Projections>("projections", "Any.");
  n.output<Projections>("projections", "The same.");
  n.run(pass_gate);
}

}  // namespace

NodeType gate() { return NodeBuilder<Nothing>::build(describe_gate); }
void open_gate() { gate_is_closed = false; }
void close_gate() { gate_is_closed = true; }
bool anyone_waits_at_the_gate() { return gate_has_waiting; }
NodeType displacement_source() { return NodeBuilder<Nothing>::build(describe_waves); }
NodeType many_operations() { return NodeBuilder<Nothing>::build(describe_steps); }
NodeType phantom_source() { return NodeBuilder<Source>::build(describe_source); }
NodeType per_view_filter() { return NodeBuilder<Nothing>::build(describe_per_view); }
NodeType thrower() { return NodeBuilder<Throws>::build(describe_throws); }

const Registry& registry() {
  static const Registry all = [] {
    auto types = tl_node_list();
    for (auto make : {phantom_source, per_view_filter, thrower, many_operations, gate, displacement_source})
      types.push_back(make());
    return Registry(std::move(types));
  }();
  return all;
}

}  // namespace tl::test
