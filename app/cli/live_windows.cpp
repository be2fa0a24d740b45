// Runs a pipeline on the windows of a stream, and reports how many were computed or dropped.
#include "app/cli/live_windows.h"

#include <set>
#include <utility>

#include "app/cli/live_links.h"
#include "core/base/measured.h"
#include "core/graph/named_pipeline.h"
#include "core/learn/learning.h"
#include "core/run/automatic/batch.h"

namespace tl::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The median and the 95th percentile, in milliseconds; null where nothing was measured.
Json latency(std::vector<double> seconds) {
  if (seconds.empty()) return nullptr;
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return 1000 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  return {{"p50", at(0.5)}, {"p95", at(0.95)}};
}

// Planes are sent, volumes never.
stream::Plane plane_to_send(const NamedPlane& made, int64_t window) {
  stream::Plane plane;
  plane.name = made.name;
  plane.id = static_cast<int64_t>(std::hash<std::string>{}(made.name) & 0x7fffffff);
  plane.window = window;
  plane.rows = made.values.size(0);
  plane.cols = made.values.size(1);
  const float* values = made.values.const_data_ptr<float>();
  plane.values.assign(values, values + made.values.numel());
  return plane;
}

Result<WindowRunOptions> window_run_options(const WindowArguments& arguments, const Graph& graph) {
  WindowRunOptions how;
  how.windows = {arguments.length, arguments.hop_or_default()};
  for (const std::string& text : arguments.planes) {
    TL_TRY(const PlaneChoice plane, PlaneChoice::parse(text));
    how.planes.push_back(plane);
  }
  if (!arguments.follows) return how;
  const Result<learn::Settings> settings = learn::settings_of(graph);
  if (!settings.ok() || settings.value().targets.empty())
    return invalid("the pipeline marks no parameter to be learned", "--follow",
                   "Mark one in the studio, or name another pipeline");
  how.follow = settings.value();
  return how;
}

}  // namespace

// Messages of nodes, each once: windows repeat them.
class LiveWindows::Sink final : public EventSink {
 public:
  explicit Sink(Print print) : print_(std::move(print)) {}
  void message(LogLevel level, std::string_view node, std::string_view text) override {
    if (level < LogLevel::warning) return;
    const std::string line = (node.empty() ? "" : std::string(node) + ": ") + std::string(text);
    const std::lock_guard lock(mutex_);  // two scans may be computed at the same time
    if (said_.insert(line).second)
      print_({{"event", "message"}, {"level", "warning"}, {"node", node}, {"text", text}}, "warning: " + line);
  }

 private:
  const Print print_;
  std::mutex mutex_;
  std::set<std::string> said_;
};

LiveWindows::LiveWindows(const WindowArguments& arguments, const Cli& cli, Print print, stream::PlaneLinks& planes)
    : arguments_(arguments),
      cli_(cli),
      print_(std::move(print)),
      planes_(planes),
      sink_(std::make_unique<Sink>(print_)) {}

LiveWindows::~LiveWindows() = default;

Result<std::unique_ptr<LiveWindows>> LiveWindows::begin(const WindowArguments& arguments, const Cli& cli, Print print,
                                                        stream::PlaneLinks& planes) {
  if (arguments.pipeline.empty()) {
    if (!arguments.out.empty())
      return invalid("without a pipeline there are no outputs", "--out", "Name a pipeline: tomoloom live PIPELINE");
    return std::unique_ptr<LiveWindows>();
  }
  const Registry& registry = Registry::all();
  auto live = std::unique_ptr<LiveWindows>(new LiveWindows(arguments, cli, std::move(print), planes));
  Graph& graph = live->graph_;
  RunOptions& options = live->options_;
  TL_TRY(graph, pipeline_or_template(arguments.pipeline, registry));
  TL_TRY(apply_settings(graph, registry, arguments.settings));
  TL_TRY(live->load_, Arrivals::load_node(graph, registry));
  TL_TRY(live->how_, window_run_options(arguments, graph));
  TL_TRY(options, make_run_options(cli, arguments.flags, *live->sink_));
  if (!arguments.out.empty()) {
    options.output_dir = arguments.out;
    if (!arguments.allow_outside) TL_TRY(check_outputs_inside(graph, registry, options, arguments.settings));
    std::error_code failed;
    fs::create_directories(arguments.out, failed);
    if (failed)
      return io_error("the output folder cannot be made: " + failed.message(), arguments.out.string(),
                      "Choose another one with --out");
    TL_TRY(check_writable(outputs_with_records(graph, registry, options),
                          {options.overwrite, std::make_shared<io::ProtectedFiles>(options.inputs)}));
  }
  TL_TRY(live->begin_scan(0));
  return live;
}

