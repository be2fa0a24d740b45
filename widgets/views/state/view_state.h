// ViewState: state shared by all panes: crosshair, window, colours, cameras, oblique plane, and the outputs shown.
#pragma once

#include <QObject>
#include <QPointF>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/vec3.h"
#include "core/picture/levels.h"
#include "widgets/text/color_map.h"
#include "widgets/views/measure/measurement_store.h"
#include "widgets/views/pictures/picture_source.h"
#include "widgets/views/pictures/plane_view.h"
#include "widgets/views/state/view_settings.h"

namespace tl::ui {

class AutomaticWindow;
class Painter;

// Zoom 1 fits the pane; the centre is in pane coordinates.
struct Camera {
  double zoom = 1;
  QPointF centre;
  friend bool operator==(const Camera&, const Camera&) = default;
};

enum class LevelsMode { automatic, manual };

// GUI thread only.
class ViewState final : public QObject {
  Q_OBJECT
 public:
  explicit ViewState(PictureSource& source, QObject* parent = nullptr);  // the source must outlive it
  ~ViewState() override;

  [[nodiscard]] Vec3 crosshair() const { return crosshair_; }  // [mm]
  void set_crosshair(Vec3 point);
  [[nodiscard]] PlaneDirections oblique() const { return oblique_; }
  void set_oblique(const PlaneDirections& frame);
  // Called by visible oblique panes. While there is one, other panes draw its line, which can be dragged to rotate it.
  void oblique_pane_shown();
  void oblique_pane_hidden();
  [[nodiscard]] bool has_oblique_pane() const { return oblique_panes_ > 0; }

  // Each output has its own window, since transmission and attenuation differ in scale. nullopt: not set yet.
  [[nodiscard]] std::optional<picture::Levels> levels(const Output& output) const;
  [[nodiscard]] LevelsMode levels_mode(const Output& output) const;
  void set_levels(const Output& output, picture::Levels levels, LevelsMode mode);
  // Sets the windows that the user has not set.
  [[nodiscard]] AutomaticWindow& automatic_window() { return *automatic_window_; }
  [[nodiscard]] Painter& painter() { return *painter_; }
  // For another pipeline: windows are set again, and its stored settings are read.
  void restart();
  // Read from the ui block of a pipeline. Their changes are not undo steps: the window writes them into the ui block of
  // saved copies.
  [[nodiscard]] const ViewSettings& settings() const { return settings_; }
  [[nodiscard]] ColorMap color_map() const { return settings_.colors; }
  void set_color_map(ColorMap map);
  [[nodiscard]] const LabelView& label_view() const { return settings_.labels; }
  void set_label_view(const LabelView& view);
  // Of all 3D views.
  [[nodiscard]] const VolumeView& volume_view() const { return settings_.volume; }
  void set_volume_view(const VolumeView& view);
  [[nodiscard]] ColorMap volume_color_map() const { return settings_.volume.colors; }
  void set_volume_color_map(ColorMap map);
  [[nodiscard]] const std::vector<OpacityPoint>& opacity() const { return settings_.volume.opacity; }
  void set_opacity(
      std::vector<OpacityPoint> points);  // at least two, ordered by position; ends a tint, which has its own opacity
  [[nodiscard]] const QString& volume_preset() const { return settings_.volume.preset; }
  void set_volume_preset(const QString& id);

  // Measurements belong to a kind of pane ("xy", "sinogram"): all panes of that kind show them. They are stored in the
  // pipeline's ui block.
  [[nodiscard]] Measurements& measurements(const QString& view) { return measurements_[view]; }
  [[nodiscard]] MeasurementsByView all_measurements() const;
  // Called after every change, also within a drag.
  void measurements_moved(const QString& view) { Q_EMIT measurements_changed(view); }
  // Stores the measurements in the pipeline as an undo step.
  void keep_measurements(const QString& step);

  // One camera per kind of pane ("xy", "sinogram").
  [[nodiscard]] Camera camera(const QString& slot) const;
  void set_camera(const QString& slot, const Camera& camera);

  // Sets the volume and the projections to show: those of the given node, or of the pinned node while one is pinned.
  void follow(const QString& node);
  void pin();
  void unpin();
  [[nodiscard]] bool is_pinned() const { return pinned_; }
  [[nodiscard]] const QString& node() const { return node_; }
  [[nodiscard]] const Output& volume() const { return volume_; }
  [[nodiscard]] const Output& labels() const { return labels_; }  // over the volume; empty: none
  // Shown over the labels if these are computed from strokes on the volume; else empty.
  [[nodiscard]] const Output& strokes() const { return strokes_; }
  [[nodiscard]] const Output& projections() const { return projections_; }

 Q_SIGNALS:
  void crosshair_changed();
  void oblique_changed();
  void levels_changed(const QString& key);
  void colors_changed();
  void label_view_changed();
  void volume_view_changed();
  void camera_changed(const QString& slot);
  void measurements_changed(const QString& view);
  void outputs_changed();
  void node_changed();
  void pinned_changed();

 private:
  void set_settings(const ViewSettings& settings);
  void read_ui();
  void read_measurements();
  void find_outputs();
  void centre_crosshair();
  PictureSource& source_;
  Vec3 crosshair_;
  bool centred_ = false;  // the crosshair was set to the centre of a volume
  PlaneDirections oblique_{{0.70710678118654752, 0.70710678118654752, 0}, {0, 0, 1}};
  int oblique_panes_ = 0;
  struct Window {
    picture::Levels levels;
    LevelsMode mode = LevelsMode::automatic;
  };
  std::map<QString, Window> windows_;
  std::unique_ptr<AutomaticWindow> automatic_window_;
  std::unique_ptr<Painter> painter_;
  ViewSettings settings_, kept_settings_;  // kept: as in the ui block
  std::map<QString, Camera> cameras_;
  std::map<QString, Measurements> measurements_;
  std::optional<std::string> ui_;  // as it was read last
  QString node_, wanted_node_;
  bool pinned_ = false;
  Output volume_, labels_, strokes_, projections_;
};

}  // namespace tl::ui
