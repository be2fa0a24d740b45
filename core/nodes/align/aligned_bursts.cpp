// Summary and tables of aligned bursts.
#include "core/nodes/align/aligned_bursts.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tl {
namespace {

std::size_t at(int64_t index) { return static_cast<std::size_t>(index); }

const std::vector<double>& column_of(const Table& t, std::string_view name) {
  const auto found =
      std::find_if(t.columns.begin(), t.columns.end(), [&](const Table::Column& c) { return c.name == name; });
  TL_CHECK(found != t.columns.end(), "the tables of measure() have all columns");
  return found->values;
}

}  // namespace

BurstsSummary summary_of(const std::vector<AlignedBurst>& bursts) {
  BurstsSummary s;
  s.bursts = static_cast<int64_t>(bursts.size());
  double squares = 0, variances = 0, known = 0;
  bool at_reach = false;
  for (const AlignedBurst& g : bursts) {
    const auto frames = static_cast<int64_t>(g.shifts.x.size());
    if (!g.agrees) {
      ++s.disagree;
      continue;
    }
    s.pairs += frames * (frames - 1) / 2;
    s.left_out += g.shifts.left_out;
    at_reach = at_reach || g.shifts.at_reach;
    if (!g.local.spline.empty()) s.local = std::max(s.local, g.local.rms);
    for (std::size_t i = 0; i < g.shifts.x.size(); ++i) {
      if (!g.shifts.known[i]) {
        ++s.unknown;
        continue;
      }
      squares += g.shifts.x[i] * g.shifts.x[i] + g.shifts.y[i] * g.shifts.y[i];
      variances += g.shifts.sigma_x * g.shifts.sigma_x + g.shifts.sigma_y * g.shifts.sigma_y;
      ++known;
    }
  }
  if (known > 0) s.shift = std::sqrt(squares / known), s.sigma = std::sqrt(variances / known);
  const bool shows = 2 * s.disagree < s.bursts;
  s.verdict = !shows || 2 * s.unknown > static_cast<int64_t>(known) + s.unknown ? Verdict::flat
              : at_reach                                                        ? Verdict::railed
              : 2 * s.left_out > s.pairs                                        ? Verdict::ambiguous
                                                                                : Verdict::resolved;
  return s;
}

Table shifts_table(const Bursts& frames, const std::vector<AlignedBurst>& found, const BurstsSummary& summary) {
  std::size_t count = 0;
  for (const auto& burst : frames) count += burst.size();
  Table t;
  for (const char* name : {"frame", "burst"}) t.columns.push_back({name, Unit::none, {}});
  for (const char* name : {"x", "y", "sigma"}) t.columns.push_back({name, Unit::px, {}});
  for (const char* name : {"known", "used"}) t.columns.push_back({name, Unit::none, {}});
  for (Table::Column& column : t.columns) column.values.resize(count);
  for (std::size_t b = 0; b < found.size(); ++b) {
    const ops::FrameShifts& shifts = found[b].shifts;
    const double sigma = std::hypot(shifts.sigma_x, shifts.sigma_y) / std::sqrt(2.0);
    for (std::size_t i = 0; i < shifts.x.size(); ++i) {
      const bool known = found[b].agrees && shifts.known[i];
      const std::array row{static_cast<double>(frames[b][i]),
                           static_cast<double>(b),
                           shifts.x[i],
                           shifts.y[i],
                           known ? sigma : 0.0,
                           known ? 1.0 : 0.0,
                           summary.used() && found[b].agrees ? 1.0 : 0.0};
      for (std::size_t c = 0; c < row.size(); ++c) t.columns[c].values[at(frames[b][i])] = row.at(c);
    }
  }
  return t;
}

Table splines_table(const std::vector<AlignedBurst>& found) {
  Table t;
  for (const char* name : {"burst", "frames", "rows", "cols"}) t.columns.push_back({name, Unit::none, {}});
  for (const char* name : {"x", "y"}) t.columns.push_back({name, Unit::px, {}});
  for (std::size_t g = 0; g < found.size(); ++g) {
    if (found[g].local.spline.empty()) continue;
    const at::Tensor values = found[g].local.spline.values().contiguous();
    const auto* v = values.const_data_ptr<double>();
    const int64_t points = values.numel() / 2;
    for (int64_t i = 0; i < points; ++i) {
      const std::array row{static_cast<double>(g),
                           static_cast<double>(values.size(1)),
                           static_cast<double>(values.size(2)),
                           static_cast<double>(values.size(3)),
                           v[points + i],
                           v[i]};
      for (std::size_t c = 0; c < row.size(); ++c) t.columns[c].values.push_back(row.at(c));
    }
  }
  return t;
}

BurstMap burst_map(const Table& shifts, const Table& splines, int64_t burst, const std::vector<int64_t>& frames,
                   const DetectorShape& detector) {
  BurstMap map;
  for (const int64_t frame : frames) {
    map.shifts.x.push_back(column_of(shifts, "x")[at(frame)]);
    map.shifts.y.push_back(column_of(shifts, "y")[at(frame)]);
    map.shifts.known.push_back(column_of(shifts, "known")[at(frame)] != 0);
    map.used = column_of(shifts, "used")[at(frame)] != 0;
  }
  std::vector<double> x, y;
  std::array<int64_t, 3> points{};
  for (std::size_t i = 0; i < column_of(splines, "burst").size(); ++i) {
    if (column_of(splines, "burst")[i] != static_cast<double>(burst)) continue;
    x.push_back(column_of(splines, "x")[i]);
    y.push_back(column_of(splines, "y")[i]);
    points = {static_cast<int64_t>(column_of(splines, "frames")[i]),
              static_cast<int64_t>(column_of(splines, "rows")[i]), static_cast<int64_t>(column_of(splines, "cols")[i])};
  }
  if (x.empty()) return map;
  const at::Tensor values = at::stack({at::tensor(y, at::kDouble), at::tensor(x, at::kDouble)});
  map.spline = ops::FrameSpline({static_cast<int64_t>(frames.size()), detector.rows, detector.cols},
                                values.view({2, points[0], points[1], points[2]}));
  return map;
}

}  // namespace tl
