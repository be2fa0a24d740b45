// Painter: writes strokes as records of a file and as undo steps of the document.
#include "widgets/views/state/painter.h"

#include <algorithm>
#include <limits>

#include "core/graph/edit.h"
#include "core/values/label_table_text.h"
#include "widgets/labels/label_colors.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {
namespace {

// Initial classes of a new node: two classes to be renamed, in the first colours of labels.
constexpr const char* first_classes = "1 class 1; 2 class 2";

template <class T>
T param_or(const GraphNode& node, const char* name, const T& default_value) {
  const auto set = node.params.find(name);
  const T* value = set == node.params.end() ? nullptr : std::get_if<T>(&set->second);
  return value == nullptr ? default_value : *value;
}

// The box of voxels around a set; the whole grid is never larger.
VolumeGrid box_of(const strokes::VoxelSet& set, const VolumeGrid& grid) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  strokes::Voxel low{most, most, most}, high{-1, -1, -1};
  set.for_each([&](int64_t brick, std::size_t place) {
    const strokes::Voxel v = set.layout().voxel(brick, place);
    low = {std::min(low.k, v.k), std::min(low.j, v.j), std::min(low.i, v.i)};
    high = {std::max(high.k, v.k), std::max(high.j, v.j), std::max(high.i, v.i)};
  });
  return grid.sub({low.k, high.k + 1}, {low.j, high.j + 1}, {low.i, high.i + 1});
}

Vec3 voxel_centre(const VolumeGrid& grid, const strokes::Voxel& v) {
  return grid.position(static_cast<double>(v.k), static_cast<double>(v.j), static_cast<double>(v.i));
}

}  // namespace

Painter::Painter(PictureSource& source, ViewState& state) : source_(source), state_(state) {
  connect(&source_, &PictureSource::picture_ready, this, &Painter::take_picture);
  pool_.setMaxThreadCount(1);
}

Painter::~Painter() {
  cancel_.cancel();
  pool_.waitForDone();
  for (const auto& [view, waiting] : waiting_) source_.forget(view);
}

void Painter::set_settings(const PaintSettings& settings) {
  if (settings == settings_) return;
  settings_ = settings;
  if (settings_.tool) settings_.last = *settings_.tool;
  Q_EMIT changed();
}
void Painter::take(PaintTool tool) {
  PaintSettings now = settings_;
  now.tool = now.tool == tool ? std::nullopt : std::optional(tool);
  set_settings(now);
}
void Painter::take_last() { take(settings_.tool.value_or(settings_.last)); }
void Painter::put_away() {
  PaintSettings now = settings_;
  now.tool.reset();
  set_settings(now);
}

void Painter::close() {
  put_away();
  open_.reset();
  reported_numbers_.clear();
}

Output Painter::labels_of(const Output& volume) const {
  // If several nodes paint on one volume, the node whose labels are shown, or from which the shown labels are computed.
  if (volume == state_.volume() && !state_.strokes().empty()) return state_.strokes();
  const auto shown = source_.graph().nodes.find(state_.labels().node.toStdString());
  if (volume == state_.volume() && shown != source_.graph().nodes.end() &&
      source_.registry().has_role(shown->second.type, NodeRole::painted_labels))
    return state_.labels();
  return painted_on(source_.graph(), volume);
}

LabelTable Painter::table_of(const Output& volume) const {
  const Output labels = labels_of(volume);
  const auto node = source_.graph().nodes.find(labels.node.toStdString());
  const std::string text = node == source_.graph().nodes.end() ? std::string(first_classes)
                                                               : param_or<std::string>(node->second, "classes", {});
  const auto table = label_table_from_text(text);
  return table.ok() ? table.value() : LabelTable{{}, 0};
}