Result<void> LiveWindows::begin_scan(int64_t scan) {
  WindowRun::Handlers handlers;
  handlers.computed = [this, scan](const ComputedWindow& window) { print_window(window, scan); };
  handlers.wants_planes = [this] { return planes_.wants_planes(); };
  handlers.plane = [this](const ComputedWindow& window, const NamedPlane& plane) {
    planes_.send(plane_to_send(plane, window.index));
  };
  handlers.followed = [this, scan](const live::FollowEnd& end) { print_followed(end, scan); };
  handlers.waits_for_flats = [this] {
    print_({{"event", "waiting"}, {"for", "flats"}}, "there are no flats yet: windows wait for them");
  };
  TL_TRY(RunPtr run, WindowRun::begin(graph_, options_, how_, std::move(handlers)));
  const std::lock_guard lock(mutex_);
  if (!runs_.empty())
    ending_.push_back(std::async(std::launch::async, [earlier = runs_.rbegin()->second] { return earlier->end(); }));
  runs_[scan] = std::move(run);
  return ok();
}

void LiveWindows::print_window(const ComputedWindow& window, int64_t scan) {
  for (const std::string& node : Arrivals::using_later_flats(graph_, Registry::all()))
    sink_->message(LogLevel::warning, node,
                   "views are corrected by the flats received so far; a run over the record also uses later ones: set "
                   "change=before, which uses the last flats before each view");
  for (const std::string& node : Arrivals::training(graph_, Registry::all()))
    sink_->message(
        LogLevel::warning, node,
        "the model is trained on the first window and used for all; a run over the record trains it on each: "
        "save the model, and choose it in the pipeline");
  Json event = {{"event", "window"},
                {"index", window.index},
                {"first", window.views.front()},
                {"last", window.views.back()},
                {"views", window.views.size()},
                {"lost", window.lost},
                {"shown_ms", 1000 * window.shown}};
  if (scan > 0) event["scan"] = scan + 1;
  if (const auto sent = planes_.sent()) event["sent"] = sent_json(*sent);
  print_(event, "window " + std::to_string(window.index) + ": views " + std::to_string(window.views.front()) + " to " +
                    std::to_string(window.views.back()) +
                    (window.lost > 0 ? ", " + std::to_string(window.lost) + " lost" : ""));
}

void LiveWindows::print_followed(const live::FollowEnd& end, int64_t scan) {
  if (end.error) {
    if (end.error->kind != ErrorKind::cancelled)
      sink_->message(LogLevel::warning, {}, "following: " + end.error->message());
    return;
  }
  Json event = {{"event", "followed"}, {"window", end.window}, {"seconds", end.seconds}};
  if (scan > 0) event["scan"] = scan + 1;
  std::string text = "followed:";
  for (const learn::Found& found : end.found) {
    if (found.value.size() != 1) continue;
    const double sigma = found.uncertainty.empty() ? 0 : found.uncertainty.front();
    const std::string unit(symbol(found.unit)), verdict(learn::to_string(found.trust));
    Json value = {{"value", found.value.front()}, {"verdict", verdict}};
    if (sigma > 0) value["sigma"] = sigma;
    if (!unit.empty()) value["unit"] = unit;
    event["values"][found.node + "." + found.name] = std::move(value);
    text += " " + found.node + "." + found.name + " " + measured_text(found.value.front(), sigma) +
            (unit.empty() ? "" : " " + unit) + ", " + verdict;
  }
  print_(event, text);
  for (const live::Jump& jump : end.jumps) {
    const std::string what = live::words(jump);
    print_({{"event", "alarm"}, {"what", what}}, "alarm: " + what);
  }
}

LiveWindows::RunPtr LiveWindows::run_of(int64_t scan) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(scan);
  return found == runs_.end() ? nullptr : found->second;
}

