// Measurements: measurements in a pane: line profiles, statistics of boxes, distances, value probes. Only positions are
// stored; numbers are computed from the picture shown.
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

// From a to b in pane coordinates; a probe uses a only.
struct Measurement {
  MeasureKind kind = MeasureKind::distance;
  QPointF a, b;
};

// The picture that is measured, and the transforms between pixels, pane and widget.
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
  // The profile whose plot is shown: the selected one, otherwise the last.
  [[nodiscard]] const Measurement* shown_profile() const;

  void add(const Measurement& measurement);  // adds and selects it
  void clear_selection() { selected_.reset(); }
  bool remove_selected();  // false if nothing was selected
  void remove(const Measurement* one);
  void clear();

  // Grabs the topmost measurement near a point of the widget, at an end or as a whole; false if there is none.
  enum class Grip { start, end, whole };
  bool grab(QPointF widget, const MeasureContext& context);
  void drag_to(QPointF pane);
  void move_selected(QPointF by, Grip grip);
  void start_dragging_end(QPointF pane);  // drags the end of the measurement just added

  // One line of text per number, with units.
  [[nodiscard]] static QStringList texts(const Measurement& measurement, const MeasureContext& context);
  void paint(QPainter& painter, const MeasureContext& context) const;

 private:
  std::vector<Measurement> all_;
  std::optional<std::size_t> selected_;
  Grip grip_ = Grip::end;
  QPointF grabbed_;
};

// Rows and columns of the picture in a box: pixels whose centres lie inside, at least one each.
struct PixelBox {
  Range rows, cols;
};
PixelBox pixels_in(const Measurement& region, const MeasureContext& context);
// "12.5 µm": with a suitable unit prefix.
QString length_text(double mm);
// Four significant digits, without exponent where possible.
QString number_text(double value);

}  // namespace tl::ui
