// Pixels along x are the lanes of vectors; several vectors of sums stay in registers while all inputs and all nine
// weights are processed, so that every product costs one load. Mirrored rows refer to the rows themselves, and rows
// have mirrored pixels at both ends: the loop needs no special case at edges.
#include "gpu/image/padded_maps.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "gpu/device/choose_variant.h"
#include "gpu/device/row_steps.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

constexpr int64_t vector_bytes = 64, max_sums = 8;
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
  bool begins, rectify;  // start from the bias; else from the present output
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
void mirror_ends(T* row, int64_t nx, int64_t border) {
  if (border <= nx) {  // as below, without divisions
    std::reverse_copy(row, row + border, row - border);
    std::reverse_copy(row + nx - border, row + nx, row + nx);
    return;
  }
  for (int64_t i = 1; i <= border; ++i) {
    row[-i] = row[mirrored_index(-i, nx)];
    row[nx - 1 + i] = row[mirrored_index(nx - 1 + i, nx)];
  }
}

}  // namespace

PaddedMaps::PaddedMaps(int64_t maps, int64_t ny, int64_t nx, int64_t border, at::ScalarType type)
    : ny_(ny), nx_(nx), border_(border), start_(rounded_to(border, vector_bytes / 4)) {
  TL_CHECK(type == at::kFloat || type == at::kDouble, "maps of floating-point numbers");
  // The last vectors of a row compute beyond its end.
  const int64_t pitch = start_ + rounded_to(nx, max_sums * vector_lanes<float>) + start_;
  data_ = at::zeros({maps, ny, pitch}, type);
}

at::Tensor PaddedMaps::view(int64_t first, int64_t count) const {
  return data_.narrow(0, first, count).narrow(2, start_, nx_);
}

void PaddedMaps::put(int64_t map, const at::Tensor& image) {
  view(map, 1).select(0, 0).copy_(image);
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

// Inputs of one layer that are processed together.
template <class T>
struct InputPart {
  std::vector<int64_t> maps;
  std::vector<const T*> rows;  // the first of each
  std::vector<T> weights;
};

// One block of work stays within a core's cache of one megabyte: rows and columns of so many inputs, with surroundings
// as large as the dilations, and the sums of all layers.
constexpr std::size_t inputs_at_once = 4;
constexpr int64_t rows_at_once = 16, columns_at_once = 512;

template <class T>
void compute_rows(const RowTask<T>& t, const int64_t* rows, T* out, CpuVariant variant) {
  // As many sums as fit into registers, with one register for a weight and one for loaded pixels.
  Variants<row_body<T, 8>, row_body<T, 4>, row_body<T, 1>>::of(variant)(t, rows, out);
}

template <class T>
void add_pixels(const std::vector<const T*>& maps, const T* weights, int64_t nx, T* out, CpuVariant variant) {
  Variants<pixels_body<T, 8>, pixels_body<T, 4>, pixels_body<T, 1>>::of(variant)(maps, weights, nx, out);
}

}  // namespace

// Steps over rows. Computing one layer after the other would load all maps from memory for each layer. Therefore all
// layers of a step first add the earlier maps, for a part of an image and of the maps at a time, and then, one after
// the other, each other's outputs. Layers read other rows than their own: they wait until these are finished, and write
// only where nothing is read any more.
template <class T>
class PaddedMaps::Plan {
 public:
  explicit Plan(PaddedMaps& maps)
      : maps_(maps),
        all_(maps.data_.mutable_data_ptr<T>()),
        pitch_(maps.data_.stride(1)),
        map_stride_(maps.data_.stride(0)),
        variant_(best_cpu_variant()),
        written_(static_cast<std::size_t>(maps.data_.size(0)), 0),
        read_(written_) {}

