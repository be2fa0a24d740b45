// Plans the back-projection of a volume larger than GPU memory: divides it into slabs and chunks of views, and
// schedules the steps.
#include <algorithm>
#include <cmath>

#include "gpu/projection/slabs/slabs.h"

namespace tl {
namespace {

constexpr int64_t number = sizeof(float);
// Share of a device's memory for the slab and its sum; the rest is for the two buffers of views.
constexpr double volume_share = 0.6;

// Detector rows that a slab of slices projects onto in any view, plus one row on either side for the interpolation.
Range rows_of(const BackProjectorSpec& spec, Range slices) {
  const VolumeGrid grid = spec.grid.slab(slices);
  const auto rows = static_cast<double>(spec.geometry.detector().rows);
  double low = rows, high = -1;
  for (int64_t view = 0; view < spec.geometry.views(); ++view)
    for (int corner = 0; corner < 8; ++corner) {
      const auto end = [&](int bit, int64_t n) { return (corner & bit) != 0 ? static_cast<double>(n - 1) : 0.0; };
      const auto hit = spec.geometry.project(view, grid.position(end(4, grid.nz), end(2, grid.ny), end(1, grid.nx)));
      // If a corner is level with or behind the source, the corners give no bounds.
      if (!spec.geometry.is_parallel() && !(hit.depth > 0)) return {0, spec.geometry.detector().rows};
      low = std::min(low, hit.row);
      high = std::max(high, hit.row);
    }
  const double first = std::clamp(std::floor(low) - 1, 0.0, rows), last = std::clamp(std::floor(high) + 3, 0.0, rows);
  if (!(first < last)) return {0, 1};  // nothing projects onto the detector: one row keeps the shapes non-empty
  return {static_cast<int64_t>(first), static_cast<int64_t>(last)};
}

std::vector<Range> equal_parts(int64_t count, int64_t most) {
  const int64_t parts = (count + most - 1) / most;
  std::vector<Range> ranges;
  for (int64_t n = 0; n < parts; ++n) ranges.push_back({count * n / parts, count * (n + 1) / parts});
  return ranges;
}

}  // namespace

Result<SlabPlan> plan_slabs(const BackProjectorSpec& spec, std::vector<SlabDevice> devices) {
  const std::string where = "back-projection by slabs";
  if (devices.empty()) return invalid("there is no device to work on", where);
  TL_TRY(spec.grid.validate());
  int64_t memory = devices.front().memory;
  for (const SlabDevice& d : devices) memory = std::min(memory, d.memory);
  const int64_t slice = spec.grid.ny * spec.grid.nx * number, cols = spec.geometry.detector().cols;
  const auto for_volume = static_cast<int64_t>(volume_share * static_cast<double>(memory));
  // As many slices as fit, but few enough for at least one slab per device.
  const auto workers = static_cast<int64_t>(devices.size());
  const int64_t fair = (spec.grid.nz + workers - 1) / workers;
  const int64_t slices = std::min(for_volume / (2 * slice), fair);
  if (slices < 1)
    return unavailable(
        "a device has " + std::to_string(memory) + " bytes, a slice and its sum need " + std::to_string(2 * slice),
        where, "Choose a smaller volume or a device with more memory");
  SlabPlan plan{std::move(devices), {}, {}};
  int64_t rows = 1;
  for (const Range& part : equal_parts(spec.grid.nz, slices)) {
    plan.slabs.push_back({plan.slabs.size() % plan.devices.size(), part, rows_of(spec, part)});
    rows = std::max(rows, plan.slabs.back().rows.size());
  }
  const int64_t views = std::min((memory - for_volume) / (2 * rows * cols * number), spec.geometry.views());
  if (views < 1)
    return unavailable("a device has " + std::to_string(memory) + " bytes, two views need " +
                           std::to_string(2 * rows * cols * number) + " in addition to the slab",
                       where, "Choose a device with more memory");
  plan.chunks = equal_parts(spec.geometry.views(), views);
  return plan;
}

int64_t slab_memory(const SlabPlan& plan, const BackProjectorSpec& spec, std::size_t device) {
  int64_t slices = 0, rows = 0, views = 0;
  for (const Slab& slab : plan.slabs)
    if (slab.device == device) {
      slices = std::max(slices, slab.slices.size());
      rows = std::max(rows, slab.rows.size());
    }
  for (const Range& chunk : plan.chunks) views = std::max(views, chunk.size());
  return number * (2 * slices * spec.grid.ny * spec.grid.nx + 2 * views * rows * spec.geometry.detector().cols);
}

std::vector<SlabStep> slab_schedule(const SlabPlan& plan) {
  // Remaining work of each device: pairs (slab, chunk), one after the other.
  struct Work {
    std::vector<std::size_t> slabs;
    std::size_t uploaded = 0, computed = 0;
    std::size_t reader[2] = {SlabStep::nothing, SlabStep::nothing};  // the last computation from a buffer
    std::size_t upload[2] = {SlabStep::nothing, SlabStep::nothing};
  };
  const std::size_t chunks = plan.chunks.size();
  std::vector<Work> all(plan.devices.size());
  for (std::size_t s = 0; s < plan.slabs.size(); ++s) all[plan.slabs[s].device].slabs.push_back(s);
  std::vector<SlabStep> steps;
  const auto add = [&](SlabStep::Kind kind, std::size_t slab, std::size_t chunk, std::size_t buffer,
                       std::size_t after) {
    steps.push_back({kind, slab, chunk, buffer, after});
    return steps.size() - 1;
  };
  const auto upload = [&](Work& w) {
    if (w.uploaded == w.slabs.size() * chunks) return;
    const std::size_t buffer = w.uploaded % 2;
    w.upload[buffer] =
        add(SlabStep::Kind::upload, w.slabs[w.uploaded / chunks], w.uploaded % chunks, buffer, w.reader[buffer]);
    ++w.uploaded;
  };
  for (Work& w : all) upload(w);
  for (bool busy = true; busy;) {
    busy = false;
    for (Work& w : all) {
      if (w.computed == w.slabs.size() * chunks) continue;
      busy = true;
      upload(w);
      const std::size_t slab = w.slabs[w.computed / chunks], chunk = w.computed % chunks, buffer = w.computed % 2;
      w.reader[buffer] = add(SlabStep::Kind::compute, slab, chunk, buffer, w.upload[buffer]);
      if (chunk + 1 == chunks) add(SlabStep::Kind::download, slab, chunk, buffer, w.reader[buffer]);
      ++w.computed;
    }
  }
  return steps;
}

}  // namespace tl
