// core/nodes/correct/pixel_offsets.cpp: the offset that every detector pixel adds to all views, subtracted.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/image/gaussian_filter.h"

namespace tl::correct_pixel_offsets_node {

struct Params {
  Learnable<std::optional<NumberArray>> offsets;  // [row, col]
  double width = 8;                               // [px]
};

constexpr double truncate = 4;  // standard deviations

std::vector<int64_t> shape_of(const Infos& in) {
  const DetectorShape& d = scan_of(in).geometry.detector();
  return {d.rows, d.cols};
}

Result<void> check(const Params& p, const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("offsets cannot be subtracted from counts", "projections",
                   "Put the flat-field node before this one");
  if (p.offsets.value && p.offsets.value->shape() != shape_of(in))
    return invalid(
        "the offsets are " + shape_text(p.offsets.value->shape()) + ", the detector is " + shape_text(shape_of(in)),
        "offsets", "Learn them again, or set them to auto");
  return ok();
}

// The part that varies from column to column: smooth offsets are not defects of single pixels, but belong to the
// object.
Result<at::Tensor> sharp_part(const at::Tensor& offsets, const Params& p, const CancelToken& cancel) {
  if (!(p.width > 0)) return offsets;
  const at::Tensor lines = offsets.unsqueeze(0).contiguous();
  TL_TRY(const OperatorPtr smooth,
         ops::make_gaussian_filter({1, offsets.size(0), offsets.size(1), {0, 0, p.width}, truncate, cancel}));
  return offsets - tl::apply(smooth, lines)[0];
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  const at::Tensor given = tensor_of(p.offsets, {});
  if (given.defined()) {
    const auto shape = shape_of(r.infos);
    if (given.sizes() != at::IntArrayRef(shape))
      return invalid("the offsets do not have the detector's " + shape_text(shape) + " pixels", "offsets");
    TL_TRY(const at::Tensor sharp, sharp_part(given.to(out.data.device(), out.data.scalar_type()), p, r.cancel()));
    const auto& part = std::get<ScanRegion>(r.region);
    out.data =
        out.data - sharp.narrow(0, part.rows.begin, part.rows.size()).narrow(1, part.cols.begin, part.cols.size());
  }
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.pixel_offsets", 1).title("Pixel offsets").category("Correction").partition(Partition::pointwise);
  n.remedy("rings");
  n.summary("Ring removal by a learned offset of every detector pixel, which is subtracted from all views.");
  n.description(
      "An error of the flat in a pixel adds the same offset to all of its views, which back-projection turns into a "
      "ring. Here that offset is a parameter, one number per pixel in the unit of the views. Learn it together with an "
      "image (the learned change): minimise the error of the views projected from the image plus a share of the total "
      "variation, because rings raise the total variation more than offsets do. The total variation of a filtered "
      "back-projection alone is not enough: parts of the object would be removed as rings. Only changes within the "
      "width are subtracted, so that slow changes of the object are kept.");
  n.cite(
      "P. Paleo, A. Mirone, Ring artifacts correction in compressed sensing tomographic reconstruction, J. Synchrotron "
      "Rad. 22 (2015) 1268");
  n.synonyms({"rings", "stripes", "gain", "flat-field", "learned flat", "offset image", "total variation",
              "ring removal", "ring artefact", "ring artifact"});
  n.input<Projections>("projections", "Absorption, transmission or thickness.");
  n.output<Projections>("projections", "The same without the offsets.");
  n.param("offsets", "Offsets", &Params::offsets)
      .automatic("no offsets")
      .learnable()
      .help("Offset of every pixel, row by row, in the unit of the views.");
  n.array_of_auto("offsets", [](const Params&, const Infos& in) { return NumberArray::filled(shape_of(in), 0); });
  n.param("width", "Width", &Params::width)
      .range(0, 1000, Unit::px)
      .help(
          "Standard deviation of a Gaussian along the rows: offsets that are smooth on this scale are not subtracted. "
          "0 = all are.");
  n.check(check).run(run);
}

}  // namespace tl::correct_pixel_offsets_node

TL_NODE(correct_pixel_offsets)