  void add(const std::vector<DenseLayer>& layers) {
    const auto group = std::make_shared<Group>(group_of(layers));
    std::vector<int64_t> inputs, outputs;  // of what is taken first
    for (const Member& m : group->members) {
      if (m.before.empty()) continue;
      outputs.push_back(m.output);
      for (const InputPart<T>& part : m.before) inputs.insert(inputs.end(), part.maps.begin(), part.maps.end());
    }
    if (!inputs.empty())
      step(inputs, outputs, [this, group](int64_t begin, int64_t end) { take_before(*group, begin, end); });
    for (std::size_t k = 0; k < group->members.size(); ++k) {
      const Member& m = group->members[k];
      if (m.among.maps.empty() && !m.before.empty()) continue;
      step(m.among.maps, {m.output}, [this, group, k](int64_t begin, int64_t end) {
        const Member& member = group->members[k];
        for (int64_t y = begin; y < end; ++y) row(member, member.among, member.before.empty(), true, y, 0, maps_.nx_);
      });
    }
  }

  void add(const PixelSum& sum) {
    const at::Tensor weight = sum.weight.detach().to(maps_.data_.scalar_type()).contiguous();
    std::vector<int64_t> outputs;
    for (int64_t o = 0; o < weight.size(0); ++o) outputs.push_back(sum.first_output + o);
    // It reads only its own rows.
    step({}, outputs, [this, weight, inputs = sum.inputs, outputs](int64_t begin, int64_t end) {
      std::vector<const T*> rows(inputs.size());
      for (int64_t y = begin; y < end; ++y) {
        for (std::size_t c = 0; c < inputs.size(); ++c) rows[c] = row_of(inputs[c], y);
        for (std::size_t o = 0; o < outputs.size(); ++o)
          add_pixels(rows, weight.const_data_ptr<T>() + static_cast<int64_t>(o) * weight.size(1), maps_.nx_,
                     row_of(outputs[o], y), variant_);
      }
    });
  }

  void run(const CancelToken& cancel) const { run_row_steps(maps_.ny_, steps_, cancel); }

 private:
  // A layer: its inputs from before its group, and its inputs from within the group.
  struct Member {
    std::vector<InputPart<T>> before;
    InputPart<T> among;
    int64_t output = 0, dilation = 1;
    T bias = 0;
    bool rectify = false;
  };
  struct Group {
    std::vector<Member> members;
    std::size_t max_parts = 0;
  };

  Group group_of(const std::vector<DenseLayer>& layers) const {
    // A single layer processes all its inputs in one go.
    const std::size_t at_once = layers.size() > 1 ? inputs_at_once : std::numeric_limits<std::size_t>::max();
    Group group;
    for (const DenseLayer& layer : layers) {
      Member member;
      member.output = layer.output;
      member.dilation = layer.dilation;
      member.bias = static_cast<T>(layer.bias);
      member.rectify = layer.rectify == Rectify::negative_to_zero;
      const at::Tensor weight = layer.weight.detach().to(maps_.data_.scalar_type()).contiguous();
      for (std::size_t c = 0; c < layer.inputs.size(); ++c) {
        const int64_t m = layer.inputs[c];
        const bool made_here =
            std::any_of(group.members.begin(), group.members.end(), [m](const Member& l) { return l.output == m; });
        if (!made_here && (member.before.empty() || member.before.back().maps.size() == at_once))
          member.before.emplace_back();
        InputPart<T>& part = made_here ? member.among : member.before.back();
        part.maps.push_back(m);
        part.rows.push_back(row_of(m, 0));
        const T* w = weight.const_data_ptr<T>() + static_cast<int64_t>(c) * kernel_size;
        part.weights.insert(part.weights.end(), w, w + kernel_size);
      }
      group.max_parts = std::max(group.max_parts, member.before.size());
      group.members.push_back(std::move(member));
    }
    return group;
  }

  // A step that reads rows around its own of some maps, and writes others.
  void step(const std::vector<int64_t>& reads, const std::vector<int64_t>& writes,
            std::function<void(int64_t, int64_t)> run) {
    RowStep one{std::move(run), 0};
    for (const int64_t m : reads) one.waits_for = std::max(one.waits_for, written_[static_cast<std::size_t>(m)]);
    for (const int64_t m : writes) one.waits_for = std::max(one.waits_for, read_[static_cast<std::size_t>(m)]);
    steps_.push_back(std::move(one));
    for (const int64_t m : reads) read_[static_cast<std::size_t>(m)] = steps_.size();
    for (const int64_t m : writes) written_[static_cast<std::size_t>(m)] = steps_.size();
  }

