// Pixels along x are the lanes of vectors; several vectors of sums stay in registers while all inputs and all nine
// weights go by, so that every product costs one load. Mirrored rows are the rows themselves, and rows carry mirrored
// pixels at both ends: the loop knows no edges.
#include "gpu/image/padded_maps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>
#include <limits>

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
  const T* const* maps;                       // first pixel of the first row of each input
  const T* weights;                           // [input, 3, 3]
  int64_t inputs, pitch, from, nx, dilation;  // columns from .. from + nx
  T bias;
  bool begins, rectify;  // with the bias; else with what the output is already
};

template <class T, int sums>
__attribute__((always_inline)) inline void row_body(const RowTask<T>& t, const int64_t* rows, T* out) {
  using Lanes __attribute__((vector_size(vector_bytes))) = T;
  constexpr int64_t lanes = vector_lanes<T>;
  for (int64_t x = 0; x < t.nx; x += lanes * sums) {
    Lanes sum[sums];
#pragma GCC unroll 8
    for (int k = 0; k < sums; ++k) sum[k] = Lanes{} + t.bias;
    if (!t.begins) std::memcpy(&sum, out + x, sizeof sum);
    for (int64_t c = 0; c < t.inputs; ++c)
      for (int64_t b = 0; b < kernel_rows; ++b) {
        const T* row = t.maps[c] + rows[b] * t.pitch + t.from + x - t.dilation;
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

// `maps` lead to the row of each input; every input costs one load.
template <class T, int sums>
__attribute__((always_inline)) inline void pixels_body(const std::vector<const T*>& maps, const T* weights, int64_t nx,
                                                       T* out) {
  using Lanes __attribute__((vector_size(vector_bytes))) = T;
  constexpr int64_t lanes = vector_lanes<T>;
  for (int64_t x = 0; x < nx; x += lanes * sums) {
    Lanes sum[sums];
    std::memcpy(&sum, out + x, sizeof sum);
    for (std::size_t c = 0; c < maps.size(); ++c) {
      const Lanes weight = Lanes{} + weights[c];
#pragma GCC unroll 8
      for (int k = 0; k < sums; ++k) {
        Lanes v;
        std::memcpy(&v, maps[c] + x + k * lanes, sizeof v);
        sum[k] += weight * v;
      }
    }
    std::memcpy(out + x, &sum, sizeof sum);
  }
}

template <class T>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void pixels_avx512(const std::vector<const T*>& maps, const T* weights, int64_t nx, T* out) {
  pixels_body<T, 8>(maps, weights, nx, out);
}
template <class T>
TL_TARGET("avx2,fma")
void pixels_avx2(const std::vector<const T*>& maps, const T* weights, int64_t nx, T* out) {
  pixels_body<T, 4>(maps, weights, nx, out);
}
template <class T>
void pixels_plain(const std::vector<const T*>& maps, const T* weights, int64_t nx, T* out) {
  pixels_body<T, 1>(maps, weights, nx, out);
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

namespace {

// Inputs of one layer that are taken at once.
template <class T>
struct InputPart {
  std::vector<const T*> maps;
  std::vector<T> weights;
};

// What is done at once stays within a core's cache of a megabyte: rows and columns of so many inputs, with as much
// around them as dilations reach, and the sums of all layers.
constexpr std::size_t inputs_at_once = 4;
constexpr int64_t rows_at_once = 16, columns_at_once = 512;

template <class T>
void compute_rows(const RowTask<T>& t, const int64_t* rows, T* out, CpuVariant variant) {
  if (variant == CpuVariant::avx512) {
    row_avx512(t, rows, out);
  } else if (variant == CpuVariant::avx2) {
    row_avx2(t, rows, out);
  } else {
    row_plain(t, rows, out);
  }
}

}  // namespace

// One layer after the other would take all maps through memory once for each. So all layers first take what was there
// before them, a part of a picture and of the maps at a time, and then, one after the other, what they give each other.
template <class T>
void PaddedMaps::add_together_as(const std::vector<DenseLayer>& layers, const CancelToken& cancel) {
  T* const all = data_.mutable_data_ptr<T>();
  const int64_t pitch = data_.stride(1), map_stride = data_.stride(0);
  const CpuVariant variant = best_cpu_variant();
  const std::size_t count = layers.size();
  // By itself a layer takes all its inputs in one go.
  const std::size_t at_once = count > 1 ? inputs_at_once : std::numeric_limits<std::size_t>::max();
  const int64_t columns = count > 1 ? columns_at_once : nx_;
  std::vector<std::vector<InputPart<T>>> before(count);
  std::vector<InputPart<T>> among(count);
  std::size_t most_parts = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const at::Tensor weight = layers[k].weight.detach().to(data_.scalar_type()).contiguous();
    for (std::size_t c = 0; c < layers[k].inputs.size(); ++c) {
      const int64_t m = layers[k].inputs[c];
      const bool made_here = std::any_of(layers.begin(), layers.begin() + static_cast<std::ptrdiff_t>(k),
                                         [m](const DenseLayer& l) { return l.output == m; });
      if (!made_here && (before[k].empty() || before[k].back().maps.size() == at_once)) before[k].emplace_back();
      InputPart<T>& part = made_here ? among[k] : before[k].back();
      part.maps.push_back(all + m * map_stride + start_);
      const T* w = weight.const_data_ptr<T>() + static_cast<int64_t>(c) * kernel_size;
      part.weights.insert(part.weights.end(), w, w + kernel_size);
    }
    most_parts = std::max(most_parts, before[k].size());
  }
  const auto compute = [&](std::size_t k, const InputPart<T>& part, bool is_first, bool is_last, int64_t y, int64_t x,
                           int64_t width) {
    const DenseLayer& layer = layers[k];
    int64_t rows[kernel_rows];
    for (int64_t b = 0; b < kernel_rows; ++b) rows[b] = mirrored_index(y + (b - 1) * layer.dilation, ny_);
    const RowTask<T> task{part.maps.data(),
                          part.weights.data(),
                          static_cast<int64_t>(part.maps.size()),
                          pitch,
                          x,
                          width,
                          layer.dilation,
                          static_cast<T>(layer.bias),
                          is_first,
                          is_last && layer.rectify == Rectify::negative_to_zero};
    T* const out = all + layer.output * map_stride + y * pitch + start_;
    compute_rows(task, rows, out + x, variant);
    if (is_last && x + width == nx_) mirror_ends(out, nx_, border_);
  };
  const int64_t bands = (ny_ + rows_at_once - 1) / rows_at_once;
  at::parallel_for(0, bands, 1, [&](int64_t first, int64_t last) {
    for (int64_t band = first; band < last && !cancel.cancelled(); ++band)
      for (int64_t x = 0; x < nx_; x += columns)
        for (std::size_t p = 0; p < most_parts; ++p)
          for (std::size_t k = 0; k < count; ++k) {
            if (p >= before[k].size()) continue;
            const bool is_last = p + 1 == before[k].size() && among[k].maps.empty();
            for (int64_t y = band * rows_at_once; y < std::min(ny_, (band + 1) * rows_at_once); ++y)
              compute(k, before[k][p], p == 0, is_last, y, x, std::min(columns, nx_ - x));
          }
  });
  constexpr int64_t few_rows = 4;
  for (std::size_t k = 0; k < count; ++k) {
    cancel.check();
    const bool is_new = before[k].empty();
    if (!is_new && among[k].maps.empty()) continue;
    at::parallel_for(0, ny_, few_rows, [&](int64_t first, int64_t last) {
      for (int64_t y = first; y < last; ++y) compute(k, among[k], is_new, true, y, 0, nx_);
    });
  }
}

template <class T>
void PaddedMaps::add_pixelwise_as(int64_t first_output, const std::vector<int64_t>& inputs, const at::Tensor& weight) {
  T* const all = data_.mutable_data_ptr<T>();
  const int64_t pitch = data_.stride(1), map_stride = data_.stride(0);
  const at::Tensor weights = weight.detach().to(data_.scalar_type()).contiguous();
  const T* const w = weights.const_data_ptr<T>();
  const CpuVariant variant = best_cpu_variant();
  constexpr int64_t few_rows = 4;
  at::parallel_for(0, ny_, few_rows, [&](int64_t first, int64_t last) {
    std::vector<const T*> rows(inputs.size());
    for (int64_t y = first; y < last; ++y) {
      for (std::size_t c = 0; c < inputs.size(); ++c) rows[c] = all + inputs[c] * map_stride + y * pitch + start_;
      for (int64_t o = 0; o < weights.size(0); ++o) {
        T* out = all + (first_output + o) * map_stride + y * pitch + start_;
        const T* of_output = w + o * weights.size(1);
        if (variant == CpuVariant::avx512) {
          pixels_avx512(rows, of_output, nx_, out);
        } else if (variant == CpuVariant::avx2) {
          pixels_avx2(rows, of_output, nx_, out);
        } else {
          pixels_plain(rows, of_output, nx_, out);
        }
      }
    }
  });
}

void PaddedMaps::fill(int64_t map, double value) { data_.select(0, map).fill_(value); }

void PaddedMaps::add_pixelwise(int64_t first_output, const std::vector<int64_t>& inputs, const at::Tensor& weight) {
  TL_CHECK(weight.dim() == 2 && weight.size(1) == static_cast<int64_t>(inputs.size()), "a weight for each input");
  const int64_t end = first_output + weight.size(0);
  TL_CHECK(first_output >= 0 && end <= data_.size(0), "outputs that there are");
  for (const int64_t m : inputs)
    TL_CHECK(m >= 0 && m < data_.size(0) && (m < first_output || m >= end), "inputs are other maps than the outputs");
  data_.scalar_type() == at::kFloat ? add_pixelwise_as<float>(first_output, inputs, weight)
                                    : add_pixelwise_as<double>(first_output, inputs, weight);
}

void PaddedMaps::add_together(const std::vector<DenseLayer>& layers, const CancelToken& cancel) {
  for (const DenseLayer& layer : layers) {
    TL_CHECK(layer.dilation >= 1 && layer.dilation <= border_, "a dilation up to the border");
    TL_CHECK(layer.weight.numel() == kernel_size * static_cast<int64_t>(layer.inputs.size()), "nine weights per input");
    for (const int64_t m : layer.inputs)
      TL_CHECK(m >= 0 && m < data_.size(0) && m != layer.output, "inputs are other maps than the output");
    TL_CHECK(layer.output >= 0 && layer.output < data_.size(0), "an output that there is");
  }
  data_.scalar_type() == at::kFloat ? add_together_as<float>(layers, cancel) : add_together_as<double>(layers, cancel);
}

}  // namespace tl::ops