QString Painter::step_text(PaintTool tool, const Output& volume) const {
  const QString name = label_name(table_of(volume), state_.label_view().current);
  switch (tool) {
    case PaintTool::eraser: return tr("Erase labels");
    case PaintTool::fill: return tr("Fill with %1").arg(name);
    case PaintTool::brush:
    case PaintTool::ball:
    case PaintTool::lasso: break;
  }
  return tr("Paint %1").arg(name);
}

Result<Painter::Ground> Painter::ground(const Output& volume) const {
  Ground ground;
  ground.volume = volume;
  const Info* info = source_.info(volume);
  const auto* grid = info == nullptr ? nullptr : std::get_if<VolumeInfo>(info);
  if (grid == nullptr)
    return unavailable("the volume is not known yet", volume.node.toStdString(), "Paint once its slices are shown");
  ground.grid = grid->grid;
  const Output labels = labels_of(volume);
  const auto found = source_.graph().nodes.find(labels.node.toStdString());
  if (found != source_.graph().nodes.end()) {
    ground.node = labels.node;
    ground.file = param_or<std::string>(found->second, "file", {});
    ground.stroke = param_or<int64_t>(found->second, "stroke", 0);
  }
  std::error_code failed;
  const bool is_there = !ground.file.empty() && std::filesystem::exists(ground.file, failed);
  if (is_there || ground.stroke > 0) {
    TL_TRY(ground.painted, strokes::PaintedLabels::open(ground.file));
    TL_TRY(ground.labels, ground.painted->at(ground.stroke));
    ground.grid = ground.painted->grid();
  } else {
    ground.labels = std::make_shared<const strokes::Bricks>(ground.grid);
  }
  return ground;
}

void Painter::fail(const Error& error) { Q_EMIT failed(error_text(error)); }

// The id of the node.
std::string Painter::set_stroke(Graph& graph, const Ground& ground, const std::string& file, int64_t stroke) const {
  std::string id = ground.node.toStdString();
  if (id.empty()) {
    const Result<std::string> added =
        edit::add_node(graph, source_.registry(), source_.registry().with_role(NodeRole::painted_labels)->id);
    if (!added.ok()) return {};
    id = added.value();
    graph.nodes[id].params["classes"] = std::string(first_classes);
    const Result<void> linked = edit::connect(
        graph, source_.registry(), {ground.volume.node.toStdString(), ground.volume.port.toStdString(), id, "volume"});
    if (!linked.ok()) return {};
  }
  graph.nodes[id].params["file"] = file;
  graph.nodes[id].params["stroke"] = stroke;
  return id;
}

std::optional<uint64_t> Painter::paint(const Ground& before, const Dab& dab) {
  const Result<Ground> now = ground(before.volume);
  if (now.ok() && now.value().grid == before.grid) return paint_over(now.value(), dab);
  fail(now.ok() ? unavailable("the volume changed under the stroke", before.volume.node.toStdString(), "Paint it again")
                : now.error());
  return std::nullopt;
}

std::optional<uint64_t> Painter::paint_over(const Ground& ground, const Dab& dab) {
  const strokes::Stroke stroke = strokes::painted(*ground.labels, dab.voxels, dab.number, state_.label_view().locked);
  if (stroke.empty()) return std::nullopt;
  std::string file = ground.file;
  if (file.empty()) file = source_.new_strokes_file().toStdString();
  if (file.empty()) {
    fail(unavailable("labels cannot be painted here", {}, "Paint in the main window"));
    return std::nullopt;
  }
  const auto append = [&]() -> Result<int64_t> {
    std::shared_ptr<strokes::PaintedLabels> painted = ground.painted;
    if (painted == nullptr) {
      TL_TRY(painted, strokes::PaintedLabels::open_or_create(file, ground.grid));
    }
    TL_TRY(const int64_t number, painted->append(ground.stroke, stroke));
    if (const std::string note = painted->file().note(); number > 0 && !note.empty() && note != reported_note_) {
      reported_note_ = note;
      Q_EMIT notice(translated(note));
    }
    open_ = painted;
    return number;
  };
  const Result<int64_t> number = append();
  if (!number.ok()) {
    fail(number.error());
    return std::nullopt;
  }
  std::string node;
  source_.edit_graph(dab.step, [&](Graph& graph) {
    Graph after = graph;
    node = set_stroke(after, ground, file, number.value());
    if (!node.empty()) graph = std::move(after);
  });
  if (node.empty()) return std::nullopt;
  notify_of_class(ground.volume, dab.number, QString::fromStdString(node));
  Q_EMIT painted(QString::fromStdString(node));
  return source_.graph_number();
}

