// core/nodes/correct/rescale_integers.cpp: a volume rescaled to integers of 8 or 16 bits, with the scale and offset of
// the inverse map.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/correction/grey_values.h"

namespace tl::correct_rescale_integers_node {

struct Params {
  int64_t bits = 16;
  double low = 0, high = 1;
};

Result<void> check(const Params& p, const Infos&) {
  if (!(p.low < p.high)) return invalid("low must be smaller than high", "low");
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  VolumeInfo volume = volume_of(in);
  volume.unit = Unit::none;
  return Infos{{"volume", volume}, {"scale", PlainInfo{}}, {"offset", PlainInfo{}}};
}

// Scale and offset follow from the parameters: no voxels are read for them.
Result<Regions> needs(const Params&, const Infos&, const Region& wanted) {
  if (std::holds_alternative<WholeRegion>(wanted)) return Regions{};
  return Regions{{"volume", wanted}};
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t) {
  return 2 * region_bytes(wanted, 8);  // the numbers in double
}

Result<void> run(const Params& p, NodeRun& r) {
  const double scale = (p.high - p.low) / (p.bits == 8 ? 255 : 65535);
  const Unit unit = r.info<VolumeInfo>("volume").unit;
  r.out("scale", Scalar{at::scalar_tensor(scale, at::kDouble), unit});
  r.out("offset", Scalar{at::scalar_tensor(p.low, at::kDouble), unit});
  if (!r.has_in("volume")) return ok();
  Volume out = r.in<Volume>("volume");
  TL_TRY(ops::Quantised q, ops::quantise(out.data, p.low, p.high, p.bits));
  if (q.clipped > 0)
    r.message(LogLevel::info, std::to_string(q.clipped) + " voxels lie outside low to high and are clipped");
  if (q.nans > 0) r.message(LogLevel::warning, std::to_string(q.nans) + " voxels are NaN and become 0");
  out.data = q.numbers;
  out.unit = Unit::none;
  return r.done("volume", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.rescale_integers", 1)
      .title("Rescale to 8 or 16 bits")
      .category("Correction")
      .partition(Partition::pointwise);
  n.summary("Rescales a range of values to 8-bit or 16-bit integers, with the scale and offset to convert them back.");
  n.description(
      "low becomes 0 and high 255 or 65535; values outside are clipped and counted. value = offset + scale * integer "
      "gives the values back to half a step. Minimum and maximum of a statistics node may be linked to low and high. "
      "To write integers, the save node can do the same by itself.");
  n.synonyms({"convert", "uint8", "uint16", "quantise", "grey levels", "window", "integers", "bit depth"});
  n.not_differentiable("rounding has no derivative");
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "Integers from 0 to 255 or 65535.");
  n.output<Scalar>("scale", "Step between two integers, in the unit of the volume.");
  n.output<Scalar>("offset", "Value of the integer 0, in the unit of the volume.");
  n.param("bits", "Bits", &Params::bits, {{8, "b8", "8 (0 to 255)"}, {16, "b16", "16 (0 to 65535)"}})
      .help("Size of the integers.");
  n.param("low", "Low", &Params::low).help("The value that becomes 0.");
  n.param("high", "High", &Params::high).help("The value that becomes the largest integer.");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_rescale_integers_node

TL_NODE(correct_rescale_integers)
