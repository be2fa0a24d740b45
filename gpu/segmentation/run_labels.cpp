// Labels connected components: runs per row in parallel, union-find over the runs of neighbouring rows, numbers in
// raster order. Chunks of rows are joined in parallel, then the rows at their seams; since a root is the smallest run
// of its tree, the numbers do not depend on the chunks.
#include "gpu/segmentation/run_labels.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t labelling_operations = 4;  // rough value, for the work per thread

template <class V>
bool is_labelled(V value, VoxelsToLabel which) {
  return (value == V{0}) == (which == VoxelsToLabel::zero);
}

// Calls run(begin, end) for the runs of a row.
template <class V, class Run>
void for_runs(const V* row, int64_t nx, VoxelsToLabel which, const Run& run) {
  int64_t x = 0;
  while (x < nx) {
    if (!is_labelled(row[x], which)) {
      ++x;
      continue;
    }
    const int64_t begin = x;
    const V value = row[x];
    while (x < nx && row[x] == value) ++x;
    run(static_cast<int32_t>(begin), static_cast<int32_t>(x));
  }
}

template <class V>
class RunLabeller {
 public:
  RunLabeller(const V* data, const Lattice& lattice, Connectivity connectivity, VoxelsToLabel which,
              const CancelToken& cancel)
      : data_(data), before_(rows_before(lattice, connectivity)), which_(which), cancel_(cancel) {
    runs_.lattice = lattice;
  }

  Result<RunLabels> run(const std::string& where) {
    count_runs();
    if (runs_.first.back() > std::numeric_limits<int32_t>::max())
      return invalid("there are more than 2^31 runs of voxels", where, "Label the volume slab by slab");
    find_runs();
    join_runs();
    number_runs();
    return std::move(runs_);
  }

 private:
  template <class Row>
  void for_rows(const Row& work) {
    ops::parallel_for(0, runs_.lattice.rows(), grain(runs_.lattice.nx * labelling_operations),
                      [&](int64_t first, int64_t last) {
                        cancel_.check();
                        for (int64_t r = first; r < last; ++r) work(r);
                      });
  }
  const V* row(int64_t r) const { return data_ + r * runs_.lattice.nx; }

  void count_runs() {
    runs_.first.assign(static_cast<std::size_t>(runs_.lattice.rows()) + 1, 0);
    for_rows([&](int64_t r) {
      int64_t count = 0;
      for_runs(row(r), runs_.lattice.nx, which_, [&](int32_t, int32_t) { ++count; });
      runs_.first[static_cast<std::size_t>(r) + 1] = count;
    });
    std::partial_sum(runs_.first.begin(), runs_.first.end(), runs_.first.begin());
  }

  void find_runs() {
    const auto all = static_cast<std::size_t>(runs_.first.back());
    runs_.begin.resize(all);
    runs_.end.resize(all);
    runs_.label.resize(all);
    for_rows([&](int64_t r) {
      auto next = static_cast<std::size_t>(runs_.first[static_cast<std::size_t>(r)]);
      for_runs(row(r), runs_.lattice.nx, which_, [&](int32_t begin, int32_t end) {
        runs_.begin[next] = begin;
        runs_.end[next] = end;
        runs_.label[next] = static_cast<int32_t>(next);  // until number_runs(), the index of the parent in a tree
        ++next;
      });
    });
  }

  // Joins the runs of row r with those of earlier rows in `rows`.
  void join_row(int64_t r, Range rows) {
    const int64_t ny = runs_.lattice.ny, y = r % ny;
    const Range own = runs_.runs(r);
    if (own.empty()) return;
    for (const RowBefore& b : before_) {
      const int64_t other = r + b.z * ny + b.y;
      if (y + b.y < 0 || y + b.y >= ny || other < rows.begin || other >= rows.end) continue;
      for_touching_runs(runs_.begin, runs_.end, own, runs_.begin, runs_.end, runs_.runs(other), b.reach,
                        [&](int64_t i, int64_t j) {
                          if (value_of_run(r, i) == value_of_run(other, j))
                            unite(runs_.label, static_cast<int32_t>(i), static_cast<int32_t>(j));
                        });
    }
  }
  V value_of_run(int64_t r, int64_t run) const { return row(r)[runs_.begin[static_cast<std::size_t>(run)]]; }

  void join_runs() {
    const int64_t rows = runs_.lattice.rows(), reach = runs_.lattice.one_slice() ? 1 : runs_.lattice.ny + 1;
    const bool small = runs_.lattice.count() * labelling_operations < serial_updates;
    const int64_t chunks = small ? 1 : std::min(ops::threads_of_loop(), rows / (2 * reach) + 1);
    const auto start = [&](int64_t chunk) { return rows * chunk / chunks; };
    ops::parallel_for(0, chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c)
        for (int64_t r = start(c); r < start(c + 1); ++r) {
          if (r % 256 == 0) cancel_.check();
          join_row(r, {start(c), start(c + 1)});
        }
    });
    for (int64_t c = 1; c < chunks; ++c)
      for (int64_t r = start(c); r < std::min(start(c) + reach, start(c + 1)); ++r) join_row(r, {0, start(c)});
  }

  // The parent of a run precedes it, so that it already has its number.
  void number_runs() {
    for (std::size_t i = 0; i < runs_.label.size(); ++i) {
      const auto parent = static_cast<std::size_t>(runs_.label[i]);
      if (parent == i) {
        runs_.voxels.push_back(0);
        runs_.label[i] = static_cast<int32_t>(runs_.voxels.size());
      } else {
        runs_.label[i] = runs_.label[parent];
      }
      runs_.voxels[static_cast<std::size_t>(runs_.label[i]) - 1] += runs_.end[i] - runs_.begin[i];
    }
  }

  const V* data_;
  std::vector<RowBefore> before_;
  VoxelsToLabel which_;
  const CancelToken& cancel_;
  RunLabels runs_;
};

