// core/nodes/align/frames.cpp: aligns the frames of bursts, taken one after the other of the same view, and averages
// them.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "core/base/measured.h"
#include "core/node/node_builder.h"
#include "gpu/alignment/frames/local_shifts.h"
#include "gpu/image/warp/view_sampling.h"

namespace tl::align_frames_node {

enum class Give { average, frames };

struct Params {
  std::optional<int64_t> group;  // automatic: all views are frames of one burst
  double resolution = 6, reach = 32;
  bool local = true;
  int64_t patch = 500;
  Give give = Give::average;
};

constexpr double clear = 3;  // sigma

int64_t frames_in_group(const Params& p, const ScanGeometry& g) { return p.group.value_or(g.views()); }
int64_t groups_of(const Params& p, const ScanGeometry& g) { return g.views() / frames_in_group(p, g); }

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("frames are aligned after the flat field, whose pixels do not move with the image", "projections",
                   "Put this node after the flat-field node");
  const int64_t views = scan.geometry.views(), group = frames_in_group(p, scan.geometry);
  if (views < 2) return invalid("the scan has one frame", "projections", "Shifts between frames need at least two");
  if (views % group != 0)
    return invalid("the scan has " + std::to_string(views) + " views, which is no multiple of " + std::to_string(group),
                   "group", "Give the number of frames that were taken of each view");
  constexpr int64_t least_edge = 4;  // [px]
  const DetectorShape& d = scan.geometry.detector();
  if (d.rows < least_edge || d.cols < least_edge)
    return invalid("frames of " + std::to_string(d.rows) + " x " + std::to_string(d.cols) + " pixels show no shift",
                   "projections", "At least 4 x 4 pixels are needed");
  return ok();
}

// The views that come out: of each group its middle frame, or all.
std::vector<int64_t> kept_views(const Params& p, const ScanGeometry& g) {
  std::vector<int64_t> views;
  const int64_t group = frames_in_group(p, g), step = p.give == Give::average ? group : 1;
  for (int64_t v = p.give == Give::average ? group / 2 : 0; v < g.views(); v += step) views.push_back(v);
  return views;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  TL_TRY(check(p, in));
  ProjectionsInfo scan = scan_of(in);
  scan.geometry = scan.geometry.select(kept_views(p, scan.geometry));
  return Infos{{"projections", scan}};
}

// Frames are sampled between pixels: whole images are needed.
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const ScanGeometry& g = scan_of(in).geometry;
  ScanRegion region = g.full();
  const auto& w = std::get<ScanRegion>(wanted);
  const int64_t step = p.give == Give::average ? frames_in_group(p, g) : 1;
  region.views = {w.views.begin * step, w.views.end * step};
  return Regions{{"projections", region}};
}

Result<Regions> all_views(const Params&, const Infos& in) {
  return Regions{{"projections", scan_of(in).geometry.full()}};
}

// Pixels without a value get the mean of their frame: they must not move with it.
at::Tensor finite_frames(const at::Tensor& frames) {
  const at::Tensor finite = frames.isfinite();
  if (finite.all().item<bool>()) return frames;
  const at::Tensor count = finite.sum({1, 2}, true).clamp_min(1);
  const at::Tensor mean = frames.where(finite, at::zeros({}, frames.options())).sum({1, 2}, true) / count;
  return frames.where(finite, mean);
}

struct GroupFound {
  ops::FrameShifts shifts;
  ops::LocalShifts local;
  bool agrees = false;  // its frames show their shifts
};

Result<GroupFound> aligned_group(const Params& p, const at::Tensor& frames, const CancelToken& cancel) {
  ops::LocalShiftsSpec spec;
  spec.pairs = {frames, p.resolution, p.reach, cancel};
  spec.patch = p.patch;
  GroupFound found;
  TL_TRY(found.shifts, ops::frame_shifts(spec.pairs));
  spec.global = found.shifts;
  found.agrees = ops::frames_agree(found.shifts, p.reach);
  const bool several = ops::patches_along(frames.size(1), p.patch) * ops::patches_along(frames.size(2), p.patch) > 1;
  if (!p.local || !several || !found.agrees) return found;
  TL_TRY(found.local, ops::local_shifts(spec));
  if (found.local.rms < clear * found.local.sigma) found.local.spline = {};  // nothing that can be seen
  return found;
}

