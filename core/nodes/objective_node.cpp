// The loss as an output, and the axis as a differentiable number.
#include "core/nodes/objective_node.h"

#include <ATen/ATen.h>

namespace tl {

Result<void> same_grid(const Infos& in, const std::string& port, const std::string& other) {
  const VolumeGrid &a = std::get<VolumeInfo>(in.at(port)).grid, &b = std::get<VolumeInfo>(in.at(other)).grid;
  if (a.nz == b.nz && a.ny == b.ny && a.nx == b.nx) return ok();
  const auto size = [](const VolumeGrid& g) {
    return std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nz);
  };
  return invalid(size(a) + " voxels are compared with " + size(b), other, "Compare volumes on the same grid");
}

Result<void> give_loss(NodeRun& r, const at::Tensor& value, Unit unit) {
  TL_CHECK(value.dim() == 0, "a loss is one number");
  r.out("loss", Scalar{value.to(at::kDouble), unit});
  return ok();
}

// A point on the axis is d + a u + b v + s beam: a and b follow from the dual basis of (u, v, beam). Its height is
// chosen so that b is that of the row.
at::Tensor axis_of_rows(const Projections& scan) {
  const at::Tensor vectors = scan.vectors.defined()
                                 ? scan.vectors
                                 : at::tensor(scan.geometry.vectors(), at::kDouble).view({scan.geometry.views(), 12});
  const auto part = [&](int64_t i) { return vectors.narrow(1, 3 * i, 3); };
  const auto dot = [](const at::Tensor& a, const at::Tensor& b) {
    return a.select(1, 0) * b.select(1, 0) + a.select(1, 1) * b.select(1, 1) + a.select(1, 2) * b.select(1, 2);
  };
  const at::Tensor beam = part(0), detector = part(1), u = part(2), v = part(3);
  const at::Tensor along_u = at::linalg_cross(v, beam, 1), along_v = at::linalg_cross(beam, u, 1);
  const at::Tensor scale = 1 / dot(u, along_u);
  const DetectorShape& d = scan.geometry.detector();
  const at::Tensor height = 0.5 * static_cast<double>(d.rows - 1) - at::arange(d.rows, at::kDouble);
  // b = scale (along_v.z z - along_v . d) = height
  const at::Tensor z = (height.unsqueeze(0) / scale.unsqueeze(1) + dot(along_v, detector).unsqueeze(1)) /
                       along_v.select(1, 2).unsqueeze(1);
  const at::Tensor axis =
      scale.unsqueeze(1) * (along_u.select(1, 2).unsqueeze(1) * z - dot(along_u, detector).unsqueeze(1));
  return axis.mean(0);
}

}  // namespace tl
