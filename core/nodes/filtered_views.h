// Shared by FBP and FDK: their parameters, weighting and filtering of the views, and the size of the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/node/node_builder.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/projection/redundancy.h"

namespace tl {

// No filter, or one of the windows in gpu/filtering/ramp_window.h.
Choices<std::optional<ops::RampWindow>> ramp_choices();

struct FilterParams {
  std::optional<ops::RampWindow> filter = ops::RampWindow::ram_lak;
  double cutoff = 1;
  std::optional<ops::RowExtension> extension;  // automatic: smooth
  std::optional<ops::Redundancy> rays;         // automatic: chosen by the geometry (ops::advise_redundancy)
  ops::RampKernel kernel = ops::RampKernel::spatial;
};

struct GridParams {
  std::optional<Length> voxel_size;
  std::optional<int64_t> width;
};

// P derives from FilterParams.
template <class P>
void declare_filter(NodeBuilder<P>& n, const std::string& meaning_of_none) {
  n.param("filter", "Filter", &P::filter, ramp_choices())
      .help("Ramp filter with a window that trades sharpness for noise; 'none' is " + meaning_of_none + ".");
  n.param("cutoff", "Cutoff", &P::cutoff)
      .range(0.01, 1, Unit::nyquist)
      .help("Frequencies above this fraction of the Nyquist frequency are removed; lower is smoother.");
  n.advanced_param("extension", "Beyond the detector", &P::extension,
                   {{std::nullopt, "automatic", "Automatic"},
                    {ops::RowExtension::zero, "zero", "Zeros"},
                    {ops::RowExtension::edge, "edge", "Repeat the edge"},
                    {ops::RowExtension::smooth, "smooth", "Fade out"}})
      .help(
          "Values that the ramp filter assumes beyond the detector. 'Fade out' continues a truncated object smoothly "
          "(interior tomography) and changes nothing where the rows end in air; automatic chooses it.");
  n.advanced_param("kernel", "Kernel", &P::kernel,
                   {{ops::RampKernel::spatial, "spatial", "Spatial (Ram-Lak)"},
                    {ops::RampKernel::sampled, "sampled", "Sampled |f|"}})
      .help(
          "The spatial kernel keeps the mean of a slice, as in ASTRA and nabu; the sampled ramp reduces it, as in "
          "TomoPy's gridrec. Use the sampled ramp for comparisons only.");
  n.advanced_param("rays", "Ray weights", &P::rays,
                   {{std::nullopt, "automatic", "Automatic"},
                    {ops::Redundancy::none, "none", "Equal"},
                    {ops::Redundancy::parker, "parker", "Short scan (Parker)"},
                    {ops::Redundancy::smooth, "smooth", "Faded ends"},
                    {ops::Redundancy::displaced, "displaced", "Displaced detector (Wang)"}})
      .help(
          "Redundancy weights where some rays are measured twice and others once: short scans, more than half a turn "
          "of a parallel beam, half acquisition. Automatic chooses by the geometry and reports the choice and its "
          "reason. In a live scan, views with equal weights are filtered once; with ray weights, all views of every "
          "window are filtered again.");
}

// P derives from GridParams. `natural` describes the default voxel size.
template <class P>
void declare_grid(NodeBuilder<P>& n, const std::string& natural) {
  n.param("voxel_size", "Voxel size", &P::voxel_size)
      .range(1e-6, 1e9, Unit::um)
      .automatic(natural)
      .help("Edge of a cubic voxel.");
  n.advanced_param("width", "Width", &P::width)
      .range(1, 1 << 20)
      .automatic(
          "the voxels that cover the detector's width; in reconstructions the wider field of view of half acquisition")
      .help("Slices are this many voxels wide and high.");
}

// Counter of a reconstruction (NodeRun::count_work()): number of views that it filtered.
inline constexpr std::string_view filtered_views_count = "filtered views";

enum class ConeWeights { none, fdk };

struct FilterTask {
  FilterParams params;
  double pitch = 1;  // [mm] on the (virtual) detector
  ConeWeights cone = ConeWeights::none;
  int64_t row_margin = 0;  // number of times that the outermost rows are repeated on either side, see row_margin()
};

// The back-projector interpolates between the centres of rows: values would fade beyond the outermost centres, although
// the pixels extend half a row further. Returns 1 if voxels of the grid project there: the views are then extended by
// repeating the outermost row on either side; else 0.
int64_t row_margin(const ScanGeometry& geometry, const VolumeGrid& grid);
// The scan with that many more rows on either side: the detector keeps its centre, so that view vectors do not change.
ScanGeometry with_row_margin(const ScanGeometry& geometry, int64_t margin);
at::Tensor with_row_margin(const at::Tensor& views, int64_t margin);

// Views ready for back-projection, and their scan: wider than the input if the detector is displaced, and higher by the
// row margins. `vectors` as in Projections. `data` has the run's type.
struct FilteredViews {
  at::Tensor data;
  ScanGeometry geometry;
  at::Tensor vectors;
};
// Views multiplied by their angular and ray weights (and FDK's cosines), and ramp-filtered; cached also after the run
// unless learning. Views of a window of a stream (Projections::contents) without ray weights are filtered once, however
// many windows contain them, and multiplied by their angular weights afterwards, which is equal up to rounding.
Result<FilteredViews> filtered_views(const FilterTask& task, const Projections& in, NodeRun& r);

// Steps of filtering, for views of a window of a stream (window_views.h). report_truncation: warns if the object
// extends beyond the detector, so that rows do not end near zero. add_filter_settings: adds all settings except the
// pitch to a digest.
void report_truncation(const FilterTask& task, const at::Tensor& views, const ops::DetectorMargins& margins,
                       NodeRun& r);
Result<at::Tensor> ramp_filtered(const FilterTask& task, const at::Tensor& weighted, double pitch, NodeRun& r);
void add_filter_settings(const FilterTask& task, Hasher& hasher);

// Filters views that are computed and used once: nothing is cached. They belong to filtered_geometry(), with the row
// margin.
Result<at::Tensor> filter_views_once(const FilterTask& task, const Projections& in, NodeRun& r);

// The ray weights for all pieces of a run, also for pieces whose geometry leaves out views. Reports only special cases,
// once: a choice of weights, or missing views.
Result<ops::RedundancyAdvice> choose_ray_weights(const FilterParams& params, const ScanGeometry& geometry, NodeRun& r);

// May the chosen ray weights be used?
Result<void> check_ray_weights(const FilterParams& params, const ScanGeometry& geometry);
// The whole scan as back-projected: with a wider detector if the detector is displaced.
Result<ScanGeometry> filtered_geometry(const FilterParams& params, const ScanGeometry& geometry);

// FDK filters along detector rows as if these were horizontal, and back-projects along the true rays of each view: the
// error grows with the roll of the views, so that larger rolls are refused. The detector's pitch is part of the weights
// (fdk_weights.h); a larger pitch means laminography, for which FDK is not suitable. Errors: not a cone beam on a
// circular orbit, larger rolls or pitch; the hint names the iterative methods.
inline constexpr double max_fdk_roll = 1 * pi / 180, max_fdk_pitch = 5 * pi / 180;  // [rad], roll from the mean
Result<void> check_fdk_orbit(const ScanGeometry& geometry);

// For each view of a parallel beam, the factor by which its columns are closer to each other across the beam than
// detector().pitch_u: the ramp filter is scaled by it. Empty if it is 1 in all views, and for a cone beam, whose FDK
// weights include it.
std::vector<double> column_factors(const ScanGeometry& geometry);

// Reconstruction needs line integrals; counts and transmission are refused, and the message names the missing node.
Result<void> require_line_integrals(const ProjectionsInfo& scan);

// The scan's natural grid with another voxel size [mm] and width in voxels, over the same field of view.
Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params);
// The grid for a reconstruction with these ray weights: with a displaced detector over a full turn (half acquisition)
// the field of view extends on both sides as far as the detector does on its longer side.
Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params, const FilterParams& filter);

// The largest scan [bytes in float32] whose views are all filtered and cached for an oblique plane. For larger scans
// only the rows that the plane needs are filtered.
inline constexpr int64_t max_oblique_bytes = int64_t{1} << 29;
// The detector rows and columns onto which a requested piece of the volume projects; all of them for an oblique plane,
// and if it needs nearly all rows.
ScanRegion needed_views(const Infos& in, const Region& wanted);
// Bytes of the filtered views and of the back-projector's rearranged copy of them.
int64_t filtered_bytes(const FilterParams& params, const Infos& in, const Region& wanted, int64_t element_size);

}  // namespace tl