// What all groups together say.
struct Summary {
  double shift = 0, sigma = 0;  // rms over frames [px]
  double local = 0;             // largest rms of a group [px]
  int64_t unknown = 0;          // frames whose shift the others do not show
  int64_t left_out = 0, pairs = 0;
  Verdict verdict = Verdict::none;
  [[nodiscard]] bool used() const {
    const bool seen = shift > clear * sigma || local > 0;
    return seen && (verdict == Verdict::resolved || verdict == Verdict::railed);
  }
};

Summary summary_of(const std::vector<GroupFound>& groups) {
  Summary s;
  double squares = 0, variances = 0, known = 0;
  bool at_reach = false;
  std::size_t agree = 0;
  for (const GroupFound& g : groups) {
    const auto frames = static_cast<int64_t>(g.shifts.x.size());
    s.pairs += frames * (frames - 1) / 2;
    s.left_out += g.shifts.left_out;
    at_reach = at_reach || g.shifts.at_reach;
    agree += g.agrees ? 1 : 0;
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
  const bool shows = 2 * agree > groups.size();
  s.verdict = !shows || 2 * s.unknown > static_cast<int64_t>(known) + s.unknown ? Verdict::flat
              : at_reach                                                        ? Verdict::railed
              : 2 * s.left_out > s.pairs                                        ? Verdict::ambiguous
                                                                                : Verdict::resolved;
  return s;
}

Table shifts_table(const std::vector<GroupFound>& groups, const Summary& s) {
  Table t;
  for (const char* name : {"frame", "group"}) t.columns.push_back({name, Unit::none, {}});
  for (const char* name : {"x", "y", "sigma"}) t.columns.push_back({name, Unit::px, {}});
  for (const char* name : {"known", "used"}) t.columns.push_back({name, Unit::none, {}});
  double frame = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ops::FrameShifts& shifts = groups[g].shifts;
    const double sigma = std::hypot(shifts.sigma_x, shifts.sigma_y) / std::sqrt(2.0);
    for (std::size_t i = 0; i < shifts.x.size(); ++i) {
      const bool known = shifts.known[i];
      const std::array row{frame++,           static_cast<double>(g), shifts.x[i], shifts.y[i], known ? sigma : 0.0,
                           known ? 1.0 : 0.0, s.used() ? 1.0 : 0.0};
      for (std::size_t c = 0; c < row.size(); ++c) t.columns[c].values.push_back(row.at(c));
    }
  }
  return t;
}

// Control points of the groups that have them: y and x of each, frames outermost, columns innermost.
Table splines_table(const std::vector<GroupFound>& groups) {
  Table t;
  for (const char* name : {"group", "frames", "rows", "cols"}) t.columns.push_back({name, Unit::none, {}});
  for (const char* name : {"x", "y"}) t.columns.push_back({name, Unit::px, {}});
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].local.spline.empty()) continue;
    const at::Tensor values = groups[g].local.spline.values().contiguous();
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

void report_summary(const Summary& s, NodeRun& r) {
  const std::string shift = "Shifts of the frames " + measured_text(s.shift, s.sigma) + " px (rms)";
  if (s.verdict == Verdict::flat)
    r.message(LogLevel::warning,
              "Shifts not determined: most frames show nothing that the others show too. They stay as they are.");
  else if (s.verdict == Verdict::ambiguous)
    r.message(LogLevel::warning, shift + ", ambiguous: " + std::to_string(s.left_out) + " of " +
                                     std::to_string(s.pairs) +
                                     " pairs of frames disagree with the rest. The frames stay as they are.");
  else if (s.verdict == Verdict::railed)
    r.message(LogLevel::warning,
              shift +
                  ", railed: some lie at the end of the search range, so that the true ones may lie beyond. Widen "
                  "'Largest shift'.");
  else
    r.message(LogLevel::info, !s.used() ? shift + ": no more than their uncertainty, so the frames stay as they are."
                              : s.local > 0 ? shift + ", resolved; within the image they differ by " +
                                                  measured_text(s.local, 0) + " px."
                                            : shift + ", resolved.");
  if (s.unknown > 0 && s.verdict != Verdict::flat)
    r.message(LogLevel::warning,
              std::to_string(s.unknown) + " frames agree with no other one: they are left out of the average");
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const int64_t group = frames_in_group(p, in.geometry), groups = groups_of(p, in.geometry);
  std::vector<GroupFound> found;
  for (int64_t g = 0; g < groups; ++g) {
    const at::Tensor frames = in.data.narrow(0, g * group, group).to(at::kCPU);
    if (!frames.isfinite().any().item<bool>())
      return invalid("frames " + std::to_string(g * group) + " to " + std::to_string((g + 1) * group - 1) +
                         " have no value that is finite",
                     "projections", "Leave them out, or look at the flat field");
    TL_TRY(GroupFound one, aligned_group(p, finite_frames(frames), r.cancel()));
    found.push_back(std::move(one));
    r.host().event([&](EventSink& sink) { sink.node_progress(r.node(), g + 1, groups); });
  }
  const Summary s = summary_of(found);
  report_summary(s, r);
  Findings f;
  f.values["shifts"] = shifts_table(found, s);
  f.values["local"] = splines_table(found);
  f.values["displacement"] = Scalar{at::scalar_tensor(s.shift, at::kDouble), Unit::px, s.sigma, s.verdict};
  return f;
}

