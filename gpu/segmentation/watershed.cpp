// Watershed by a heap of voxels, ordered by height and age. The heap is a plain binary heap while it holds markers:
// among markers of equal height the order depends on the heap's structure, and results should equal those of
// scikit-image. All other voxels differ in age, so that their order does not depend on the heap: voxels at the present
// level go to a separate queue.
#include "gpu/segmentation/watershed.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gpu/segmentation/components.h"
#include "gpu/segmentation/local_extrema.h"

namespace tl::ops {
namespace {

constexpr int64_t voxels_between_checks = 1 << 16;
constexpr uint8_t closed = 1 << 6;  // bit of a voxel's state: not in the mask, or on a line

// A waiting voxel. Number: type of voxel indices and ages.
template <class T, class Number>
struct WaitingVoxel {
  T height;
  Number age, index;
  [[nodiscard]] bool before(const WaitingVoxel& o) const {
    return height < o.height || (height == o.height && age < o.age);
  }
};
// A waiting voxel with the marker voxel from which it was reached.
struct SourcedVoxel {
  double height;
  int64_t age, index, source;
  [[nodiscard]] bool before(const SourcedVoxel& o) const {
    return height < o.height || (height == o.height && age < o.age);
  }
};

template <class Item>
class BinaryHeap {
 public:
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const Item& top() const { return items_.front(); }
  void push(const Item& item) {
    std::size_t hole = items_.size();
    items_.push_back(item);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!item.before(items_[parent])) break;
      items_[hole] = items_[parent];
      hole = parent;
    }
    items_[hole] = item;
  }
  Item pop() {
    const Item first = items_.front(), moved = items_.back();
    items_.pop_back();
    const std::size_t count = items_.size();
    if (count == 0) return first;
    std::size_t hole = 0;
    for (std::size_t left = 1; left < count; left = 2 * hole + 1) {
      std::size_t smallest = hole;
      if (items_[left].before(moved)) smallest = left;
      if (left + 1 < count && items_[left + 1].before(smallest == hole ? moved : items_[left])) smallest = left + 1;
      if (smallest == hole) break;
      items_[hole] = items_[smallest];
      hole = smallest;
    }
    items_[hole] = moved;
    return first;
  }

 private:
  std::vector<Item> items_;
};

// Neighbours of voxels by index; the state of a voxel contains the borders at which it lies.
class Neighbourhood {
 public:
  Neighbourhood(const Lattice& l, Connectivity connectivity) : lattice_(l) {
    for (const LatticeStep& s : neighbours_of(l, connectivity)) {
      uint8_t needs = 0;
      const int64_t along[] = {s.x, s.y, s.z};
      for (int axis = 0; axis < 3; ++axis)
        if (along[axis] != 0) needs = static_cast<uint8_t>(needs | (1 << (2 * axis + (along[axis] < 0 ? 0 : 1))));
      steps_.push_back({(s.z * l.ny + s.y) * l.nx + s.x, needs});
    }
  }
  // States of all voxels: bits of the borders at which they lie, and `closed` outside the mask.
  [[nodiscard]] std::vector<uint8_t> states(const bool* mask) const {
    std::vector<uint8_t> states(static_cast<std::size_t>(lattice_.count()));
    std::size_t i = 0;
    for (int64_t z = 0; z < lattice_.nz; ++z)
      for (int64_t y = 0; y < lattice_.ny; ++y)
        for (int64_t x = 0; x < lattice_.nx; ++x, ++i) {
          const int at_border = (x == 0) | (x == lattice_.nx - 1) << 1 | (y == 0) << 2 | (y == lattice_.ny - 1) << 3 |
                                (z == 0) << 4 | (z == lattice_.nz - 1) << 5;
          states[i] = static_cast<uint8_t>(at_border | (mask != nullptr && !mask[i] ? closed : 0));
        }
    return states;
  }
  // Calls visit(n) for the neighbours n of voxel i that are not closed.
  template <class Visit>
  void visit_open(const std::vector<uint8_t>& states, int64_t i, const Visit& visit) const {
    const uint8_t own = states[static_cast<std::size_t>(i)];
    for (const Step& s : steps_) {
      if ((own & s.needs) != 0) continue;
      const int64_t n = i + s.offset;
      if ((states[static_cast<std::size_t>(n)] & closed) == 0) visit(n);
    }
  }
  [[nodiscard]] double distance(int64_t a, int64_t b) const {
    const int64_t nx = lattice_.nx, ny = lattice_.ny;
    const int64_t x = a % nx - b % nx, y = a / nx % ny - b / nx % ny, z = a / nx / ny - b / nx / ny;
    return std::sqrt(static_cast<double>(z * z + y * y + x * x));
  }

 private:
  struct Step {
    int64_t offset;
    uint8_t needs;  // bits of borders at which the neighbour does not exist
  };
  Lattice lattice_;
  std::vector<Step> steps_;
};

struct Flooding {
  const Lattice& lattice;
  const WatershedSpec& spec;
  std::vector<uint8_t> states;
  int32_t* label;  // markers, then the result
};