// out[x] = value(label) in all voxels of every run; the tensor is initially zero.
template <class T, class Value>
void fill_runs(const RunLabels& runs, T* out, const Value& value) {
  const int64_t nx = runs.lattice.nx;
  ops::parallel_for(0, runs.lattice.rows(), grain(nx), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      const Range own = runs.runs(r);
      for (int64_t i = own.begin; i < own.end; ++i) {
        const auto run = static_cast<std::size_t>(i);
        std::fill(out + r * nx + runs.begin[run], out + r * nx + runs.end[run],
                  value(static_cast<std::size_t>(runs.label[run]) - 1));
      }
    }
  });
}

}  // namespace

std::vector<RowBefore> rows_before(const Lattice& lattice, Connectivity connectivity) {
  std::vector<RowBefore> rows;
  for (int64_t z = lattice.one_slice() ? 0 : -1; z <= 0; ++z)
    for (int64_t y = -1; y <= (z < 0 ? 1 : -1); ++y) {
      const int64_t distance2 = z * z + y * y, most = static_cast<int64_t>(connectivity);
      if (distance2 <= most) rows.push_back({z, y, distance2 < most ? 1 : 0});
    }
  return rows;
}

Result<RunLabels> label_runs(const at::Tensor& voxels, Connectivity connectivity, VoxelsToLabel which,
                             const CancelToken& cancel, const std::string& where) {
  TL_TRY(const Lattice lattice, check_labels(voxels, where));
  if (lattice.nx > std::numeric_limits<int32_t>::max() - 2) return invalid("there are more than 2^31 columns", where);
  const at::Tensor plain = voxels.contiguous();
  if (plain.scalar_type() == at::kInt)
    return RunLabeller<int32_t>(plain.const_data_ptr<int32_t>(), lattice, connectivity, which, cancel).run(where);
  const auto* bytes = static_cast<const uint8_t*>(plain.const_data_ptr());
  return RunLabeller<uint8_t>(bytes, lattice, connectivity, which, cancel).run(where);
}

std::vector<bool> at_border(const RunLabels& runs) {
  std::vector<bool> touches(runs.voxels.size(), false);
  const Lattice& l = runs.lattice;
  for (int64_t r = 0; r < l.rows(); ++r) {
    const int64_t z = r / l.ny, y = r % l.ny;
    const bool border = y == 0 || y == l.ny - 1 || (!l.one_slice() && (z == 0 || z == l.nz - 1));
    const Range own = runs.runs(r);
    for (int64_t i = own.begin; i < own.end; ++i) {
      const auto run = static_cast<std::size_t>(i);
      if (border || runs.begin[run] == 0 || runs.end[run] == l.nx)
        touches[static_cast<std::size_t>(runs.label[run]) - 1] = true;
    }
  }
  return touches;
}

std::vector<bool> containing(const RunLabels& runs, const at::Tensor& marked) {
  const at::Tensor plain = marked.contiguous();
  const bool* at = plain.const_data_ptr<bool>();
  const int64_t nx = runs.lattice.nx;
  std::vector<bool> all(runs.voxels.size(), false);
  std::mutex join;
  ops::parallel_for(0, runs.lattice.rows(), grain(nx), [&](int64_t first, int64_t last) {
    std::vector<int32_t> found;
    for (int64_t r = first; r < last; ++r) {
      const Range own = runs.runs(r);
      for (int64_t i = own.begin; i < own.end; ++i) {
        const auto run = static_cast<std::size_t>(i);
        const bool* row = at + r * nx;
        if (std::find(row + runs.begin[run], row + runs.end[run], true) != row + runs.end[run] &&
            (found.empty() || found.back() != runs.label[run]))
          found.push_back(runs.label[run]);
      }
    }
    const std::lock_guard lock(join);
    for (const int32_t label : found) all[static_cast<std::size_t>(label) - 1] = true;
  });
  return all;
}

at::Tensor mask_of_components(const RunLabels& runs, const std::vector<bool>& keep, const at::Tensor& like) {
  at::Tensor out = at::zeros(like.sizes(), at::kBool);
  fill_runs(runs, out.mutable_data_ptr<bool>(), [&](std::size_t i) { return static_cast<bool>(keep[i]); });
  return out;
}

at::Tensor labels_of_components(const RunLabels& runs, const std::vector<int32_t>& names, const at::Tensor& like) {
  at::Tensor out = at::zeros(like.sizes(), at::kInt);
  fill_runs(runs, out.mutable_data_ptr<int32_t>(), [&](std::size_t i) { return names[i]; });
  return out;
}

}  // namespace tl::ops