  void take_before(const Group& group, int64_t begin, int64_t end) const {
    const int64_t columns = group.members.size() > 1 ? columns_at_once : maps_.nx_;
    for (int64_t first = begin; first < end; first += rows_at_once)
      for (int64_t x = 0; x < maps_.nx_; x += columns)
        for (std::size_t p = 0; p < group.max_parts; ++p)
          for (const Member& m : group.members) {
            if (p >= m.before.size()) continue;
            const bool is_last = p + 1 == m.before.size() && m.among.maps.empty();
            for (int64_t y = first; y < std::min(end, first + rows_at_once); ++y)
              row(m, m.before[p], p == 0, is_last, y, x, std::min(columns, maps_.nx_ - x));
          }
  }

  void row(const Member& m, const InputPart<T>& part, bool is_first, bool is_last, int64_t y, int64_t x,
           int64_t width) const {
    int64_t rows[kernel_rows];
    for (int64_t b = 0; b < kernel_rows; ++b) rows[b] = mirrored_index(y + (b - 1) * m.dilation, maps_.ny_);
    const RowTask<T> task{part.rows.data(),
                          part.weights.data(),
                          static_cast<int64_t>(part.rows.size()),
                          pitch_,
                          x,
                          width,
                          m.dilation,
                          m.bias,
                          is_first,
                          is_last && m.rectify};
    T* const out = row_of(m.output, y);
    compute_rows(task, rows, out + x, variant_);
    if (is_last && x + width == maps_.nx_) mirror_ends(out, maps_.nx_, maps_.border_);
  }

  [[nodiscard]] T* row_of(int64_t map, int64_t y) const { return all_ + map * map_stride_ + y * pitch_ + maps_.start_; }

  PaddedMaps& maps_;
  T* all_;
  int64_t pitch_, map_stride_;
  CpuVariant variant_;
  std::vector<RowStep> steps_;
  // By map: number of steps that must be finished when it has been written, and when it is no longer read.
  std::vector<std::size_t> written_, read_;
};

void PaddedMaps::fill(int64_t map, double value) { data_.select(0, map).fill_(value); }

void PaddedMaps::check(const DenseLayer& layer) const {
  TL_CHECK(layer.dilation >= 1 && layer.dilation <= border_, "a dilation up to the border");
  TL_CHECK(layer.weight.numel() == kernel_size * static_cast<int64_t>(layer.inputs.size()), "nine weights per input");
  for (const int64_t m : layer.inputs)
    TL_CHECK(m >= 0 && m < data_.size(0) && m != layer.output, "inputs are other maps than the output");
  TL_CHECK(layer.output >= 0 && layer.output < data_.size(0), "the output must exist");
}

void PaddedMaps::check(const PixelSum& sum) const {
  TL_CHECK(sum.weight.dim() == 2 && sum.weight.size(1) == static_cast<int64_t>(sum.inputs.size()),
           "a weight for each input");
  const int64_t first = sum.first_output, end = first + sum.weight.size(0);
  TL_CHECK(first >= 0 && end <= data_.size(0), "outputs that there are");
  for (const int64_t m : sum.inputs)
    TL_CHECK(m >= 0 && m < data_.size(0) && (m < first || m >= end), "inputs are other maps than the outputs");
}

void PaddedMaps::compute(const std::vector<DenseStep>& steps, const CancelToken& cancel) {
  const auto run = [&](auto plan) {
    for (const DenseStep& step : steps) {
      for (const DenseLayer& layer : step.layers) check(layer);
      if (step.sum) check(*step.sum);
      if (!step.layers.empty()) plan.add(step.layers);
      if (step.sum) plan.add(*step.sum);
    }
    plan.run(cancel);
  };
  data_.scalar_type() == at::kFloat ? run(Plan<float>(*this)) : run(Plan<double>(*this));
}

}  // namespace tl::ops
