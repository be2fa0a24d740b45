// core/nodes/input/labelled_phantom.cpp: a volume with noise whose true labels are known.
#include "gpu/simulate/labelled_phantom.h"
#include "gpu/device/parallel_for.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/grid_box.h"
#include "core/base/random.h"
#include "core/node/node_builder.h"

namespace tl::input_labelled_phantom_node {

struct Params {
  ops::LabelledSceneKind kind = ops::LabelledSceneKind::foam;
  int64_t width = 128, height = 96;
  Length voxel_size{0.01};
  double size = 0.9;
  std::optional<int64_t> bodies;
  Attenuation attenuation{1};
  double noise = 0.1;
  int64_t seed = 1, samples = 3;
};

VolumeGrid grid_of(const Params& p) { return VolumeGrid::cubic(p.height, p.width, p.width, p.voxel_size.value); }

ops::LabelledPhantomSpec spec_of(const Params& p) {
  ops::LabelledPhantomSpec spec{.scene = p.kind, .whole = grid_of(p), .size = p.size};
  constexpr int64_t bubbles = 300, rods = 60;
  spec.bodies = p.bodies.value_or(p.kind == ops::LabelledSceneKind::foam ? bubbles : rods);
  spec.seed = static_cast<uint64_t>(p.seed);
  return spec;
}

LabelTable table_of(const Params& p) {
  switch (p.kind) {
    case ops::LabelledSceneKind::foam:
      return {{{0, "air", "#1a1a1a"}, {1, "foam", "#b0a080"}, {2, "pore", "#3366cc"}}, {}};
    case ops::LabelledSceneKind::strands_and_spheres:
      return {{{0, "air", "#1a1a1a"}, {1, "matrix", "#b0a080"}, {2, "strand", "#cc6633"}, {3, "sphere", "#339966"}},
              {}};
    case ops::LabelledSceneKind::circles_and_squares: break;
  }
  return {{{0, "air", "#1a1a1a"}, {1, "matrix", "#b0a080"}, {2, "circle", "#cc6633"}, {3, "square", "#339966"}}, {}};
}

// Indexed by label number. Both kinds of bodies in a matrix have the same grey value: only their shapes differ.
std::array<double, 4> values_of(const Params& p) {
  const double full = p.attenuation.value;
  return p.kind == ops::LabelledSceneKind::foam ? std::array<double, 4>{0, full, 0, 0}
                                                : std::array<double, 4>{0, 0.5 * full, full, full};
}

Result<Infos> infos(const Params& p, const Infos&, const Findings*) {
  return Infos{{"volume", VolumeInfo{grid_of(p), Unit::per_mm}}, {"labels", LabelsInfo{grid_of(p), table_of(p)}}};
}

// Noise of the voxel itself, between voxels of the nearest one, so that all parts of the volume have the same noise.
void add_noise(const Params& p, const VolumeGrid& whole, const VolumeGrid& part, const at::Tensor& volume) {
  if (p.noise == 0) return;
  auto* const values = volume.mutable_data_ptr<double>();
  const double deviation = p.noise * p.attenuation.value;
  const auto index = [](double at, int64_t count) { return std::clamp<int64_t>(std::llround(at), 0, count - 1); };
  ops::parallel_for(0, part.nz * part.ny, 64, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row)
      for (int64_t i = 0; i < part.nx; ++i) {
        const int64_t k = row / part.ny, j = row % part.ny;
        const Vec3 place = part.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        const GridPoint at = fractional_index(whole, place);
        const int64_t voxel =
            (index(at.k, whole.nz) * whole.ny + index(at.j, whole.ny)) * whole.nx + index(at.i, whole.nx);
        const Philox noise{static_cast<uint64_t>(p.seed), static_cast<uint64_t>(voxel)};
        values[row * part.nx + i] += deviation * noise.normal(0);
      }
  });
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto phantom = r.memo<ops::LabelledPhantom>("bodies", int64_t{1} << 20, [&] {
    auto made = std::make_shared<ops::LabelledPhantom>(ops::LabelledPhantom::make(spec_of(p), r.cancel()).or_throw());
    const auto placed = static_cast<int64_t>(made->bodies().size());
    if (placed < spec_of(p).bodies)
      r.message(LogLevel::info,
                "there is room for " + std::to_string(placed) + " of " + std::to_string(spec_of(p).bodies) + " bodies");
    return made;
  });
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const at::Tensor values = phantom->means(wanted, values_of(p), p.samples, r.cancel());
  add_noise(p, grid_of(p), wanted, values);
  r.out("volume", Volume{values.to(r.dtype), wanted, Unit::per_mm});
  return r.done("labels", Labels{phantom->labels(wanted, r.cancel()), wanted});
}

