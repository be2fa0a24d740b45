// What FBP and FDK share: their parameters, weighting and filtering of the views, and the size of the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "core/node/node_builder.h"
#include "gpu/ops/ramp_filter.h"

namespace tl {

enum class RampChoice { none, ram_lak, shepp_logan, cosine, hamming, hann };
std::vector<Choice> ramp_choices();

struct FilterParams {
  RampChoice filter = RampChoice::ram_lak;
  double cutoff = 1;
  ops::RowExtension extension = ops::RowExtension::zero;
};

struct GridParams {
  std::optional<Length> voxel_size;
  std::optional<int64_t> width;
};

// P derives from FilterParams.
template <class P>
void declare_filter(NodeBuilder<P>& n, const std::string& meaning_of_none) {
  n.param("filter", static_cast<RampChoice P::*>(&P::filter), ramp_choices())
      .title("Filter")
      .help("Ramp filter with a window that trades sharpness for noise; 'none' is " + meaning_of_none + ".");
  n.param("cutoff", static_cast<double P::*>(&P::cutoff))
      .title("Cutoff")
      .unit(Unit::nyquist)
      .range(0.01, 1)
      .help("Frequencies above this fraction of the Nyquist frequency are removed; lower is smoother.");
  n.param("extension", static_cast<ops::RowExtension P::*>(&P::extension), {{"zero", "Nothing"}, {"edge", "Repeat the edge"}})
      .title("Beyond the detector")
      .advanced()
      .help("What the filter assumes beyond the detector: repeat the edge when the object is wider than the detector.");
}

// P derives from GridParams. `natural` says what the voxel size is when it is not given.
template <class P>
void declare_grid(NodeBuilder<P>& n, const std::string& natural) {
  n.param("voxel_size", static_cast<std::optional<Length> P::*>(&P::voxel_size))
      .title("Voxel size")
      .unit(Unit::um)
      .range(1e-6, 1e9)
      .automatic(natural)
      .help("Edge of a cubic voxel.");
  n.param("width", static_cast<std::optional<int64_t> P::*>(&P::width))
      .title("Width")
      .range(1, 1 << 20)
      .automatic("as many voxels as it takes to cover the detector's width")
      .advanced()
      .help("Slices are this many voxels wide and high.");
}

enum class ConeWeights { none, fdk };

struct FilterTask {
  FilterParams params;
  double pitch = 1;  // [mm] on the (virtual) detector
  ConeWeights cone = ConeWeights::none;
};

// Views times their angular weights (and FDK's cosines), ramp-filtered; kept in the run's memo unless learning.
Result<at::Tensor> filtered_views(const FilterTask& task, const Projections& in, NodeRun& r);

// Reconstruction wants line integrals; counts and transmission are refused with the node that is missing.
Result<void> needs_line_integrals(const ProjectionsInfo& scan);

// The scan's natural grid with a voxel size [mm] and a width in voxels of one's own, over the same field of view.
Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params);

// The detector rows and columns that see a wanted piece of the volume.
ScanRegion views_seen(const Infos& in, const Region& wanted);
// Bytes of the filtered views and of the back-projector's rearranged copy of them.
int64_t filtered_bytes(const Infos& in, const Region& wanted, int64_t element_size);

}  // namespace tl