// A voxel is labelled when it is reached: it cannot be reached at a lower height later.
template <class T, class Number>
void flood(const T* height, Flooding& f) {
  using Item = WaitingVoxel<T, Number>;
  const Neighbourhood neighbours(f.lattice, f.spec.connectivity);
  BinaryHeap<Item> heap;
  int64_t markers = 0;
  for (int64_t i = 0; i < f.lattice.count(); ++i)
    if (f.label[i] != 0) {
      heap.push({height[i], 0, static_cast<Number>(i)});
      ++markers;
    }
  Number age = 1;
  std::vector<Number> level_queue;  // voxels of the present level, in the order of age
  std::size_t next = 0;
  T level = -std::numeric_limits<T>::infinity();
  for (int64_t done = 0;; ++done) {
    if (done % voxels_between_checks == 0) f.spec.cancel.check();
    int64_t index = 0;
    if (!heap.empty() && (next == level_queue.size() || heap.top().height == level)) {
      const Item item = heap.pop();
      if (item.age == 0) --markers;
      level = item.height;
      index = static_cast<int64_t>(item.index);
    } else if (next < level_queue.size()) {
      index = static_cast<int64_t>(level_queue[next++]);
      if (next == level_queue.size()) {
        level_queue.clear();
        next = 0;
      }
    } else {
      return;
    }
    neighbours.visit_open(f.states, index, [&](int64_t n) {
      if (f.label[n] != 0) return;
      f.label[n] = f.label[index];
      const Number born = ++age;
      if (markers == 0 && height[n] <= level)
        level_queue.push_back(static_cast<Number>(n));
      else
        heap.push({std::max(height[n], level), born, static_cast<Number>(n)});
    });
  }
}

// A voxel is labelled when it leaves the heap: until then another marker may reach it at a lower height, or it may
// become part of a line.
template <class T>
void flood_from_sources(const T* height, Flooding& f) {
  const Neighbourhood neighbours(f.lattice, f.spec.connectivity);
  const bool compact = f.spec.compactness > 0;
  BinaryHeap<SourcedVoxel> heap;
  for (int64_t i = 0; i < f.lattice.count(); ++i)
    if (f.label[i] != 0) heap.push({static_cast<double>(height[i]), 0, i, i});
  int64_t age = 1;
  for (int64_t done = 0; !heap.empty(); ++done) {
    if (done % voxels_between_checks == 0) f.spec.cancel.check();
    const SourcedVoxel item = heap.pop();
    if (f.label[item.index] != 0 && item.index != item.source) continue;
    uint8_t& state = f.states[static_cast<std::size_t>(item.index)];
    // A voxel on a line passes on the first marker that reaches it; later ones would reach no voxel earlier.
    if ((state & closed) != 0) continue;
    const int32_t own = f.label[item.source];
    bool on_line = false;
    if (!compact) {
      neighbours.visit_open(f.states, item.index,
                            [&](int64_t n) { on_line = on_line || (f.label[n] != 0 && f.label[n] != own); });
      if (on_line) state = static_cast<uint8_t>(state | closed);
    }
    if (!on_line) f.label[item.index] = own;
    neighbours.visit_open(f.states, item.index, [&](int64_t n) {
      if (f.label[n] != 0) return;
      double h = static_cast<double>(height[n]);
      if (compact) h += f.spec.compactness * neighbours.distance(n, item.source);
      heap.push({std::max(h, item.height), ++age, n, item.source});
    });
  }
}

template <class T>
void run_flood(const at::Tensor& volume, Flooding& f) {
  const T* height = volume.const_data_ptr<T>();
  if (f.spec.compactness > 0 || f.spec.lines == WatershedLines::drawn) return flood_from_sources<T>(height, f);
  if (f.lattice.count() < std::numeric_limits<uint32_t>::max()) return flood<T, uint32_t>(height, f);
  flood<T, int64_t>(height, f);
}

Result<at::Tensor> checked_markers(const at::Tensor& volume, const at::Tensor& markers, const at::Tensor& mask,
                                   const WatershedSpec& spec, const std::string& where) {
  at::Tensor numbers = markers;
  if (!markers.defined()) {
    TL_TRY(at::Tensor minima, local_extrema(volume, Extremum::minimum, spec.connectivity, spec.cancel));
    if (mask.defined()) minima.logical_and_(mask);
    TL_TRY(Components found, components(minima, {spec.connectivity, spec.cancel}));
    numbers = found.labels;
  }
  TL_TRY(check_labels(numbers, where));
  TL_TRY(check_same_shape(volume, numbers, "the markers", where));
  numbers = numbers.to(at::kInt, /*non_blocking=*/false, /*copy=*/true).contiguous();
  if (mask.defined()) numbers.mul_(mask);
  if (numbers.ne(0).any().item<bool>()) return numbers;
  return markers.defined() ? invalid("no marker is in the mask", where, "Paint markers, or let them be found")
                           : invalid("the volume has no local minimum in the mask", where, "Paint markers");
}

}  // namespace

Result<at::Tensor> watershed(const at::Tensor& volume, const at::Tensor& markers, const at::Tensor& mask,
                             const WatershedSpec& spec) {
  const std::string where = "watershed";
  TL_TRY(const Lattice lattice, check_volume(volume, where));
  TL_TRY(check_no_nan(volume, where));
  if (!(spec.compactness >= 0) || !std::isfinite(spec.compactness))
    return invalid("the compactness must be 0 or above", where);
  if (spec.compactness > 0 && spec.lines == WatershedLines::drawn)
    return invalid("a compact watershed has no lines", where, "Set the compactness to 0, or switch the lines off");
  if (mask.defined()) {
    TL_TRY(check_mask(mask, where));
    TL_TRY(check_same_shape(volume, mask, "the mask", where));
  }
  TL_TRY(at::Tensor labels, checked_markers(volume, markers, mask, spec, where));
  const at::Tensor plain = volume.contiguous(), inside = mask.defined() ? mask.contiguous() : mask;
  Flooding f{lattice, spec,
             Neighbourhood(lattice, spec.connectivity).states(mask.defined() ? inside.const_data_ptr<bool>() : nullptr),
             labels.mutable_data_ptr<int32_t>()};
  if (plain.scalar_type() == at::kFloat)
    run_flood<float>(plain, f);
  else
    run_flood<double>(plain, f);
  return labels;
}

}  // namespace tl::ops
