// Shared by the filters that need the whole volume at once.
#include "core/nodes/whole_volume.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

#include "core/base/grid_box.h"
#include "core/values/interpolated.h"

namespace tl {

insight::Call itk_call(NodeRun& r) {
  return {r.cancel(), at::get_num_threads(), [&r](double share) {
            constexpr int64_t all = 1000;
            const auto done = static_cast<int64_t>(share * static_cast<double>(all));
            r.host().event([&](EventSink& s) { s.node_progress(r.node(), done, all); });
          }};
}

Result<void> put_whole_volume(NodeRun& r, Unit unit,
                              const std::function<Result<void>(const insight::VolumeView& in, float* out)>& make) {
  const auto& in = r.in<Volume>("volume");
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const auto compute = [&] {
    const at::Tensor from = in.data.detach().to(at::kCPU, at::kFloat).contiguous();
    auto out = std::make_shared<at::Tensor>(at::empty(from.sizes(), at::kFloat));
    make({from.const_data_ptr<float>(), whole}, out->mutable_data_ptr<float>()).or_throw();
    return out;
  };
  const at::Tensor all = *r.memo<at::Tensor>("whole", 4 * whole.count(), compute);
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const auto box = box_in(whole, wanted);
  const at::Tensor part = box ? all.narrow(0, box->z.begin, box->z.size())
                                    .narrow(1, box->y.begin, box->y.size())
                                    .narrow(2, box->x.begin, box->x.size())
                                    .clone(at::MemoryFormat::Contiguous)
                              : interpolated(all, whole, wanted);
  return r.done("volume", Volume{part.to(r.dtype), wanted, unit});
}

Regions whole_volume_needs(const Infos& in) { return {{"volume", volume_of(in).grid}}; }

Result<void> check_four_voxels(const VolumeGrid& grid) {
  constexpr int64_t fewest = 4;
  if (std::min({grid.nz, grid.ny, grid.nx}) >= fewest) return ok();
  return invalid("the volume has fewer than 4 voxels along an axis", "volume", "Load or reconstruct more slices");
}

}  // namespace tl
