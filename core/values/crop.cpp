// Crops projections, and crops and bins their learned view vectors.
#include "core/values/crop.h"

#include <ATen/ATen.h>

namespace tl {
namespace {

// A part of a view has a digest of its own, the same in every window that contains the view.
std::vector<Hash> contents_of(const Projections& whole, const ScanRegion& part) {
  if (whole.contents.empty()) return {};
  std::vector<Hash> contents(whole.contents.begin() + part.views.begin, whole.contents.begin() + part.views.end);
  const DetectorShape& detector = whole.geometry.detector();
  if (part.rows == Range{0, detector.rows} && part.cols == Range{0, detector.cols}) return contents;
  for (Hash& view : contents)
    view = Hasher().add(view).add(part.rows.begin).add(part.rows.end).add(part.cols.begin).add(part.cols.end).digest();
  return contents;
}

}  // namespace

at::Tensor crop_vectors(const at::Tensor& vectors, const ScanRegion& part, const DetectorShape& whole) {
  if (!vectors.defined()) return vectors;
  const at::Tensor v = vectors.narrow(0, part.views.begin, part.views.size());
  const double du = 0.5 * static_cast<double>(part.cols.begin + part.cols.end - whole.cols);
  const double dv = -0.5 * static_cast<double>(part.rows.begin + part.rows.end - whole.rows);
  const at::Tensor detector = v.narrow(1, 3, 3) + du * v.narrow(1, 6, 3) + dv * v.narrow(1, 9, 3);
  return at::cat({v.narrow(1, 0, 3), detector, v.narrow(1, 6, 6)}, 1);
}

at::Tensor bin_vectors(const at::Tensor& vectors, int64_t rows, int64_t cols) {
  if (!vectors.defined()) return vectors;
  return at::cat({vectors.narrow(1, 0, 6), vectors.narrow(1, 6, 3) * static_cast<double>(cols),
                  vectors.narrow(1, 9, 3) * static_cast<double>(rows)},
                 1);
}

Projections crop(const Projections& whole, const ScanRegion& part) {
  const auto pixels = [&](const at::Tensor& t) {
    return t.narrow(1, part.rows.begin, part.rows.size()).narrow(2, part.cols.begin, part.cols.size());
  };
  Projections out = whole;
  out.data = pixels(whole.data.narrow(0, part.views.begin, part.views.size()));
  out.geometry = whole.geometry.crop(part);
  out.vectors = crop_vectors(whole.vectors, part, whole.geometry.detector());
  out.contents = contents_of(whole, part);
  for (at::Tensor* t : {&out.references.flats, &out.references.darks})
    if (t->defined()) *t = pixels(*t);
  return out;
}

Projections contiguous_part(const Projections& whole, const ScanRegion& part) {
  Projections out = crop(whole, part);
  out.data = out.data.contiguous();
  return out;
}

}  // namespace tl
