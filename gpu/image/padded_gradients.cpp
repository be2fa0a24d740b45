// The gradient of a map is gathered like the maps themselves, over all layers that read it, with rotated filters; rows
// are also computed beyond the image, and their ends added to the pixels that were mirrored there.
#include "gpu/image/padded_gradients.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "gpu/device/choose_variant.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

constexpr int64_t lane_bytes = 64, block_sums = 8;
constexpr int64_t taps = 3, filter_size = 9;

template <class T>
constexpr int64_t lanes_of = lane_bytes / static_cast<int64_t>(sizeof(T));

int64_t rounded(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

// Three filter elements of one layer that reads the map, for one of its rows.
template <class T>
struct Tap {
  const T* row;  // of the pixel 0
  T weight[taps];
  int64_t dilation;
};

template <class T>
struct BackRow {
  const Tap<T>* taps;
  int64_t count, border, length;
};

// out[x] for x from -border on.
template <class T, int sums>
__attribute__((always_inline)) inline void back_body(const BackRow<T>& r, T* out) {
  using Lanes __attribute__((vector_size(lane_bytes))) = T;
  constexpr int64_t lanes = lanes_of<T>;
  for (int64_t x = 0; x < r.length; x += lanes * sums) {
    Lanes sum[sums];
#pragma GCC unroll 8
    for (int k = 0; k < sums; ++k) sum[k] = Lanes{};
    for (int64_t t = 0; t < r.count; ++t) {
      const Tap<T>& tap = r.taps[t];
      for (int64_t a = 0; a < taps; ++a) {
        const T* row = tap.row + x - r.border - (a - 1) * tap.dilation;
        const Lanes weight = Lanes{} + tap.weight[a];
#pragma GCC unroll 8
        for (int k = 0; k < sums; ++k) {
          Lanes v;
          std::memcpy(&v, row + k * lanes, sizeof v);
          sum[k] += weight * v;
        }
      }
    }
    std::memcpy(out + x, sum, sizeof sum);
  }
}

// Rows of a gradient, or of a map with its mirrored ends.
template <class T>
struct FilterTask {
  const T *gradient, *map;  // of pixel (0, 0)
  int64_t gradient_pitch, map_pitch, ny, nx, dilation;
};

// The nine sums over all pixels of gradient times map, as double. A few rows at a time are summed in vectors.
template <class T>
__attribute__((always_inline)) inline void filter_body(const FilterTask<T>& t, double* result) {
  using Lanes __attribute__((vector_size(lane_bytes))) = T;
  constexpr int64_t lanes = lanes_of<T>, rows_at_once = 8;
  const int64_t whole = t.nx / lanes * lanes;
  for (int64_t i = 0; i < filter_size; ++i) result[i] = 0;
  for (int64_t first = 0; first < t.ny; first += rows_at_once) {
    Lanes sum[filter_size];
    for (int64_t i = 0; i < filter_size; ++i) sum[i] = Lanes{};
    for (int64_t y = first; y < std::min(first + rows_at_once, t.ny); ++y) {
      const T* g = t.gradient + y * t.gradient_pitch;
      const T* rows[taps];
      for (int64_t b = 0; b < taps; ++b)
        rows[b] = t.map + mirrored_index(y + (b - 1) * t.dilation, t.ny) * t.map_pitch - t.dilation;
      for (int64_t x = 0; x < whole; x += lanes) {
        Lanes of_output;
        std::memcpy(&of_output, g + x, sizeof of_output);
#pragma GCC unroll 9
        for (int64_t i = 0; i < filter_size; ++i) {
          Lanes v;
          std::memcpy(&v, rows[i / taps] + x + i % taps * t.dilation, sizeof v);
          sum[i] += of_output * v;
        }
      }
      for (int64_t x = whole; x < t.nx; ++x)
        for (int64_t i = 0; i < filter_size; ++i)
          result[i] += static_cast<double>(g[x]) * static_cast<double>(rows[i / taps][x + i % taps * t.dilation]);
    }
    for (int64_t i = 0; i < filter_size; ++i)
      for (int64_t k = 0; k < lanes; ++k) result[i] += static_cast<double>(sum[i][k]);
  }
}

}  // namespace

PaddedGradients::PaddedGradients(const PaddedMaps& maps)
    : maps_(maps),
      start_(rounded(2 * maps.border(), lane_bytes / 4)),
      length_(rounded(maps.nx() + 2 * maps.border(), block_sums * lanes_of<float>)) {
  data_ = at::zeros({maps.data().size(0), maps.ny(), start_ + length_ + start_}, maps.data().options());
}

template <class T>
void PaddedGradients::put_as(int64_t map, const at::Tensor& gradient) {
  const at::Tensor dense = gradient.contiguous();
  const T *from = dense.const_data_ptr<T>(), *rectified = maps_.data().const_data_ptr<T>();
  T* to = data_.mutable_data_ptr<T>();
  for (int64_t y = 0; y < maps_.ny(); ++y) {
    const T* kept = rectified + map * maps_.data().stride(0) + y * maps_.data().stride(1) + maps_.start();
    T* row = to + map * data_.stride(0) + y * data_.stride(1) + start_;
    for (int64_t x = 0; x < maps_.nx(); ++x) row[x] = kept[x] > 0 ? from[y * maps_.nx() + x] : T{0};
  }
}