const std::vector<double>& column_of(const Table& t, std::string_view name) {
  const auto found =
      std::find_if(t.columns.begin(), t.columns.end(), [&](const Table::Column& c) { return c.name == name; });
  TL_CHECK(found != t.columns.end(), "the tables of measure() have all columns");
  return found->values;
}

// What measure() found of a group.
struct GroupMap {
  ops::FrameShifts shifts;
  ops::FrameSpline spline;
  bool used = false;
};
GroupMap map_of(const Findings& found, int64_t group, int64_t frames, const DetectorShape& d) {
  const auto& shifts = std::get<Table>(found.values.at("shifts"));
  const auto& local = std::get<Table>(found.values.at("local"));
  GroupMap map;
  for (int64_t i = group * frames; i < (group + 1) * frames; ++i) {
    const auto at = static_cast<std::size_t>(i);
    map.shifts.x.push_back(column_of(shifts, "x")[at]);
    map.shifts.y.push_back(column_of(shifts, "y")[at]);
    map.shifts.known.push_back(column_of(shifts, "known")[at] != 0);
    map.used = column_of(shifts, "used")[at] != 0;
  }
  std::vector<double> x, y;
  std::array<int64_t, 3> points{};
  for (std::size_t i = 0; i < column_of(local, "group").size(); ++i) {
    if (column_of(local, "group")[i] != static_cast<double>(group)) continue;
    x.push_back(column_of(local, "x")[i]);
    y.push_back(column_of(local, "y")[i]);
    points = {static_cast<int64_t>(column_of(local, "frames")[i]), static_cast<int64_t>(column_of(local, "rows")[i]),
              static_cast<int64_t>(column_of(local, "cols")[i])};
  }
  if (x.empty()) return map;
  const at::Tensor values = at::stack({at::tensor(y, at::kDouble), at::tensor(x, at::kDouble)});
  map.spline = ops::FrameSpline({frames, d.rows, d.cols}, values.view({2, points[0], points[1], points[2]}));
  return map;
}

