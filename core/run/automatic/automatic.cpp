// Builds the automatic pipeline of a scan: chooses nodes and settings, and gives reasons.
#include "core/run/automatic/automatic.h"

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/io/volumes/format.h"
#include "core/node/registry.h"
#include "core/nodes/filtered_views.h"
#include "core/run/automatic/batch.h"

namespace tl {
namespace {

std::string number_text(double value) { return formatted("%.5g", value); }

// Angle that the views cover, at most a turn [deg].
double covered_degrees(const std::vector<double>& angles) {
  return from_stored(angle_order(angles).covered, Unit::deg);
}

// Appends nodes one after the other, each linked to the output of the previous one.
class Chain {
 public:
  explicit Chain(Graph& graph) : graph_(graph) {}

  GraphNode& add(const std::string& id, const std::string& type, const std::string& input = "projections",
                 const std::string& output = "projections") {
    GraphNode& node = graph_.nodes[id];
    node.type = type;
    if (const NodeType* known = Registry::all().find(type)) node.version = known->version;
    if (!last_.empty()) graph_.links.push_back({last_, port_, id, input});
    last_ = id;
    port_ = output;
    return node;
  }
  GraphNode& add_end(const std::string& id, const std::string& type) {
    const std::string last = last_, port = port_;
    GraphNode& node = add(id, type, "volume", "");
    last_ = last;
    port_ = port;
    return node;
  }

 private:
  Graph& graph_;
  std::string last_, port_;
};

constexpr double full_turn = 360;  // [deg]

struct Chooser {
  const io::ScanInfo& scan;
  const AutomaticRequest& request;
  AutomaticPipeline& out;
  double covered;

