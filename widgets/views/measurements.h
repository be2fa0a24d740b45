// Measurements: what was measured in a pane: lines with a profile, boxes with statistics, distances, probes. They are
// places; their numbers come from the picture shown.
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "core/picture/measure.h"

class QPainter;

namespace tl::ui {

enum class MeasureKind { profile, region, distance, probe };

// From a to b, in the pane's coordinates; a probe has a alone.
struct Measurement {
  MeasureKind kind = MeasureKind::distance;
  QPointF a, b;
};

// Numbers of the picture that measurements are made in.
struct MeasureContext {
  const live::Image* image = nullptr;
  std::function<picture::PixelPoint(QPointF)> to_pixel;
  std::function<QPointF(QPointF)> to_widget;
  QString unit;
  double mm_per_unit = 0;  // 0: distances are in pixels
};

class Measurements {
 public:
  [[nodiscard]] const std::vector<Measurement>& all() const { return all_; }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
  [[nodiscard]] const Measurement* selected_one() const;
  // The profile whose plot is shown: the selected one, or the last.
  [[nodiscard]] const Measurement* shown_profile() const;

  void add(const Measurement& measurement);  // and selects it
  void clear_selection() { selected_.reset(); }
  bool remove_selected();  // false: nothing was selected
  void remove(const Measurement* one);
  void clear();

  // Grips: which end (or the whole) of which measurement lies under a point of the widget.
  enum class Grip { start, end, whole };
  bool grab(QPointF widget, const MeasureContext& context);
  void drag_to(QPointF pane);
  void move_selected(QPointF by, Grip grip);
  void start_dragging_end(QPointF pane);  // of a new one

  // One line per number, with units.
  [[nodiscard]] static QStringList texts(const Measurement& measurement, const MeasureContext& context);
  void paint(QPainter& painter, const MeasureContext& context) const;

 private:
  std::vector<Measurement> all_;
  std::optional<std::size_t> selected_;
  Grip grip_ = Grip::end;
  QPointF grabbed_;
};

// Rows and columns of the picture that a box covers: those whose centres lie inside, at least one.
struct PixelBox {
  Range rows, cols;
};
PixelBox pixels_in(const Measurement& region, const MeasureContext& context);
// "12.5 um": with the prefix a person would choose.
QString length_text(double mm);
// Four significant digits, no exponent where it can be avoided.
QString number_text(double value);

}  // namespace tl::ui
