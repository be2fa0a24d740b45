// Collects strokes, limits the number of their voxels, and gathers their features brick by brick.
#include "core/nodes/segment/stroke_samples.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/grid_box.h"
#include "core/base/random.h"

namespace tl {
namespace {

// Large enough that the voxels around a brick are not many more than those inside, small enough that a few strokes do
// not require a whole slice to be computed.
struct BrickSize {
  int64_t z, y, x;
};
BrickSize brick_size(ops::FeatureSpan span) {
  return span == ops::FeatureSpan::slices ? BrickSize{1, 128, 128} : BrickSize{16, 64, 64};
}

}  // namespace

Result<void> StrokeSamples::keep(const StrokeVoxel& stroke) {
  if (counts_.count(stroke.number) == 0 && counts_.size() == max_stroke_classes)
    return invalid("the strokes have more than " + std::to_string(max_stroke_classes) + " numbers", "strokes",
                   "Give labels of classes, not numbers of objects");
  ++counts_[stroke.number];
  const Philox random{seed_, 0x7374726b};
  const Philox::Block block = random(static_cast<uint64_t>(stroke.voxel));
  auto& heap = drawn_[stroke.number];
  const Drawn drawn{(uint64_t{block.word[0]} << 32) | block.word[1], stroke};
  if (static_cast<int64_t>(heap.size()) == max_samples_per_class) {
    if (!(drawn < heap.front())) return ok();
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  heap.push_back(drawn);
  std::push_heap(heap.begin(), heap.end());
  return ok();
}

Result<void> StrokeSamples::add(const Labels& piece, std::optional<int64_t> not_labelled) {
  const at::Tensor plain = piece.data.to(at::kCPU, at::kInt).contiguous();
  const auto* data = plain.const_data_ptr<int32_t>();
  const VolumeGrid& g = piece.grid;
  const auto box = box_in(volume_, g);
  another_grid_ = another_grid_ || !box;
  for (int64_t z = 0; z < g.nz; ++z)
    for (int64_t y = 0; y < g.ny; ++y) {
      const int32_t* row = data + (z * g.ny + y) * g.nx;
      for (int64_t x = 0; x < g.nx; ++x) {
        if (row[x] == not_labelled) continue;
        int64_t k = 0, j = 0, i = 0;
        if (box) {
          k = box->z.begin + z;
          j = box->y.begin + y;
          i = box->x.begin + x;
        } else {
          const GridPoint at = fractional_index(
              volume_, g.position(static_cast<double>(z), static_cast<double>(y), static_cast<double>(x)));
          k = std::llround(at.k);
          j = std::llround(at.j);
          i = std::llround(at.i);
          if (k < 0 || k >= volume_.nz || j < 0 || j >= volume_.ny || i < 0 || i >= volume_.nx) {
            ++outside_;
            continue;
          }
        }
        TL_TRY(keep({(k * volume_.ny + j) * volume_.nx + i, row[x]}));
      }
    }
  return ok();
}

std::vector<FeatureBrick> StrokeSamples::bricks(ops::FeatureSpan span) {
  const BrickSize size = brick_size(span);
  const auto place = [&](const StrokeVoxel& s) {
    const int64_t x = s.voxel % volume_.nx, y = s.voxel / volume_.nx % volume_.ny,
                  z = s.voxel / volume_.nx / volume_.ny;
    return std::tuple(z / size.z, y / size.y, x / size.x);
  };
  strokes_.clear();
  for (const auto& [number, heap] : drawn_)
    for (const Drawn& d : heap) strokes_.push_back(d.stroke);
  drawn_.clear();
  std::sort(strokes_.begin(), strokes_.end());
  // Finer strokes name a voxel several times: the lowest number counts.
  strokes_.erase(std::unique(strokes_.begin(), strokes_.end(),
                             [](const StrokeVoxel& a, const StrokeVoxel& b) { return a.voxel == b.voxel; }),
                 strokes_.end());
  std::stable_sort(strokes_.begin(), strokes_.end(),
                   [&](const StrokeVoxel& a, const StrokeVoxel& b) { return place(a) < place(b); });
  std::vector<FeatureBrick> all;
  for (std::size_t i = 0; i < strokes_.size(); ++i) {
    if (i == 0 || place(strokes_[i - 1]) != place(strokes_[i])) {
      const auto [z, y, x] = place(strokes_[i]);
      const auto range = [](int64_t number, int64_t edge, int64_t limit) {
        return Range{number * edge, std::min((number + 1) * edge, limit)};
      };
      all.push_back({range(z, size.z, volume_.nz), range(y, size.y, volume_.ny), range(x, size.x, volume_.nx), i, 0});
    }
    ++all.back().stroke_count;
  }
  return all;
}

void StrokeSamples::take(const FeatureBrick& brick, const at::Tensor& features) {
  const int64_t count = features.size(0);
  if (!features_.defined()) features_ = at::zeros({static_cast<int64_t>(strokes_.size()), count}, at::kFloat);
  const auto* from = features.const_data_ptr<float>();
  auto* to = features_.mutable_data_ptr<float>() + static_cast<int64_t>(brick.first_stroke) * count;
  const int64_t plane = brick.z.size() * brick.y.size() * brick.x.size();
  for (std::size_t i = brick.first_stroke; i < brick.first_stroke + brick.stroke_count; ++i, to += count) {
    const int64_t voxel = strokes_[i].voxel;
    const int64_t x = voxel % volume_.nx, y = voxel / volume_.nx % volume_.ny, z = voxel / volume_.nx / volume_.ny;
    const int64_t at = ((z - brick.z.begin) * brick.y.size() + y - brick.y.begin) * brick.x.size() + x - brick.x.begin;
    for (int64_t f = 0; f < count; ++f) to[f] = from[f * plane + at];
  }
}

std::pair<at::Tensor, at::Tensor> StrokeSamples::samples() const {
  std::map<int32_t, int32_t> index;
  for (const StrokeVoxel& s : strokes_) index.emplace(s.number, 0);
  int32_t next = 0;
  for (auto& [number, i] : index) i = next++;
  at::Tensor classes = at::empty({static_cast<int64_t>(strokes_.size())}, at::kInt);
  auto* to = classes.mutable_data_ptr<int32_t>();
  for (const StrokeVoxel& s : strokes_) *to++ = index.at(s.number);
  return {features_.t().contiguous(), classes};
}

}  // namespace tl
