// core/nodes/measure/shell_correlation.cpp: how well two volumes agree at each spatial frequency.
#include "gpu/filtering/shell_correlation.h"

#include <ATen/ATen.h>

#include <limits>

#include "core/base/grid_box.h"
#include "core/node/node_builder.h"

namespace tl::measure_shell_correlation_node {

struct Params {};

Result<void> check(const Params&, const Infos& in) {
  const VolumeGrid &first = volume_of(in, "first").grid, &second = volume_of(in, "second").grid;
  if (first.nz != second.nz || first.ny != second.ny || first.nx != second.nx || !box_in(first, second))
    return invalid("the volumes do not have the same voxels", "second",
                   "Reconstruct both volumes on the same grid, or resample one of them");
  if (first.count() == 1)
    return invalid("a volume of one voxel has no frequencies", "first", "Connect volumes with more voxels");
  return ok();
}

Result<Regions> both(const Params&, const Infos& in) {
  return Regions{{"first", volume_of(in, "first").grid}, {"second", volume_of(in, "second").grid}};
}

// The period length at the frequency where the correlation falls below the threshold. If it never falls below: the
// shortest period that the voxels can represent; the true resolution may be finer. If it starts below: the volumes have
// nothing in common.
Scalar resolution(const std::vector<ops::FourierShell>& shells, const std::optional<double>& at) {
  const double frequency = at.value_or(shells.back().frequency);
  const Verdict verdict = !at ? Verdict::railed : *at <= shells[1].frequency ? Verdict::flat : Verdict::resolved;
  // Half a shell to either side.
  const double step = shells[1].frequency;
  return {at::scalar_tensor(1 / frequency, at::kDouble), Unit::mm, 0.5 * step / (frequency * frequency), verdict};
}

Result<Findings> measure(const Params&, NodeRun& r) {
  const auto &first = r.in<Volume>("first"), &second = r.in<Volume>("second");
  const VolumeGrid& g = r.info<VolumeInfo>("first").grid;
  const auto plain = [](const Volume& v) { return v.data.detach().to(at::kCPU).contiguous(); };
  TL_TRY(const std::vector<ops::FourierShell> shells,
         ops::shell_correlation(plain(first), plain(second), {norm(g.step_z), norm(g.step_y), norm(g.step_x)},
                                r.cancel()));
  if (shells.size() < 2) return invalid("the volumes are too small to have frequencies", "first", "Use larger volumes");
  Table table{{{"frequency", Unit::per_mm, {}},
               {"correlation", Unit::none, {}},
               {"half_bit", Unit::none, {}},
               {"cells", Unit::none, {}}}};
  for (const ops::FourierShell& s : shells) {
    table.columns[0].values.push_back(s.frequency);
    table.columns[1].values.push_back(s.correlation);
    table.columns[2].values.push_back(ops::half_bit(s.numbers));
    table.columns[3].values.push_back(static_cast<double>(s.numbers));
  }
  const auto half_bit = ops::crossing(shells, [](const ops::FourierShell& s) { return ops::half_bit(s.numbers); });
  const auto standard = ops::crossing(shells, [](const ops::FourierShell&) { return ops::gold_standard; });
  Findings f;
  f.values["shells"] = std::move(table);
  f.values["half_bit"] = resolution(shells, half_bit);
  f.values["gold_standard"] = resolution(shells, standard);
  return f;
}

// The Fourier transforms of both volumes and one copy, at most in double.
int64_t workspace(const Params&, const Infos& in, const Region&, int64_t element_size) {
  return 4 * volume_of(in, "first").grid.count() * element_size;
}

Result<void> run(const Params&, NodeRun&) { return ok(); }

void describe(NodeBuilder<Params>& n) {
  n.id("measure.shell_correlation", 1).title("Fourier shell correlation").category("Measure");
  n.not_differentiable("a resolution is a crossing of curves");
  n.summary("Fourier shell correlation (FSC): to which resolution two volumes of the same object agree.");
  n.description(
      "Correlates the Fourier transforms of both volumes shell by shell: 1 where they agree, 0 where each has its own "
      "noise; two halves of the data with a signal-to-noise ratio SNR have SNR / (1 + SNR). The resolution is the "
      "period at the first frequency where the correlation falls below half a bit of information per cell, or below "
      "0.143. Use volumes of two halves of the views (every second one), filtered alike, with no mask in common: the "
      "same edge of a mask or of a field of view correlates, too. 'railed' means that the curve never falls below the "
      "threshold: the voxels are coarser than the resolution. 'flat' means that it begins below.");
  n.cite(
      "G. Harauz, M. van Heel, Exact filters for general geometry three dimensional reconstruction, Optik 73, 146 "
      "(1986)");
  n.cite("M. van Heel, M. Schatz, Fourier shell correlation threshold criteria, J. Struct. Biol. 151, 250 (2005)");
  n.cite(
      "P. B. Rosenthal, R. Henderson, Optimal determination of particle orientation, absolute hand, and contrast loss "
      "in single-particle electron cryomicroscopy, J. Mol. Biol. 333, 721 (2003)");
  n.synonyms({"FSC", "resolution", "half-bit", "0.143", "gold standard", "Fourier ring correlation", "FRC",
              "signal to noise"});
  n.where_input_is();
  n.input<Volume>("first", "A volume.");
  n.input<Volume>("second", "Another one with the same voxels.");
  n.output<Table>("shells", "Frequency, correlation, half-bit threshold and number of cells of each shell.");
  n.output<Scalar>("half_bit", "Resolution by the half-bit threshold.");
  n.output<Scalar>("gold_standard", "Resolution by the threshold 0.143.");
  n.check(check).workspace(workspace).measure(both, measure).run(run);
}

}  // namespace tl::measure_shell_correlation_node

TL_NODE(measure_shell_correlation)