void LiveWindows::take(const stream::FramePtr& frame, stream::Numbering numbering, bool linear) {
  if (!run_of(frame->scan) && !failure_)
    if (const Result<void> begun = begin_scan(frame->scan); !begun.ok()) failure_ = begun.error();
  if (const RunPtr run = run_of(frame->scan)) run->take(frame, numbering, linear);
}

void LiveWindows::note_written(const stream::Frame& frame) {
  if (const RunPtr run = run_of(frame.scan)) run->note_written(frame);
}

// Sums over all scans.
void LiveWindows::add_to(Json& last_event) const {
  std::vector<double> stored, prepared, shown;
  int64_t skipped = 0, views_made = 0, views_filtered = 0;
  std::size_t windows = 0;
  for (const auto& [scan, run] : runs_) {
    for (const ComputedWindow& window : run->windows()) {
      prepared.push_back(window.prepared);
      shown.push_back(window.shown);
    }
    stored.insert(stored.end(), run->stored().begin(), run->stored().end());
    windows += run->windows().size();
    skipped += run->skipped();
    views_made += run->views_made();
    views_filtered += run->views_filtered();
  }
  last_event["windows"] = windows;
  last_event["skipped_windows"] = skipped;
  last_event["views_made"] = views_made;
  last_event["views_filtered"] = views_filtered;
  last_event["latency_ms"] = {{"stored", latency(std::move(stored))},
                              {"prepared", latency(std::move(prepared))},
                              {"shown", latency(std::move(shown))}};
}

Result<void> LiveWindows::end(const std::vector<stream::EndedRecord>& records, Json& last_event) {
  Result<void> computed = runs_.rbegin()->second->end();
  for (auto& earlier : ending_)
    if (Result<void> one = earlier.get(); !one.ok() && computed.ok()) computed = std::move(one);
  if (failure_ && computed.ok()) computed = *failure_;
  add_to(last_event);
  for (const stream::EndedRecord& record : records) {
    const RunPtr run = run_of(record.scan);
    if (!run || run->windows().empty()) continue;
    TL_TRY(const fs::path table, write_window_table(record.path, load_, run->windows(), cli_.files.rules()));
    if (!last_event.contains("table")) last_event["table"] = table.string();
    if (records.size() > 1) last_event["tables"].push_back(table.string());
  }
  TL_TRY(computed);
  if (arguments_.out.empty()) return ok();
  // Messages concern the last scan that had a window; without any, the last scan.
  RunPtr last = runs_.rbegin()->second;
  for (const auto& [scan, run] : runs_)
    if (!run->windows().empty()) last = run;
  TL_TRY(const RunReport report, last->write());
  for (const fs::path& file : report.files) last_event["outputs"].push_back(file.string());
  return ok();
}

void add_window_options(CLI::App& app, Cli& cli, WindowArguments& o) {
  cli.files.reads(app.add_option("PIPELINE", o.pipeline,
                                 "A pipeline, or the name of a bundled one, that is run on windows of the stream; the "
                                 "frames replace the scan that it loads (default: frames are only recorded)"));
  app.add_option("--set", o.settings, "A parameter: node.param=value, for example fbp.cutoff=0.5")
      ->allow_extra_args(false);
  app.add_option("--window", o.length,
                 "Views of a window; a frame that arrives this many frames after its position counts as late")
      ->check(CLI::Range(int64_t{2}, int64_t{1'000'000}))
      ->capture_default_str();
  app.add_option("--hop", o.hop, "Views from one window to the next (default: 6)")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  app.add_flag("--follow", o.follows,
               "Repeatedly learn the parameters marked in the pipeline, such as the axis, starting from the last "
               "values, for at most a fifth of the time");
  app.add_option(
         "--plane", o.planes,
         "A plane that --send and --plugin get of each volume: xy, xz or yz for the middle one, xz=12, or oblique: "
         "normal=X,Y,Z through the middle of the volume, with a fourth number so many mm from there; may be repeated "
         "(default: the slices that are written, of whole volumes the middle one)")
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto parsed = PlaneChoice::parse(text);
            return parsed.ok() ? std::string() : parsed.error().message();
          },
          "PLANE"));
  cli.files.writes_into(app.add_option("--out", o.out, "Folder for the outputs of the last full window"));
  app.add_flag("--allow-outside", o.allow_outside,
               "Also write outputs that the pipeline places outside of that folder");
  add_run_flags(app, cli, o.flags);
}

}  // namespace tl::cli
