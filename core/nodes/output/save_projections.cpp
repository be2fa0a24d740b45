// core/nodes/output/save_projections.cpp: write views as an NXtomo scan.
#include <ATen/ATen.h>

#include "core/io/output/views_writer.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_projections_node {

struct Params {
  std::string file = "views.nx";
};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_file_name("output.save_projections", {}, p.file));
  if (!scan_of(in).geometry.orbit())
    return invalid("only circular scans can be written as NXtomo", "projections", "Save the volume instead");
  return ok();
}

using State = BlocksToFile<io::ViewsWriter>;

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  TL_TRY(check_output(p.file, io::OutputKind::file, r));
  const auto& scan = r.info<ProjectionsInfo>("projections");
  auto state = std::make_shared<State>();
  TL_TRY(state->writer,
         io::open_nxtomo_views({p.file, scan.geometry, scan.kind, scan.energy, r.host().output_rules()}));
  return state;
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  return s.add(std::get<ScanRegion>(r.region), r.in<Projections>("projections").data.detach(), r);
}

Result<Findings> finish(const Params&, State& s, NodeRun& r) { return deliver(s.finish("pixels", r), r); }

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_projections", "Save projections");
  n.summary("Writes corrected projections as an NXtomo scan that this and other programs can open.");
  n.description(
      "Writes views in float32 with angles, pixel sizes, distances and rotation axis, block by block, so they never "
      "have to fit in memory. Tilts, shifts, rolls and magnifications of views, for which NXtomo has no fields, are "
      "written as vectors of each view, which Tomoloom reads and other programs ignore. The file states whether its "
      "pixels are counts, transmission, absorption or thickness. Flats and darks are not written. The record NAME.json "
      "next to it lists the pipeline and every parameter.");
  n.synonyms({"export", "NXtomo", "HDF5", "sinogram", "views", "corrected"});
  n.input<Projections>("projections", "The views to write.");
  declare_file(n, "Name of the NXtomo file").output_file("an NXtomo scan", {".nx", ".nxs", ".h5", ".hdf5", ".hdf"});
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace tl::output_save_projections_node

TL_NODE(output_save_projections)
