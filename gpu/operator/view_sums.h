// One sum per view, computed on a device: partial sums of many threads, added in order, then copied to the CPU.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>

#include "gpu/device/launch.h"
#include "gpu/operator/partial_sums.h"

namespace tl::ops {

// The `items` of every view are divided among chunks. make(chunks, partial) returns the functor that writes partial
// [view, chunk, Sums::width]; then use(view, Sums) is called for every view.
template <class Sums, class Make, class Use>
void each_view_sum(at::Device device, int64_t views, int64_t items, const Make& make, const Use& use) {
  constexpr int64_t width = Sums::width;
  const int64_t chunks = partial_chunks(views, items);
  const auto options = at::TensorOptions(at::kDouble).device(device);
  const at::Tensor partial = at::empty({views, chunks, width}, options), sums = at::empty({views, width}, options);
  launch(device, make(chunks, partial.mutable_data_ptr<double>()), views * chunks);
  launch(device, JoinPartialSums{partial.const_data_ptr<double>(), chunks, width, sums.mutable_data_ptr<double>()},
         sums.numel());
  const at::Tensor host = sums.cpu();
  for (int64_t view = 0; view < views; ++view) {
    Sums own;
    std::copy_n(host.const_data_ptr<double>() + view * width, width, own.sum);
    use(view, own);
  }
}

}  // namespace tl::ops
