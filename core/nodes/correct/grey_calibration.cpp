// core/nodes/correct/grey_calibration.cpp: grey values of a volume mapped by two known materials.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/correction/grey_values.h"

namespace tl::correct_grey_calibration_node {

struct Params {
  Learnable<double> measured_1{0, {}}, measured_2{1, {}}, known_1{0, {}}, known_2{1, {}};
  std::optional<Unit> unit;  // nothing: as before
};

Result<void> check(const Params& p, const Infos&) {
  const bool held = p.measured_1.tensor.defined() || p.measured_2.tensor.defined();
  if (!held && p.measured_1.value == p.measured_2.value)
    return invalid("the two measured values are equal", "measured_2", "Measure two materials");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  VolumeInfo volume = volume_of(in);
  volume.unit = p.unit.value_or(volume.unit);
  return Infos{{"volume", volume}};
}

Result<void> run(const Params& p, NodeRun& r) {
  Volume out = r.in<Volume>("volume");
  TL_TRY(out.data, ops::calibrate_two_points(out.data, {tensor_of(p.measured_1), tensor_of(p.measured_2),
                                                        tensor_of(p.known_1), tensor_of(p.known_2)}));
  out.unit = p.unit.value_or(out.unit);
  return r.done("volume", std::move(out));
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
  n.param("measured_1", "Measured 1", &Params::measured_1)
      .learnable()
      .help("Grey value of the first material in the volume.");
  n.param("known_1", "Known 1", &Params::known_1).learnable().help("Known value of the first material.");
  n.param("measured_2", "Measured 2", &Params::measured_2)
      .learnable()
      .help("Grey value of the second material in the volume.");
  n.param("known_2", "Known 2", &Params::known_2).learnable().help("Known value of the second material.");
  n.param("unit", "Unit", &Params::unit,
          {{std::nullopt, "as_is", "As before"}, {Unit::none, "none", "None"}, {Unit::per_mm, "per_mm", "1/mm"}})
      .help("Unit of the known values.");
  n.on_gpu();
  n.check(check).infos(infos).run(run);
}

}  // namespace tl::correct_grey_calibration_node

TL_NODE(correct_grey_calibration)
