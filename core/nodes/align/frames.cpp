// core/nodes/align/frames.cpp: aligns the frames of bursts, taken one after the other of the same view, and averages
// them.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/base/measured.h"
#include "core/io/text/xf_file.h"
#include "core/node/node_builder.h"
#include "core/nodes/align/aligned_bursts.h"
#include "core/nodes/input/file_states.h"
#include "gpu/image/warp/view_sampling.h"

namespace tl::align_frames_node {

enum class Give { average, frames };

std::size_t at(int64_t index) { return static_cast<std::size_t>(index); }

struct Params {
  std::optional<int64_t> group;  // automatic: views of equal geometry are one burst
  double resolution = 6, reach = 32;
  bool local = true;
  int64_t patch = 500;
  Give give = Give::average;
  std::string shifts_file;  // .xf; empty: shifts are searched for
};

// So many successive views, or those of equal geometry, in whatever order they were recorded.
Bursts bursts_of(const Params& p, const ScanGeometry& g) {
  constexpr std::ptrdiff_t numbers = 12;  // of a view's geometry
  Bursts bursts;
  std::map<std::vector<double>, std::size_t> known;
  const std::vector<double> vectors = g.vectors();
  for (int64_t v = 0; v < g.views(); ++v) {
    std::size_t burst = bursts.size();
    if (p.group) {
      burst = at(v / *p.group);
    } else {
      const auto first = vectors.begin() + v * numbers;
      burst = known.emplace(std::vector<double>(first, first + numbers), burst).first->second;
    }
    if (burst == bursts.size()) bursts.emplace_back();
    bursts[burst].push_back(v);
  }
  return bursts;
}

// The shifts that another program found: transforms that undo them, one for each frame.
Result<std::vector<io::ImageTransform>> given_transforms(const Params& p, int64_t frames) {
  TL_TRY(std::vector<io::ImageTransform> all, io::read_xf_file(p.shifts_file));
  if (static_cast<int64_t>(all.size()) != frames)
    return invalid("there are " + std::to_string(all.size()) + " transforms for " + std::to_string(frames) + " frames",
                   p.shifts_file, "Give one line per frame");
  constexpr double rounding = 1e-6;  // seven decimals
  for (std::size_t i = 0; i < all.size(); ++i) {
    const io::ImageTransform& t = all[i];
    if (std::abs(t.a11 - 1) > rounding || std::abs(t.a12) > rounding || std::abs(t.a21) > rounding ||
        std::abs(t.a22 - 1) > rounding)
      return invalid("the transform of frame " + std::to_string(i) + " rotates or stretches it", p.shifts_file,
                     "Shifts alone can be used: 1 0 0 1 before them");
  }
  return all;
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("frames are aligned after the flat field, whose pixels do not move with the image", "projections",
                   "Put this node after the flat-field node");
  const int64_t views = scan.geometry.views();
  if (!p.shifts_file.empty()) TL_TRY(given_transforms(p, views));
  if (views < 2) return invalid("the scan has one frame", "projections", "Shifts between frames need at least two");
  if (p.group && views % *p.group != 0)
    return invalid(
        "the scan has " + std::to_string(views) + " views, which is not a multiple of " + std::to_string(*p.group),
        "group", "Give the number of frames that were taken of each view");
  constexpr int64_t least_edge = 4;  // [px]
  const DetectorShape& d = scan.geometry.detector();
  if (d.rows < least_edge || d.cols < least_edge)
    return invalid("frames of " + std::to_string(d.rows) + " x " + std::to_string(d.cols) + " pixels show no shift",
                   "projections", "At least 4 x 4 pixels are needed");
  return ok();
}

// The views that come out: of each burst its middle frame, or all.
std::vector<int64_t> kept_views(const Params& p, const ScanGeometry& g) {
  std::vector<int64_t> views;
  if (p.give == Give::average) {
    for (const auto& burst : bursts_of(p, g)) views.push_back(burst[burst.size() / 2]);
  } else {
    for (int64_t v = 0; v < g.views(); ++v) views.push_back(v);
  }
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
  region.views = w.views;
  if (p.give == Give::average) {
    const Bursts bursts = bursts_of(p, g);
    region.views = {g.views(), 0};
    for (int64_t b = w.views.begin; b < w.views.end; ++b) {
      const auto [least, most] = std::minmax_element(bursts[at(b)].begin(), bursts[at(b)].end());
      region.views = {std::min(region.views.begin, *least), std::max(region.views.end, *most + 1)};
    }
  }
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

Result<AlignedBurst> aligned_group(const Params& p, const at::Tensor& frames, const CancelToken& cancel) {
  ops::LocalShiftsSpec spec;
  spec.pairs = {frames, p.resolution, p.reach, cancel};
  spec.patch = p.patch;
  AlignedBurst found;
  TL_TRY(found.shifts, ops::frame_shifts(spec.pairs));
  spec.global = found.shifts;
  found.agrees = ops::frames_agree(found.shifts, p.reach);
  const bool several = ops::patches_along(frames.size(1), p.patch) * ops::patches_along(frames.size(2), p.patch) > 1;
  if (!p.local || !several || !found.agrees) return found;
  TL_TRY(found.local, ops::local_shifts(spec));
  if (found.local.rms < clear_shift * found.local.sigma) found.local.spline = {};  // nothing that can be seen
  return found;
}

void report_summary(const BurstsSummary& s, NodeRun& r) {
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
  if (s.disagree > 0 && s.verdict != Verdict::flat)
    r.message(LogLevel::warning, std::to_string(s.disagree) + " of " + std::to_string(s.bursts) +
                                     " bursts: the frames have nothing in common that shows their shifts, and stay as "
                                     "they are");
}

// A frame by itself stays where it is.
AlignedBurst single_frame() {
  AlignedBurst found;
  found.shifts.x = found.shifts.y = {0};
  found.shifts.known = {true};
  found.agrees = true;
  return found;
}

AlignedBurst given_burst(const std::vector<io::ImageTransform>& all, const std::vector<int64_t>& burst) {
  AlignedBurst given;
  for (const int64_t frame : burst) {
    given.shifts.x.push_back(0 - all[at(frame)].dx);
    given.shifts.y.push_back(all[at(frame)].dy);
    given.shifts.known.push_back(true);
  }
  given.agrees = true;
  return given;
}

Findings findings_of(const Bursts& bursts, const std::vector<AlignedBurst>& found, const BurstsSummary& s) {
  Findings f;
  f.values["shifts"] = shifts_table(bursts, found, s);
  f.values["local"] = splines_table(found);
  f.values["displacement"] = Scalar{at::scalar_tensor(s.shift, at::kDouble), Unit::px, s.sigma, s.verdict};
  return f;
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const Bursts bursts = bursts_of(p, in.geometry);
  std::vector<AlignedBurst> found;
  if (!p.shifts_file.empty()) {
    TL_TRY(const auto transforms, given_transforms(p, in.geometry.views()));
    for (const std::vector<int64_t>& burst : bursts) found.push_back(given_burst(transforms, burst));
    return findings_of(bursts, found, summary_of(found));
  }
  for (const std::vector<int64_t>& burst : bursts) {
    const at::Tensor frames = in.data.index_select(0, at::tensor(burst, at::kLong).to(in.data.device())).to(at::kCPU);
    if (!frames.isfinite().any().item<bool>())
      return invalid(
          "frame " + std::to_string(burst.front()) + " and the others of its burst have no value that is finite",
          "projections", "Leave them out, or look at the flat field");
    AlignedBurst one = single_frame();
    if (burst.size() > 1) {
      TL_TRY(one, aligned_group(p, finite_frames(frames), r.cancel()));
    }
    found.push_back(std::move(one));
    r.host().event([&](EventSink& sink) {
      sink.node_progress(r.node(), static_cast<int64_t>(found.size()), static_cast<int64_t>(bursts.size()));
    });
  }
  BurstsSummary s = summary_of(found);
  if (static_cast<int64_t>(bursts.size()) == in.geometry.views()) {
    s.verdict = Verdict::flat;
    r.message(
        LogLevel::warning,
        "All views have different angles, so that none has several frames: they stay as they are. Give 'Frames per "
        "view' if successive views are frames of one.");
  } else {
    report_summary(s, r);
  }
  return findings_of(bursts, found, s);
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
  const DetectorShape& d = scan.detector();
  const Bursts bursts = bursts_of(p, scan);
  TL_TRY(const Regions needed, needs(p, r.infos, r.region));
  const int64_t first_view = std::get<ScanRegion>(needed.at("projections")).views.begin;
  Projections out;
  out.kind = in.kind;
  out.geometry = scan.select(kept_views(p, scan)).crop(region);
  const auto& shifts = std::get<Table>(r.findings->values.at("shifts"));
  const auto& splines = std::get<Table>(r.findings->values.at("local"));
  std::vector<at::Tensor> views(at(region.views.size()));
  for (std::size_t b = 0; b < bursts.size(); ++b) {
    const auto place = static_cast<int64_t>(b);
    if (p.give == Give::average && (place < region.views.begin || place >= region.views.end)) continue;
    const BurstMap map = burst_map(shifts, splines, place, bursts[b], d);
    at::Tensor sum, weight;
    for (std::size_t i = 0; i < bursts[b].size(); ++i) {
      r.cancel().check();
      const int64_t frame = bursts[b][i] - first_view;
      if (frame < 0 || frame >= in.data.size(0)) continue;  // of all frames, one that is not asked for
      at::Tensor image = in.data.narrow(0, frame, 1);
      const bool is_placed = map.used && map.shifts.known[i];
      // The frame that the others are aligned to keeps its pixels as they are.
      if (is_placed && (map.shifts.x[i] != 0 || map.shifts.y[i] != 0 || !map.spline.empty())) {
        const auto number = static_cast<int64_t>(i);
        const at::Tensor positions = ops::positions_in_frame(map.shifts, map.spline, number, {d.rows, d.cols});
        image = ops::sampled_views(image.to(at::kCPU).contiguous(), positions, r.cancel()).to(in.data.device());
      }
      if (p.give == Give::frames) {
        views[at(frame)] = image;
        continue;
      }
      if (!sum.defined()) sum = at::zeros_like(image), weight = at::zeros_like(image);
      at::Tensor usable = image.isfinite();
      if (is_placed) usable = usable.logical_and(seen_pixels(map.shifts, i, d).to(usable.device()));
      if (map.used && !is_placed) usable = at::zeros_like(usable);
      sum += image.where(usable, at::zeros({}, image.options()));
      weight += usable;
    }
    if (p.give == Give::average) views[at(place - region.views.begin)] = sum / weight;  // NaN: no frame has a value
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
      "too. Frames are sampled once. Views of equal angle are a burst, or give the number of successive frames of "
      "each. Shifts below three times their uncertainty leave the frames as they are.");
  n.cite(
      "D. Strelak et al., FlexAlign: an accurate and fast algorithm for movie alignment in cryo-electron microscopy, "
      "Electronics 9 (2020) 1040");
  n.synonyms({"movie", "burst", "FlexAlign", "MotionCor", "motion correction", "drift", "beam-induced motion",
              "dose fractionation", "frame averaging", "registration", "IMOD", "xf"});
  n.example({{"group", "2"}});
  n.input<Projections>("projections", "Frames after the flat-field node, in the order they were taken.");
  n.output<Projections>("projections", "The average of each burst, or its aligned frames.");
  n.output<Table>("shifts",
                  "By frame: shift along columns and rows (downwards) against the middle frame of its burst.");
  n.output<Table>("local", "Control points of what differs over the image; empty: nothing does.");
  n.output<Scalar>("displacement", "Root mean square shift of the frames.");
  n.param("group", "Frames per view", &Params::group)
      .range(2, 1e6)
      .automatic("views of equal angle are one burst")
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
  n.advanced_param("shifts_file", "Shifts from a file", &Params::shifts_file)
      .input_file()
      .help(
          "IMOD's .xf with one line per frame, of another program or of an earlier run. Empty: they are searched for.");
  n.fingerprint([](const Params& p) { return fingerprint_of_named(p.shifts_file); });
  n.check(check).infos(infos).needs(needs).measure(all_views, measure).run(run);
}

}  // namespace tl::align_frames_node

TL_NODE(align_frames)