// The volume in float64, and the labels.
int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t) { return region_bytes(wanted, 12); }

void describe(NodeBuilder<Params>& n) {
  n.id("input.labelled_phantom", 1).title("Labelled phantom").category("Input").partition(Partition::custom);
  n.not_differentiable("it simulates recorded numbers");
  n.summary("Makes a volume with noise together with its true labels, for trying and training segmentation.");
  n.description(
      "Foam is a cylinder with bubbles of many sizes, as large as fit, which touch neither each other nor its surface: "
      "all pores are closed. Strands and spheres, and round and square rods of equal cross section, have the same grey "
      "value in a matrix: no threshold separates them, only their shape does. Bodies are placed at random without "
      "touching; the same seed gives the same bodies, and any part of the volume, on any number of threads, the same "
      "numbers. Labels are those of the centres of voxels, grey values are means over voxels. Simulate a scan of it by "
      "'Forward projection'.");
  n.synonyms({"ground truth", "foam", "test data", "synthetic", "simulation", "training data", "segmentation",
              "foam_ct_phantom", "spheres"});
  n.output<Volume>("volume", "Attenuation with noise.");
  n.output<Labels>("labels", "The true classes, named in their table.");
  n.param("kind", "Kind", &Params::kind,
          {{ops::LabelledSceneKind::foam, "foam", "Foam"},
           {ops::LabelledSceneKind::strands_and_spheres, "strands_and_spheres", "Strands and spheres"},
           {ops::LabelledSceneKind::circles_and_squares, "circles_and_squares", "Circles and squares"}})
      .help("Content of the cylinder.");
  n.param("width", "Width", &Params::width).range(1, 8192, Unit::px).help("Voxels along x and along y.");
  n.param("height", "Height", &Params::height).range(1, 8192, Unit::px).help("Voxels along z.");
  n.param("voxel_size", "Voxel size", &Params::voxel_size).range(1e-3, 1e7, Unit::um).help("Edge of the cubic voxels.");
  n.param("size", "Size", &Params::size)
      .range(0.05, 2)
      .help("Radius of the cylinder, as a share of the circle inscribed in a slice.");
  n.param("bodies", "Bodies", &Params::bodies)
      .range(1, 5000)
      .automatic("300 bubbles, or 60 bodies of other kinds")
      .help("Number of bodies, if they fit; more bubbles are smaller.");
  n.param("attenuation", "Attenuation", &Params::attenuation)
      .range(1e-9, 1e9, Unit::per_cm)
      .help("Attenuation of the foam or of the bodies; a matrix has half of it, air and pores have none.");
  n.param("noise", "Noise", &Params::noise)
      .range(0, 100)
      .help("Standard deviation of the noise, as a share of the attenuation.");
  n.param("seed", "Seed", &Params::seed).range(0, 2147483647).help("The same seed gives the same numbers.");
  n.advanced_param("samples", "Samples per voxel edge", &Params::samples)
      .range(1, 16)
      .help("Points along each edge of a voxel over which its grey value is averaged.");
  n.infos(infos).workspace(workspace).run(run);
}

}  // namespace tl::input_labelled_phantom_node

TL_NODE(input_labelled_phantom)