void PaddedGradients::put(int64_t map, const at::Tensor& gradient) {
  data_.scalar_type() == at::kFloat ? put_as<float>(map, gradient) : put_as<double>(map, gradient);
}

const PaddedGradients::RowsBack& PaddedGradients::rows_back(int64_t dilation) {
  const auto found = rows_back_.find(dilation);
  if (found != rows_back_.end()) return found->second;
  RowsBack rows;
  for (int64_t b = 0; b < taps; ++b) {
    auto& of_tap = rows[static_cast<std::size_t>(b)];
    of_tap.resize(static_cast<std::size_t>(maps_.ny()));
    for (int64_t y = 0; y < maps_.ny(); ++y)
      of_tap[static_cast<std::size_t>(mirrored_index(y + (b - 1) * dilation, maps_.ny()))].push_back(y);
  }
  return rows_back_.emplace(dilation, std::move(rows)).first->second;
}

template <class T>
void PaddedGradients::add_as(const std::vector<DenseReader>& readers, const at::Tensor& gradient) {
  std::vector<const RowsBack*> rows;
  for (const DenseReader& r : readers) rows.push_back(&rows_back(r.dilation));
  const T* const all = data_.const_data_ptr<T>();
  T* const to = gradient.mutable_data_ptr<T>();
  const int64_t nx = maps_.nx(), border = maps_.border();
  const auto add_back = Variants<back_body<T, 8>, back_body<T, 4>, back_body<T, 1>>::of(best_cpu_variant());
  constexpr int64_t few_rows = 4;
  ops::parallel_for(0, maps_.ny(), few_rows, [&](int64_t first, int64_t last) {
    std::vector<Tap<T>> entries;
    std::vector<T> sums(static_cast<std::size_t>(length_));
    for (int64_t y = first; y < last; ++y) {
      entries.clear();
      for (std::size_t i = 0; i < readers.size(); ++i)
        for (std::size_t b = 0; b < 3; ++b)
          for (const int64_t row : (*rows[i])[b][static_cast<std::size_t>(y)]) {
            const double* w = readers[i].weight.data() + b * 3;
            entries.push_back({all + readers[i].output * data_.stride(0) + row * data_.stride(1) + start_,
                               {static_cast<T>(w[0]), static_cast<T>(w[1]), static_cast<T>(w[2])},
                               readers[i].dilation});
          }
      const BackRow<T> task{entries.data(), static_cast<int64_t>(entries.size()), border, length_};
      add_back(task, sums.data());
      T* out = to + y * nx;
      for (int64_t x = 0; x < nx; ++x) out[x] += sums[static_cast<std::size_t>(x + border)];
      for (int64_t i = 1; i <= border; ++i) {
        out[mirrored_index(-i, nx)] += sums[static_cast<std::size_t>(border - i)];
        out[mirrored_index(nx - 1 + i, nx)] += sums[static_cast<std::size_t>(border + nx - 1 + i)];
      }
    }
  });
}

void PaddedGradients::add_from(const std::vector<DenseReader>& readers, const at::Tensor& gradient) {
  TL_CHECK(gradient.is_contiguous() && gradient.dim() == 2 && gradient.size(0) == maps_.ny() &&
               gradient.size(1) == maps_.nx() && gradient.scalar_type() == data_.scalar_type(),
           "a gradient of one map");
  for (const DenseReader& r : readers)
    TL_CHECK(r.output >= 0 && r.output < data_.size(0) && r.dilation >= 1 && r.dilation <= maps_.border(),
             "readers among the maps");
  data_.scalar_type() == at::kFloat ? add_as<float>(readers, gradient) : add_as<double>(readers, gradient);
}

template <class T>
at::Tensor PaddedGradients::weight_gradient_as(const DenseLayer& layer) const {
  const auto inputs = static_cast<int64_t>(layer.inputs.size());
  at::Tensor result = at::empty({inputs, 3, 3}, at::kDouble);
  auto* to = result.mutable_data_ptr<double>();
  const at::Tensor& maps = maps_.data();
  const T* const read = maps.const_data_ptr<T>() + maps_.start();
  const T* const gradient = data_.const_data_ptr<T>() + layer.output * data_.stride(0) + start_;
  const auto sum_products = Variants<filter_body<T>>::of(best_cpu_variant());
  ops::parallel_for(0, inputs, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const FilterTask<T> task{gradient,        read + layer.inputs[static_cast<std::size_t>(i)] * maps.stride(0),
                               data_.stride(1), maps.stride(1),
                               maps_.ny(),      maps_.nx(),
                               layer.dilation};
      sum_products(task, to + i * filter_size);
    }
  });
  return result;
}

at::Tensor PaddedGradients::weight_gradient(const DenseLayer& layer) const {
  TL_CHECK(layer.dilation >= 1 && layer.dilation <= maps_.border(), "a dilation up to the border");
  for (const int64_t m : layer.inputs) TL_CHECK(m >= 0 && m < data_.size(0), "inputs among the maps");
  return data_.scalar_type() == at::kFloat ? weight_gradient_as<float>(layer) : weight_gradient_as<double>(layer);
}

double PaddedGradients::bias_gradient(int64_t output) const {
  return data_[output].narrow(1, start_, maps_.nx()).sum(at::kDouble).item<double>();
}

}  // namespace tl::ops
