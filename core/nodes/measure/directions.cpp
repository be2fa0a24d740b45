// core/nodes/measure/directions.cpp: the direction and shift of each view of a parallel beam, as a table.
#include "core/node/node_builder.h"
#include "core/nodes/view_directions.h"

namespace tl::measure_directions_node {

struct Params {};

Result<Table> table_of(const ScanGeometry& scan) {
  std::vector<std::optional<View>> views;
  for (int64_t i = 0; i < scan.views(); ++i) views.emplace_back(scan.view(i));
  return directions_table(views, scan.detector());
}

Result<void> check(const Params&, const Infos& in) {
  const ScanGeometry& scan = scan_of(in).geometry;
  if (!scan.is_parallel())
    return invalid("the views of a cone beam have no one direction", "projections",
                   "Connect a scan with a parallel beam");
  TL_TRY(table_of(scan));
  return ok();
}

// Pixel values are not used: one pixel of each view suffices.
Result<Regions> one_pixel(const Params&, const Infos& in) {
  ScanRegion region = scan_of(in).geometry.full();
  region.rows = {0, 1};
  region.cols = {0, 1};
  return Regions{{"projections", region}};
}

Result<Findings> measure(const Params&, NodeRun& r) {
  Findings f;
  TL_TRY(f.values["directions"], table_of(r.info<ProjectionsInfo>("projections").geometry));
  return f;
}

Result<void> run(const Params&, NodeRun&) { return ok(); }

void describe(NodeBuilder<Params>& n) {
  n.id("measure.directions", 1).title("Directions").category("Measure");
  n.not_differentiable("it describes the geometry");
  n.summary("The direction and shift of each view of a parallel beam, as RELION and other programs have them.");
  n.description(
      "Euler angles in degrees, and the shift of the image in angstrom that moves the origin to its pixel n / 2. 'Save "
      "table' with a name that ends in .star writes a table that 'Directions from a file' and RELION read.");
  n.cite(
      "J. B. Heymann, M. Chagoyen, D. M. Belnap, Common conventions for interchange and archiving of three-dimensional "
      "electron microscopy information in structural biology, J. Struct. Biol. 151, 196 (2005)");
  n.synonyms({"STAR", "RELION", "Euler angles", "rlnAngleRot", "orientation", "geometry", "export"});
  n.where_input_is();
  n.input<Projections>("projections", "A scan with a parallel beam.");
  n.output<Table>("directions", "By view: rlnAngleRot, rlnAngleTilt, rlnAnglePsi, rlnOriginXAngst, rlnOriginYAngst.");
  n.check(check).measure(one_pixel, measure).run(run);
}

}  // namespace tl::measure_directions_node

TL_NODE(measure_directions)