// 1 where an aligned frame has its own pixels: elsewhere its edge is continued.
at::Tensor seen_pixels(const ops::FrameShifts& shifts, std::size_t frame, const DetectorShape& d) {
  const auto inside = [](int64_t n, double shift) {
    const at::Tensor at = at::arange(n, at::kDouble) + shift;
    return at.ge(-0.5).logical_and(at.le(static_cast<double>(n) - 0.5));
  };
  return inside(d.rows, shifts.y[frame]).unsqueeze(1).logical_and(inside(d.cols, shifts.x[frame]));
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  if (in.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  const ScanGeometry& scan = r.info<ProjectionsInfo>("projections").geometry;
  const auto& region = std::get<ScanRegion>(r.region);
  const int64_t group = frames_in_group(p, scan), step = p.give == Give::average ? group : 1;
  const DetectorShape& d = scan.detector();
  Projections out;
  out.kind = in.kind;
  out.geometry = scan.select(kept_views(p, scan)).crop(region);
  std::vector<at::Tensor> views;
  GroupMap map;
  int64_t mapped = -1;
  at::Tensor sum, weight;
  for (int64_t k = 0; k < in.data.size(0); ++k) {
    r.cancel().check();
    const int64_t frame = region.views.begin * step + k, g = frame / group, i = frame % group;
    if (g != mapped) map = map_of(*r.findings, g, group, d), mapped = g;
    at::Tensor image = in.data.narrow(0, k, 1);
    const bool moves = map.used && map.shifts.known[static_cast<std::size_t>(i)];
    if (moves)
      image = ops::sampled_views(image.to(at::kCPU).contiguous(),
                                 ops::positions_in_frame(map.shifts, map.spline, i, {d.rows, d.cols}), r.cancel())
                  .to(in.data.device());
    if (p.give == Give::frames) {
      views.push_back(image);
      continue;
    }
    if (i == 0) sum = at::zeros_like(image), weight = at::zeros_like(image);
    const bool counts = moves || !map.used;
    const at::Tensor usable = image.isfinite().logical_and(
        moves ? seen_pixels(map.shifts, static_cast<std::size_t>(i), d).to(in.data.device())
              : at::full({}, counts, at::kBool));
    sum += image.where(usable, at::zeros({}, image.options()));
    weight += usable;
    if (i + 1 == group) views.push_back(sum / weight);  // not a number where no frame has a value
  }
  out.data =
      at::cat(views).narrow(1, region.rows.begin, region.rows.size()).narrow(2, region.cols.begin, region.cols.size());
  out.data = out.data.contiguous();
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("align.frames", 1).title("Align frames").category("Alignment").partition(Partition::custom);
  n.where_input_is();
  n.not_differentiable("its shifts are searched for");
  n.summary("Aligns the frames of a burst, taken one after the other of the same view, and averages them.");
  n.description(
      "Every frame is correlated with every other one, which gives more shifts than there are frames: those that "
      "disagree are left out, and the rest are combined by least squares. Where the image is larger than a patch, "
      "patches are aligned in the same way, and a smooth change of the shifts over the image and in time is taken out "
      "too. Frames are sampled once. Of a scan with several frames per angle, give their number: each angle is then a "
      "burst of its own. Shifts below three times their uncertainty leave the frames as they are.");
  n.cite(
      "D. Strelak et al., FlexAlign: an accurate and fast algorithm for movie alignment in cryo-electron microscopy, "
      "Electronics 9 (2020) 1040");
  n.synonyms({"movie", "burst", "FlexAlign", "MotionCor", "motion correction", "drift", "beam-induced motion",
              "dose "
              "fractionation",
              "frame averaging", "registration"});
  n.input<Projections>("projections", "Frames after the flat-field node, in the order they were taken.");
  n.output<Projections>("projections", "The average of each burst, or its aligned frames.");
  n.output<Table>("shifts",
                  "By frame: shift along columns and rows (downwards) against the middle frame of its burst.");
  n.output<Table>("local", "Control points of what differs over the image; empty: nothing does.");
  n.output<Scalar>("displacement", "Root mean square shift of the frames.");
  n.param("group", "Frames per view", &Params::group)
      .range(2, 1e6)
      .automatic("all views are one burst")
      .help("Number of successive frames that were taken of each view.");
  n.param("reach", "Largest shift", &Params::reach)
      .range(0.5, 1e5, Unit::px)
      .help("Shifts between two frames that reach this limit are reported as railed.");
  n.param("resolution", "Resolution", &Params::resolution)
      .range(2, 1e4, Unit::px)
      .help("Finest detail that counts: the low-pass filter halves it. Raise it for noisy frames.");
  n.param("local", "Local shifts", &Params::local)
      .help("Shifts that differ over the image, such as by a sample that bends.");
  n.advanced_param("patch", "Patch", &Params::patch)
      .range(16, 1e5, Unit::px)
      .help("Edge of the parts of the image that are aligned one by one.");
  n.param("give", "Hand on", &Params::give,
          {{Give::average, "average", "The average of each burst"}, {Give::frames, "frames", "All frames, aligned"}})
      .help("One view per burst, or as many as came in.");
  n.check(check).infos(infos).needs(needs).measure(all_views, measure).run(run);
}

}  // namespace tl::align_frames_node

TL_NODE(align_frames)
