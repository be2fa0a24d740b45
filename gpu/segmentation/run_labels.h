// Connected components as labelled runs of voxels along x: shared by labelling, cleaning and hysteresis.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/region.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

// Which voxels form components.
enum class VoxelsToLabel {
  not_zero,  // any non-zero neighbours are in one component, whatever their values
  zero       // the background
};

// The voxels of a lattice in maximal runs of equal value along x, in raster order, each with the number of its
// component (from 1, in the order of the components' first voxels).
struct RunLabels {
  Lattice lattice;
  std::vector<int64_t> first;       // run first[r] is the first of row r = z ny + y; size rows + 1
  std::vector<int32_t> begin, end;  // half-open, in voxels along x
  std::vector<int32_t> label;
  std::vector<int64_t> voxels;  // voxels[i] of component i + 1

  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(voxels.size()); }
  [[nodiscard]] Range runs(int64_t row) const {
    return {first[static_cast<std::size_t>(row)], first[static_cast<std::size_t>(row) + 1]};
  }
};

// Calls visit(a, b) for the pairs of runs, of two rows, that have adjacent voxels: in the same column, or up
// to `reach` columns apart. begin and end are those of all runs of each.
template <class Visit>
void for_touching_runs(const std::vector<int32_t>& begin_a, const std::vector<int32_t>& end_a, Range runs_a,
                       const std::vector<int32_t>& begin_b, const std::vector<int32_t>& end_b, Range runs_b,
                       int32_t reach, const Visit& visit) {
  int64_t from = runs_b.begin;
  for (int64_t a = runs_a.begin; a < runs_a.end; ++a) {
    const int32_t low = begin_a[static_cast<std::size_t>(a)] - reach, high = end_a[static_cast<std::size_t>(a)] + reach;
    while (from < runs_b.end && end_b[static_cast<std::size_t>(from)] <= low) ++from;
    for (int64_t b = from; b < runs_b.end && begin_b[static_cast<std::size_t>(b)] < high; ++b) visit(a, b);
  }
}

// An earlier row that contains neighbours of a voxel, and how many columns apart they may be.
struct RowBefore {
  int64_t z = 0, y = 0;  // offsets, -1 to 1
  int32_t reach = 0;
};
std::vector<RowBefore> rows_before(const Lattice& lattice, Connectivity connectivity);

// Root of the tree of i; paths are shortened during the search. Roots are the smallest numbers of their trees.
template <class Number>
Number root_of(std::vector<Number>& parent, Number i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    Number& up = parent[static_cast<std::size_t>(i)];
    up = parent[static_cast<std::size_t>(up)];
    i = up;
  }
  return i;
}
template <class Number>
void unite(std::vector<Number>& parent, Number a, Number b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a < b) parent[static_cast<std::size_t>(b)] = a;
  if (b < a) parent[static_cast<std::size_t>(a)] = b;
}

// Labels the components of a mask (bool) or of labels (uint8, int32). Errors: those of check_labels; invalid for more
// than 2^31 - 1 runs (label such volumes slab by slab) or columns. Throws Failure{cancelled}.
Result<RunLabels> label_runs(const at::Tensor& voxels, Connectivity connectivity, VoxelsToLabel which,
                             const CancelToken& cancel, const std::string& where);

// For every component, whether it has a voxel at a border of the lattice (along z only if there are several slices).
std::vector<bool> at_border(const RunLabels& runs);

// For every component, whether `marked` (bool, of the lattice's shape) is true in one of its voxels.
std::vector<bool> containing(const RunLabels& runs, const at::Tensor& marked);

// A mask of the components for which `keep` is true, in the shape of `like`.
at::Tensor mask_of_components(const RunLabels& runs, const std::vector<bool>& keep, const at::Tensor& like);

// Labels (int32) with the shape of `like`: names[i] for component i + 1.
at::Tensor labels_of_components(const RunLabels& runs, const std::vector<int32_t>& names, const at::Tensor& like);

}  // namespace tl::ops
