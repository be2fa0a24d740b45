// Measurements: measurements in a pane: line profiles, statistics of boxes, distances, angles, value probes. Only
// positions are stored; numbers are computed from the image shown.
#pragma once

#include <QFontMetricsF>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "core/picture/measure.h"

class QPainter;

namespace tl::ui {

enum class MeasureKind { profile, region, distance, angle, probe };
const std::vector<MeasureKind>& all_measure_kinds();
const char* measure_kind_key(MeasureKind kind);  // in files
QString measure_kind_name(MeasureKind kind);     // on screen

// From a to b in pane coordinates; a probe uses a only; an angle lies at a, between the directions of b and c.
struct Measurement {
  MeasureKind kind = MeasureKind::distance;
  QPointF a, b, c = {};
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

// The image that is measured, and the transforms between pixels, pane and widget.
struct MeasureContext {
  const picture::Image* image = nullptr;
  std::function<picture::PixelPoint(QPointF)> to_pixel;
  std::function<QPointF(QPointF)> to_widget;
  QString unit;
  double mm_per_unit = 0;  // 0: distances are in pixels
};

// Results of a measurement; its kind determines which are set.
struct MeasureNumbers {
  std::optional<double> length;   // [mm], or [px] if the pixel size is not known
  std::optional<double> degrees;  // 0 to 180
  std::optional<double> value;    // of a probe
  std::optional<picture::Statistics> statistics;
};
MeasureNumbers measure_numbers(const Measurement& measurement, const MeasureContext& context);

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
  void select(std::size_t index) { selected_ = index; }
  void set_all(std::vector<Measurement> all);  // selects none

  // Grabs the topmost measurement near a point of the widget, at an end or as a whole; false if there is none.
  enum class Grip { start, end, second_end, whole };
  bool grab(QPointF widget, const MeasureContext& context);
  void drag_to(QPointF pane);
  void move_selected(QPointF by, Grip grip);
  void start_dragging_end(QPointF pane);  // drags the end of the measurement just added

  // One line of text per number, with units.
  [[nodiscard]] static QStringList texts(const Measurement& measurement, const MeasureContext& context);
  // Where the texts are painted, in the order of all(): inside of `inside`, none over another as far as there is room.
  [[nodiscard]] std::vector<QRectF> label_boxes(const QFontMetricsF& metrics, const QRectF& inside,
                                                const MeasureContext& context) const;
  void paint(QPainter& painter, const QRectF& inside, const MeasureContext& context) const;

 private:
  std::vector<Measurement> all_;
  std::optional<std::size_t> selected_;
  Grip grip_ = Grip::end;
  bool is_new_ = false;  // being drawn
  QPointF grabbed_;
};

// Rows and columns of the image in a box: pixels with centres inside it, at least one each.
struct PixelBox {
  Range rows, cols;
};
PixelBox pixels_in(const Measurement& region, const MeasureContext& context);
// "12.5 µm": with a suitable unit prefix.
QString length_text(double mm);
// Four significant digits, without exponent if possible.
QString number_text(double value);

}  // namespace tl::ui
