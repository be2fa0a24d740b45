// Runs a correction sinogram by sinogram: input checks, and the loop over detector rows.
#include "gpu/correction/sinograms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "gpu/device/launch.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {

Result<void> check_projections_on_any_device(const at::Tensor& projections, const std::string& where) {
  if (!projections.defined() || projections.dim() != 3 ||
      (projections.scalar_type() != at::kFloat && projections.scalar_type() != at::kDouble))
    return invalid("the projections are not a float tensor [view, row, col]", where);
  if (projections.size(0) > std::numeric_limits<int32_t>::max()) return invalid("too many views", where);
  return check_device(projections, where);
}

Result<void> check_projections(const at::Tensor& projections, const std::string& where) {
  TL_TRY(check_projections_on_any_device(projections, where));
  if (!projections.device().is_cpu()) return unavailable("this correction runs on the CPU only", where);
  return ok();
}

Result<void> check_window(int64_t size, const std::string& what, const std::string& where) {
  if (size < 1 || size % 2 == 0 || size > (int64_t{1} << 20))
    return invalid("the window is " + std::to_string(size) + " " + what, where, "Choose an odd number, 5 to 101");
  return ok();
}

at::Tensor by_angle(const at::Tensor& views, const AngleOrder& order) {
  if (std::is_sorted(order.views.begin(), order.views.end())) return views;
  return views.index_select(0, at::tensor(order.views, at::kLong).to(views.device()));
}

at::Tensor as_recorded(const at::Tensor& views, const AngleOrder& order) {
  if (std::is_sorted(order.views.begin(), order.views.end())) return views;
  std::vector<int64_t> place(order.views.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[static_cast<std::size_t>(order.views[i])] = static_cast<int64_t>(i);
  return views.index_select(0, at::tensor(place, at::kLong).to(views.device()));
}

at::Tensor map_slices(const at::Tensor& data, int64_t dim, const CancelToken& cancel,
                      const std::function<at::Tensor(const at::Tensor&)>& method) {
  if (data.numel() == 0) return data;
  const int64_t slices = data.size(dim);
  if (is_differentiated(data)) {
    std::vector<at::Tensor> done;
    for (int64_t i = 0; i < slices; ++i) {
      cancel.check();
      done.push_back(method(data.select(dim, i)));
    }
    return at::stack(done, dim);
  }
  const at::Tensor plain = data.detach();
  at::Tensor out = at::empty(data.sizes(), plain.options());
  for (int64_t i = 0; i < slices; ++i) {
    cancel.check();
    out.select(dim, i).copy_(method(plain.select(dim, i)));
  }
  return out;
}

at::Tensor map_sinograms(const at::Tensor& projections, const CancelToken& cancel,
                         const std::function<at::Tensor(const at::Tensor&)>& method) {
  return map_slices(projections, 1, cancel, method);
}

}  // namespace tl::ops
