// Pixels along x are the lanes of vectors; several vectors of sums stay in registers while all inputs and all nine
// weights go by, so that every product costs one load. Mirrored rows are the rows themselves, and rows carry mirrored
// pixels at both ends: the loop knows no edges.
#include "gpu/image/padded_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cstring>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

constexpr int64_t vector_bytes = 64, most_sums = 8;
constexpr int64_t kernel_rows = 3, kernel_size = 9;

template <class T>
constexpr int64_t vector_lanes = vector_bytes / static_cast<int64_t>(sizeof(T));

int64_t rounded_to(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

template <class T>
struct RowTask {
  const T* const* maps;  // first pixel of the first row of each input
  const T* weights;      // [input, 3, 3]
  int64_t inputs, pitch, nx, dilation;
  T bias;
  bool rectify;
};

template <class T, int sums>
__attribute__((always_inline)) inline void row_body(const RowTask<T>& t, const int64_t* rows, T* out) {
  using Lanes __attribute__((vector_size(vector_bytes))) = T;
  constexpr int64_t lanes = vector_lanes<T>;
  for (int64_t x = 0; x < t.nx; x += lanes * sums) {
    Lanes sum[sums];
#pragma GCC unroll 8
    for (int k = 0; k < sums; ++k) sum[k] = Lanes{} + t.bias;
    for (int64_t c = 0; c < t.inputs; ++c)
      for (int64_t b = 0; b < kernel_rows; ++b) {
        const T* row = t.maps[c] + rows[b] * t.pitch + x - t.dilation;
        const T* w = t.weights + c * kernel_size + b * kernel_rows;
        for (int64_t a = 0; a < kernel_rows; ++a) {
          const Lanes weight = Lanes{} + w[a];
#pragma GCC unroll 8
          for (int k = 0; k < sums; ++k) {
            Lanes v;
            std::memcpy(&v, row + a * t.dilation + k * lanes, sizeof v);
            sum[k] += weight * v;
          }
        }
      }
#pragma GCC unroll 8
    for (int k = 0; k < sums; ++k) {
      const Lanes v = t.rectify ? (sum[k] < 0 ? Lanes{} : sum[k]) : sum[k];  // NaN stays
      std::memcpy(out + x + k * lanes, &v, sizeof v);
    }
  }
}

// As many sums as there are registers for, with one for a weight and one for what is loaded.
template <class T>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void row_avx512(const RowTask<T>& t, const int64_t* rows, T* out) {
  row_body<T, 8>(t, rows, out);
}
template <class T>
TL_TARGET("avx2,fma")
void row_avx2(const RowTask<T>& t, const int64_t* rows, T* out) {
  row_body<T, 4>(t, rows, out);
}
template <class T>
void row_plain(const RowTask<T>& t, const int64_t* rows, T* out) {
  row_body<T, 1>(t, rows, out);
}

template <class T>
void mirror_ends(T* row, int64_t nx, int64_t border) {
  for (int64_t i = 1; i <= border; ++i) {
    row[-i] = row[mirrored_index(-i, nx)];
    row[nx - 1 + i] = row[mirrored_index(nx - 1 + i, nx)];
  }
}

}  // namespace

PaddedMaps::PaddedMaps(int64_t maps, int64_t ny, int64_t nx, int64_t border, at::ScalarType type)
    : ny_(ny), nx_(nx), border_(border), start_(rounded_to(border, vector_bytes / 4)) {
  TL_CHECK(type == at::kFloat || type == at::kDouble, "maps of floating-point numbers");
  // The last vectors of a row compute beyond it.
  const int64_t pitch = start_ + rounded_to(nx, most_sums * vector_lanes<float>) + start_;
  data_ = at::zeros({maps, ny, pitch}, type);
}

at::Tensor PaddedMaps::view(int64_t first, int64_t count) const {
  return data_.narrow(0, first, count).narrow(2, start_, nx_);
}

void PaddedMaps::put(int64_t map, const at::Tensor& picture) {
  view(map, 1).select(0, 0).copy_(picture);
  const auto mirror = [&](auto* rows) {
    for (int64_t y = 0; y < ny_; ++y) mirror_ends(rows + y * data_.stride(1) + start_, nx_, border_);
  };
  if (data_.scalar_type() == at::kFloat) {
    mirror(data_.mutable_data_ptr<float>() + map * data_.stride(0));
  } else {
    mirror(data_.mutable_data_ptr<double>() + map * data_.stride(0));
  }
}

template <class T>
void PaddedMaps::add_as(const DenseLayer& layer) {
  T* const all = data_.mutable_data_ptr<T>();
  const int64_t pitch = data_.stride(1), map_stride = data_.stride(0);
  const at::Tensor weight = layer.weight.detach().to(data_.scalar_type()).contiguous();
  std::vector<const T*> maps;
  for (const int64_t m : layer.inputs) maps.push_back(all + m * map_stride + start_);
  const RowTask<T> task{
      maps.data(),    weight.const_data_ptr<T>(), static_cast<int64_t>(maps.size()),         pitch, nx_,
      layer.dilation, static_cast<T>(layer.bias), layer.rectify == Rectify::negative_to_zero};
  const CpuVariant variant = best_cpu_variant();
  constexpr int64_t few_rows = 4;
  at::parallel_for(0, ny_, few_rows, [&](int64_t first, int64_t last) {
    for (int64_t y = first; y < last; ++y) {
      int64_t rows[kernel_rows];
      for (int64_t b = 0; b < kernel_rows; ++b) rows[b] = mirrored_index(y + (b - 1) * layer.dilation, ny_);
      T* out = all + layer.output * map_stride + y * pitch + start_;
      if (variant == CpuVariant::avx512) {
        row_avx512(task, rows, out);
      } else if (variant == CpuVariant::avx2) {
        row_avx2(task, rows, out);
      } else {
        row_plain(task, rows, out);
      }
      mirror_ends(out, nx_, border_);
    }
  });
}

void PaddedMaps::add(const DenseLayer& layer) {
  TL_CHECK(layer.dilation >= 1 && layer.dilation <= border_, "a dilation up to the border");
  TL_CHECK(layer.weight.numel() == kernel_size * static_cast<int64_t>(layer.inputs.size()), "nine weights per input");
  for (const int64_t m : layer.inputs)
    TL_CHECK(m >= 0 && m < data_.size(0) && m != layer.output, "inputs are other maps than the output");
  TL_CHECK(layer.output >= 0 && layer.output < data_.size(0), "an output that there is");
  data_.scalar_type() == at::kFloat ? add_as<float>(layer) : add_as<double>(layer);
}

}  // namespace tl::ops
