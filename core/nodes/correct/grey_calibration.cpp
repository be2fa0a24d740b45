// core/nodes/correct/grey_calibration.cpp: grey values of a volume mapped by two known materials.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/correction/grey_values.h"

namespace tl {
namespace correct_grey_calibration_node {

enum class KnownUnit { as_is, none, per_mm };

struct Params {
  Learnable<double> measured_1{0, {}}, measured_2{1, {}}, known_1{0, {}}, known_2{1, {}};
  KnownUnit unit = KnownUnit::as_is;
};

Unit unit_of(const Params& p, Unit given) {
  return p.unit == KnownUnit::as_is ? given : p.unit == KnownUnit::none ? Unit::none : Unit::per_mm;
}

Result<void> check(const Params& p, const Infos&) {
  const bool held = p.measured_1.tensor.defined() || p.measured_2.tensor.defined();
  if (!held && p.measured_1.value == p.measured_2.value)
    return invalid("the two measured values are equal", "measured_2", "Measure two materials");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  VolumeInfo volume = volume_of(in);
  volume.unit = unit_of(p, volume.unit);
  return Infos{{"volume", volume}};
}

Result<void> run(const Params& p, NodeRun& r) {
  Volume out = r.in<Volume>("volume");
  TL_TRY(out.data, ops::calibrate_two_points(out.data, {tensor_of(p.measured_1), tensor_of(p.measured_2),
                                                        tensor_of(p.known_1), tensor_of(p.known_2)}));
  out.unit = unit_of(p, out.unit);
  r.out("volume", std::move(out));
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.grey_calibration", 1).title("Grey calibration").category("Correction").partition(Partition::pointwise);
  n.summary("Calibrates the grey values of a volume by two materials whose values are known.");
  n.description(
      "Applies the straight line through (measured 1, known 1) and (measured 2, known 2): for example air to -1000 and "
      "water to 0 (Hounsfield units), or two densities. The measured values may be linked from a statistics node.");
  n.example({{"measured_2", "0.1"}, {"known_1", "-1000"}, {"known_2", "0"}});
  n.synonyms({"Hounsfield", "HU", "density", "two-point", "phantom", "calibration"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The calibrated volume.");
  n.param("measured_1", &Params::measured_1)
      .title("Measured 1")
      .learnable()
      .help("Grey value of the first material in the volume.");
  n.param("known_1", &Params::known_1).title("Known 1").learnable().help("Known value of the first material.");
  n.param("measured_2", &Params::measured_2)
      .title("Measured 2")
      .learnable()
      .help("Grey value of the second material in the volume.");
  n.param("known_2", &Params::known_2).title("Known 2").learnable().help("Known value of the second material.");
  n.param("unit", &Params::unit, {{"as_is", "As before"}, {"none", "None"}, {"per_mm", "1/mm"}})
      .title("Unit")
      .help("Unit of the known values.");
  n.on_gpu();
  n.check(check).infos(infos).run(run);
}

}  // namespace correct_grey_calibration_node

TL_NODE(correct_grey_calibration)

}  // namespace tl