// Once for each number.
void Painter::notify_of_class(const Output& volume, uint16_t number, const QString& node) {
  const std::vector<LabelClass> classes = table_of(volume).classes;
  const bool is_named =
      std::any_of(classes.begin(), classes.end(), [number](const LabelClass& c) { return c.number == number; });
  if (number == 0 || is_named || !reported_numbers_.insert(number).second) return;
  Q_EMIT notice(tr("%1 is not among the classes of %2, and is shown as an unknown number: give it a name and a colour "
                   "there (Classes).")
                    .arg(label_name({}, number), node));
}

void Painter::paint_in_range(const Ground& ground, const Dab& dab, GreyRange range,
                             const std::function<void(std::optional<uint64_t>)>& done) {
  if (dab.voxels.empty()) return done(std::nullopt);
  live::PictureRequest request{.node = ground.volume.node.toStdString(),
                               .port = ground.volume.port.toStdString(),
                               .region = box_of(dab.voxels, ground.grid),
                               .coarse = 1,
                               .ticket = source_.next_ticket()};
  const QString view = QStringLiteral("painting.%1").arg(++asked_);
  waiting_.emplace(view, Waiting{ground, dab, range, done});
  source_.request(view, request);
}

void Painter::take_picture(const QString& view, const live::Picture& picture) {
  const auto found = waiting_.find(view);
  if (found == waiting_.end() || (!picture.error && !picture.final)) return;
  Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  source_.forget(view);
  const auto* grid = std::get_if<VolumeGrid>(&picture.region);
  if (picture.error || !picture.image || grid == nullptr) {
    if (picture.error && picture.error->kind != ErrorKind::cancelled) fail(*picture.error);
    return waiting.done(std::nullopt);
  }
  const GreyPicture grey{*grid, picture.image, picture.slices};
  waiting.dab.voxels.keep_if(
      [&](const strokes::Voxel& v) { return waiting.range.holds(grey.at(voxel_centre(waiting.ground.grid, v))); });
  waiting.done(paint(waiting.ground, waiting.dab));
}

void Painter::interpolate(const Output& volume, strokes::SliceAxis axis) {
  if (interpolating_) return;
  const Result<Ground> over = ground(volume);
  if (!over.ok()) return fail(over.error());
  interpolating_ = true;
  const auto number = static_cast<uint16_t>(state_.label_view().current);
  const QString name = label_name(table_of(volume), number);
  pool_.start([this, over = over.value(), axis, number, name] {
    std::shared_ptr<strokes::VoxelSet> set;
    try {
      set =
          std::make_shared<strokes::VoxelSet>(strokes::between_slices(*over.labels, over.grid, axis, number, cancel_));
    } catch (const std::exception&) {  // cancelled: the window closes; or not enough memory
    }
    QMetaObject::invokeMethod(this, [this, over, set, number, name] {
      interpolating_ = false;
      if (set == nullptr) return;
      const Result<Ground> now = ground(over.volume);
      if (!now.ok()) return fail(now.error());
      strokes::LabelReader look(*now.value().labels);
      set->keep_if([&look](const strokes::Voxel& v) { return look.at(v) == 0; });
      if (!paint(now.value(), {*set, number, tr("Interpolate %1").arg(name)}))
        Q_EMIT notice(tr("Nothing to interpolate: paint %1 on two slices with unpainted ones between.").arg(name));
    });
  });
}

}  // namespace tl::ui
