// ViewState: holds what all panes share; each value has a change signal, which is emitted only if the value changes.
#include "widgets/views/state/view_state.h"

#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/state/automatic_window.h"
#include "widgets/views/state/painter.h"

namespace tl::ui {

ViewState::ViewState(PictureSource& source, QObject* parent)
    : QObject(parent),
      source_(source),
      automatic_window_(std::make_unique<AutomaticWindow>(source, *this)),
      painter_(std::make_unique<Painter>(source, *this)) {
  connect(&source_, &PictureSource::graph_changed, this, &ViewState::find_outputs);
  connect(&source_, &PictureSource::infos_changed, this, &ViewState::centre_crosshair);
  connect(&source_, &PictureSource::graph_changed, this, &ViewState::read_ui);
  connect(&source_, &PictureSource::ui_changed, this, &ViewState::read_ui);
  find_outputs();
  read_ui();
}

ViewState::~ViewState() = default;

void ViewState::set_crosshair(Vec3 point) {
  centred_ = true;
  if (point == crosshair_) return;
  crosshair_ = point;
  Q_EMIT crosshair_changed();
}

void ViewState::set_oblique(const PlaneDirections& frame) {
  if (frame == oblique_) return;
  oblique_ = frame;
  Q_EMIT oblique_changed();
}

void ViewState::oblique_pane_shown() {
  ++oblique_panes_;
  Q_EMIT oblique_changed();
}
void ViewState::oblique_pane_hidden() {
  --oblique_panes_;
  Q_EMIT oblique_changed();
}

std::optional<picture::Levels> ViewState::levels(const Output& output) const {
  const auto found = windows_.find(output.key());
  if (found == windows_.end()) return std::nullopt;
  return found->second.levels;
}
LevelsMode ViewState::levels_mode(const Output& output) const {
  const auto found = windows_.find(output.key());
  return found == windows_.end() ? LevelsMode::automatic : found->second.mode;
}
void ViewState::set_levels(const Output& output, picture::Levels levels, LevelsMode mode) {
  if (!(levels.high > levels.low)) return;
  Window& window = windows_[output.key()];
  if (window.levels == levels && window.mode == mode) return;
  window.levels = levels;
  window.mode = mode;
  Q_EMIT levels_changed(output.key());
}

void ViewState::restart() {
  automatic_window_->clear();
  painter_->close();
  windows_.clear();
  ui_.reset();
  kept_settings_ = {};
  set_settings({});
}

void ViewState::set_settings(const ViewSettings& settings) {
  set_color_map(settings.colors);
  set_label_view(settings.labels);
  set_volume_view(settings.volume);
}
void ViewState::set_color_map(ColorMap map) {
  if (map == settings_.colors) return;
  settings_.colors = map;
  Q_EMIT colors_changed();
}
void ViewState::set_label_view(const LabelView& view) {
  if (view == settings_.labels) return;
  settings_.labels = view;
  Q_EMIT label_view_changed();
}
void ViewState::set_volume_view(const VolumeView& view) {
  if (view == settings_.volume) return;
  settings_.volume = view;
  Q_EMIT volume_view_changed();
}
void ViewState::set_volume_color_map(ColorMap map) {
  VolumeView view = settings_.volume;
  view.colors = map;
  set_volume_view(view);
}
void ViewState::set_opacity(std::vector<OpacityPoint> points) {
  if (points.size() < 2) return;
  VolumeView view = settings_.volume;
  view.opacity = std::move(points);
  view.preset = window_tint;
  set_volume_view(view);
}
void ViewState::set_volume_preset(const QString& id) {
  VolumeView view = settings_.volume;
  view.preset = id;
  set_volume_view(view);
}

MeasurementsByView ViewState::all_measurements() const {
  MeasurementsByView all;
  for (const auto& [view, list] : measurements_)
    if (!list.empty()) all[view] = list.all();
  return all;
}

void ViewState::keep_measurements(const QString& step) {
  source_.edit_ui(step, [all = all_measurements()](std::string& ui) { ui = with_measurements(ui, all); });
}

// Called after an undo step, or for another pipeline.
void ViewState::read_ui() {
  if (source_.graph().ui == ui_) return;
  ui_ = source_.graph().ui;
  read_measurements();
  // Changes by the user since then are kept, unless the pipeline now contains other settings.
  const ViewSettings kept = read_view_settings(*ui_);
  if (kept == kept_settings_) return;
  kept_settings_ = kept;
  set_settings(kept);
}

void ViewState::read_measurements() {
  const MeasurementsByView now = tl::ui::read_measurements(*ui_);
  if (now == all_measurements()) return;
  for (auto& [view, list] : measurements_)
    if (now.count(view) == 0) list.set_all({});
  for (const auto& [view, list] : now) measurements_[view].set_all(list);
  for (const auto& [view, list] : measurements_) Q_EMIT measurements_changed(view);
}

Camera ViewState::camera(const QString& slot) const {
  const auto found = cameras_.find(slot);
  return found == cameras_.end() ? Camera{} : found->second;
}
void ViewState::set_camera(const QString& slot, const Camera& camera) {
  Camera& mine = cameras_[slot];
  if (mine == camera) return;
  mine = camera;
  Q_EMIT camera_changed(slot);
}

void ViewState::follow(const QString& node) {
  wanted_node_ = node;
  find_outputs();
}
void ViewState::pin() {
  pinned_ = true;
  Q_EMIT pinned_changed();
}
void ViewState::unpin() {
  pinned_ = false;
  Q_EMIT pinned_changed();
  find_outputs();
}

void ViewState::find_outputs() {
  const Graph& graph = source_.graph();
  // A pinned node may have been deleted.
  if (pinned_ && graph.nodes.count(node_.toStdString()) == 0) {
    pinned_ = false;
    Q_EMIT pinned_changed();
  }
  if (!pinned_ && node_ != wanted_node_) {
    node_ = wanted_node_;
    find_outputs();
    Q_EMIT node_changed();
    return;
  }
  const ShownOutputs shown = shown_for(graph, source_.registry(), node_);
  const Output projections = projections_for(graph, source_.registry(), node_);
  const Output strokes = strokes_of(graph, shown);
  if (shown == ShownOutputs{volume_, labels_} && strokes == strokes_ && projections == projections_) return;
  volume_ = shown.volume;
  labels_ = shown.labels;
  strokes_ = strokes;
  projections_ = projections;
  centre_crosshair();
  Q_EMIT outputs_changed();
}

// Only once, when the first volume is known; afterwards the user moves the crosshair.
void ViewState::centre_crosshair() {
  if (centred_ || volume_.empty()) return;
  const Info* info = source_.info(volume_);
  if (info == nullptr) return;
  if (const auto* volume = std::get_if<VolumeInfo>(info)) set_crosshair(volume->grid.centre);
  if (const auto* labels = std::get_if<LabelsInfo>(info)) set_crosshair(labels->grid.centre);
}

}  // namespace tl::ui