  void because(const std::string& text) const { out.reasons.push_back(text); }
  void doubt(const std::string& text) const { out.doubts.push_back(text); }
};

Result<void> add_correction(const Chooser& c, Chain& chain) {
  if (c.scan.kind == PixelKind::absorption) {
    c.because("no flat-field, because the pixels are absorption already");
    return ok();
  }
  if (c.scan.kind == PixelKind::thickness)
    return invalid("the pixels are thickness, not absorption", c.scan.path.string(),
                   "Make a pipeline file for this scan");
  GraphNode& node = chain.add("flat_field", "correct.flat_field");
  if (c.scan.kind == PixelKind::counts && c.scan.flats > 0) {
    c.because("flat-field with " + std::to_string(c.scan.flats) + " flats and " + std::to_string(c.scan.darks) +
              " darks, because the pixels are counts");
    return ok();
  }
  node.params["reference"] = std::string("none");
  if (c.scan.kind == PixelKind::transmission) {
    c.because("logarithm alone, because the pixels are transmission");
    return ok();
  }
  return invalid(
      "the scan has counts but no flats", c.scan.path.string(),
      "Record flats, or, if the views are normalised already, state the kind of pixels (" +
          two_wordings("--pixels transmission or --pixels absorption", "Pixels are, in the form of the load node") +
          ")");
}

// The node itself detects stripes, reports them, and passes on a scan without stripes bit for bit.
void add_rings(const Chooser& c, Chain& chain) {
  constexpr int64_t fewest = 16;  // views and columns needed to distinguish a ring from the object
  if (c.scan.views < fewest || c.scan.cols < fewest) return;
  chain.add("rings", "correct.stripe_automatic");
  c.because("rings are looked for in four detector rows, and removed, and named, only where the evidence is strong (" +
            two_wordings("--set rings.snr=1000", "an SNR of 1000 in the form of the node") + " removes none)");
}

// Zingers and wrong angles are corrected if there is a hint: the evidence is unambiguous, and without them the node
// changes nothing. For rings and the axis there are nodes that detect them; other hints are reported as doubts.
bool follows(HintKind kind) { return kind == HintKind::zingers || kind == HintKind::angular_range; }
bool is_only_reported(HintKind kind) { return kind == HintKind::saturation || kind == HintKind::truncation; }

void add_hinted(const Chooser& c, Chain& chain, HintKind kind, const std::string& id) {
  for (const Hint& hint : c.request.hints) {
    if (hint.kind != kind || !follows(kind)) continue;
    chain.add(id, hint.node).params = hint.params;
    c.because(hint.evidence + ": hence the node " + hint.node);
    return;
  }
}

// The axis stored in a file is reported but used only on request: such numbers often stem from another scan.
void note_axis_hint(const Chooser& c) {
  if (c.scan.axis_hint)
    c.because("the file's own axis, " + number_text(c.scan.axis_hint->value) + " px (" + c.scan.axis_hint->source +
              "), is not used; " +
              two_wordings("--axis " + number_text(c.scan.axis_hint->value), "a node that sets the axis") + " would");
}

// Opposite rays cannot be compared if the axis is tilted or the source is displaced from its normal: the scan's own
// axis is used.
bool keeps_stated_axis(const io::StatedOffsets& stated) {
  const auto is_set = [](const std::optional<io::Found<double>>& f) { return f && f->value != 0; };
  return is_set(stated.tilt) || is_set(stated.source_shift_u);
}

Result<void> add_axis(const Chooser& c, Chain& chain) {
  if (!c.request.axis_method.empty() && !c.request.axis) {
    const std::string node = "axis." + c.request.axis_method;
    if (Registry::all().find(node) == nullptr)
      return invalid(
          "there is no axis search called \"" + c.request.axis_method + "\"", two_wordings("--axis-method", "axis"),
          two_wordings("The nodes axis.NAME are listed by: tomoloom nodes", "The palette lists them under Alignment"));
    chain.add("axis", node);
    c.because("rotation axis by " + node + ", as asked for");
    return ok();
  }
  if (c.request.axis) {
    chain.add("axis", "geometry.set").params["axis"] = Number{*c.request.axis, Unit::px};
    c.because("rotation axis " + number_text(*c.request.axis) + " px from the detector centre (column " +
              number_text(*c.request.axis + 0.5 * static_cast<double>(c.scan.cols - 1)) + "), as given");
    return ok();
  }
  if (c.scan.vectors) {
    c.because("no search for a rotation axis, because the scan states where source and detector are in every view");
    return ok();
  }
  note_axis_hint(c);
  if (keeps_stated_axis(c.scan.offsets)) {
    c.because(
        "rotation axis as the file says, because it also states a tilt or a source off the axis' normal, with "
        "which it cannot be measured; " +
        two_wordings("--axis PX replaces it", "a node that sets the axis replaces it"));
    return ok();
  }
  if (c.scan.beam == Beam::parallel && c.covered >= 170) {
    chain.add("axis", "axis.automatic");
    const bool full = c.covered > full_turn - 5;
    c.because("rotation axis by opposite views, because the beam is parallel and the views cover " +
              number_text(c.covered) + " deg" +
              (c.scan.half_acquisition && full ? "; the file says half acquisition, which they allow" : ""));
    if (c.scan.half_acquisition && !full)
      c.doubt(
          "the file says half acquisition, but the views do not cover a full turn: one side of the object is missing");
  } else if (c.scan.beam == Beam::cone && c.covered > full_turn - 0.1) {
    chain.add("axis", "axis.automatic");
    const auto& own = c.scan.offsets.axis;
    c.because("rotation axis by opposite rays, because the beam is a cone and the views cover a full turn" +
              (own && own->value != 0
                   ? "; it replaces the file's own, " + number_text(own->value) + " px (" + own->source + ")"
                   : std::string()));
  } else {
    c.doubt("the views cover " + number_text(c.covered) + " deg: too little to measure the rotation axis, " +
            (c.scan.offsets.axis ? "the axis of the file" : "the detector centre") + " is used; " +
            two_wordings("give --axis PX if you know the axis", "set the axis if you know it"));
  }
  return ok();
}

// Whether stated positions of source and detector are near enough to a circle for filtering along rows.
bool filtering_is_for(const io::ScanInfo& scan) {
  const DetectorShape detector{scan.rows, scan.cols, scan.pixel_size_u.value, scan.pixel_size_v.value};
  const auto geometry = ScanGeometry::from_vectors(scan.beam, detector, scan.vectors->value);
  if (!geometry.ok()) return false;
  if (scan.beam == Beam::cone) return check_fdk_orbit(geometry.value()).ok();
  const auto orbit = geometry.value().orbit();
  return orbit && std::all_of(orbit->roll.begin(), orbit->roll.end(),
                              [](double roll) { return std::abs(roll) <= max_fdk_roll; });
}

void add_reconstruction(const Chooser& c, Chain& chain) {
  if (c.scan.vectors && !filtering_is_for(c.scan)) {
    chain.add("sirt", "recon.sirt", "projections", "volume");
    c.because("SIRT, because source and detector may not move on a circle");
    return;
  }
  const bool parallel = c.scan.beam == Beam::parallel;
  GraphNode& node = chain.add(parallel ? "fbp" : "fdk", parallel ? "recon.fbp" : "recon.fdk", "projections", "volume");
  c.because(parallel ? "FBP, because the beam is parallel" : "FDK, because the beam is a cone and the orbit a circle");
  // Crowther's criterion: a disc as wide as the detector needs pi/2 views per column for full resolution.
  const double wanted = 0.5 * pi * static_cast<double>(c.scan.cols) * (parallel ? 1 : 2);
  const double share = static_cast<double>(c.scan.views) / wanted;
  const bool few = share < 0.1;
  node.params["filter"] = std::string(few ? "hann" : "ram_lak");
  c.because(std::string(few ? "Hann-windowed ramp filter" : "ramp filter without window (sharpest)") + ", because " +
            std::to_string(c.scan.views) + " views are " + number_text(std::round(100 * share)) +
            " % of the views needed for full resolution");
  const auto about_angles = std::find_if(c.scan.doubts.begin(), c.scan.doubts.end(),
                                         [](const io::Doubt& d) { return d.about == io::DoubtAbout::angles; });
  if (about_angles != c.scan.doubts.end())
    c.doubt(about_angles->text());
  else if (parallel ? c.covered < 170 : c.covered < 180)
    c.doubt("the views cover only " + number_text(c.covered) + " deg, " +
            number_text(std::round(100 - c.covered / 1.8)) +
            " % of half a turn are missing: mean values are kept by the views there are, edges along the missing "
            "directions will be blurred");
}

Result<void> add_outputs(const Chooser& c, Chain& chain) {
  if (c.request.output.empty()) return invalid("no output is given", "-o", "Give a file name such as volume.tif");
  const auto format = io::volume_format_by_name(c.request.output);
  if (!format.ok())
    return invalid("a volume cannot be written as \"" + c.request.output.extension().string() + "\"",
                   c.request.output.string(), format.error().hint);
  GraphNode& save = chain.add_end("save", "output.save_volume");
  save.params["file"] = c.request.output.string();
  save.params["format"] = std::string(format.value()->id);
  if (!c.request.picture.empty())
    chain.add_end("picture", "output.save_picture").params["file"] = c.request.picture.string();
  return ok();
}

}  // namespace

Result<io::ScanInfo> scan_with_settings(const std::filesystem::path& scan, const std::vector<std::string>& settings,
                                        const CancelToken& cancel) {
  Graph graph;
  GraphNode& load = graph.nodes["load"];
  load.type = "input.load_scan";
  load.params["file"] = scan.string();
  for (const std::string& setting : settings) TL_TRY(apply_settings(graph, Registry::all(), {"load." + setting}));
  const NodeType* type = Registry::all().find(load.type);
  return type->scan_info(make_params(*type, load.params).get(), cancel);
}

std::vector<FollowedHint> follow_hints(Graph& graph, const Registry& registry, const std::vector<Hint>& hints) {
  std::vector<FollowedHint> followed;
  for (const Hint& hint : open_hints(graph, hints)) {
    if (!follows(hint.kind)) continue;
    const Result<std::string> node = add_hint_node(graph, registry, hint);
    if (node.ok()) followed.push_back({hint, node.value()});
  }
  return followed;
}

Result<AutomaticPipeline> automatic_pipeline(const io::ScanInfo& scan, const AutomaticRequest& request) {
  AutomaticPipeline out;
  out.graph.title = "Automatic reconstruction";  // without the scan's name: also used for other scans
  double covered = covered_degrees(scan.angles.value);
  for (const Hint& hint : request.hints) {
    if (is_only_reported(hint.kind)) out.doubts.push_back(hint.evidence + ". " + hint.advice);
    const auto range = hint.params.find("angular_range");
    if (range != hint.params.end()) covered = std::abs(std::get<Number>(range->second).value);
  }
  const Chooser choice{scan, request, out, covered};
  Chain chain(out.graph);
  chain.add("load", "input.load_scan").params["file"] = scan.path.string();
  for (const std::string& setting : request.load)
    TL_TRY(apply_settings(out.graph, Registry::all(), {"load." + setting}));
  add_hinted(choice, chain, HintKind::zingers, "zingers");
  TL_TRY(add_correction(choice, chain));
  add_rings(choice, chain);
  add_hinted(choice, chain, HintKind::angular_range, "angles");
  TL_TRY(add_axis(choice, chain));
  add_reconstruction(choice, chain);
  TL_TRY(add_outputs(choice, chain));
  if (!scan.has_pixel_size())
    choice.doubt("the scan does not say its pixel size: 1 mm is assumed, so values are per pixel");
  if (scan.pixel_size_u.is_unit_guessed())
    choice.doubt(
        "the pixel size has no unit in the file: it is taken as " +
        number_text(from_stored(scan.pixel_size_u.value, Unit::um)) + " um, and lengths and values follow it (" +
        two_wordings("--pixel-size sets another", "Pixel size in the form of the load node sets another") + ")");
  if (scan.angles.origin == Origin::guessed) choice.doubt("the scan holds no angles: " + scan.angles.source);
  return out;
}

}  // namespace tl
