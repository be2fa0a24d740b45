// Launches the division by interpolated flats and its transpose as functors on a GPU.
#include "gpu/correction/flats/flat_field_launch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "gpu/device/launch.h"

namespace tl::ops {
namespace {

// Tables read by the functors, copied to the device.
class Tables {
 public:
  Tables(const FlatFieldTables& parts, const at::Tensor& x)
      : pixels_(parts.shape[1] * parts.shape[2]), fates_(static_cast<std::size_t>(pixels_), kept_pixel) {
    for (std::size_t n = 0; n < parts.filled.size(); ++n)
      fates_[static_cast<std::size_t>(parts.filled[n].pixel)] = static_cast<int32_t>(n);
    for (const int64_t row : parts.dead_rows)
      std::fill_n(fates_.begin() + row * parts.shape[2], parts.shape[2], dead_pixel);
    signals_ = at::stack(parts.signals).to(x.options()).contiguous();
    places_ = device_table(parts.views, x.device());
    fate_table_ = device_table(fates_, x.device());
    filled_ = device_table(parts.filled, x.device());
  }
  template <class T>
  [[nodiscard]] FlatFieldPixel<T> functor(const at::Tensor& x, at::Tensor& out) const {
    return {signals_.const_data_ptr<T>(),
            table_data<FlatInterpolation>(places_),
            table_data<int32_t>(fate_table_),
            table_data<FilledPixel>(filled_),
            pixels_,
            x.const_data_ptr<T>(),
            out.mutable_data_ptr<T>()};
  }

 private:
  int64_t pixels_;
  std::vector<int32_t> fates_;  // fate_table_ may share this memory
  at::Tensor signals_, places_, fate_table_, filled_;
};

}  // namespace

at::Tensor launch_flat_field(const FlatFieldTables& parts, const at::Tensor& x) {
  const Tables tables(parts, x);
  at::Tensor out = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "flat_field",
                             [&] { launch(x.device(), tables.functor<scalar_t>(x, out), x.numel()); });
  return out;
}

at::Tensor launch_flat_field_transpose(const FlatFieldTables& parts, const at::Tensor& y) {
  // Repaired pixels, grouped by the pixels they were filled from.
  std::vector<int64_t> begins(static_cast<std::size_t>(parts.shape[1] * parts.shape[2] + 1), 0);
  const auto each_share = [&](const auto& take) {
    for (const FilledPixel& f : parts.filled) {
      take(static_cast<std::size_t>(f.left), FillShare{f.pixel, 1 - f.share});
      take(static_cast<std::size_t>(f.right), FillShare{f.pixel, f.share});
    }
  };
  each_share([&](std::size_t to, const FillShare&) { ++begins[to + 1]; });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<int64_t> next = begins;
  std::vector<FillShare> shares(static_cast<std::size_t>(begins.back()));
  each_share([&](std::size_t to, const FillShare& share) { shares[static_cast<std::size_t>(next[to]++)] = share; });
  const Tables tables(parts, y);
  const at::Tensor first = device_table(begins, y.device()), all = device_table(shares, y.device());
  at::Tensor out = at::empty_like(y);
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "flat_field_transpose", [&] {
    launch(y.device(),
           FlatFieldTransposed<scalar_t>{tables.functor<scalar_t>(y, out), table_data<int64_t>(first),
                                         table_data<FillShare>(all)},
           y.numel());
  });
  return out;
}

}  // namespace tl::ops
