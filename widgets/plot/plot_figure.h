// PlotFigure: draws a PlotContent with QCustomPlot, in the colours of a theme, for the screen or for a file.
#pragma once

#include <QColor>
#include <QString>

#include "widgets/plot/plot_content.h"

class QCustomPlot;
class QCPItemStraightLine;
class QCPItemTracer;
class QCPLayoutGrid;
class QCPTextElement;

namespace tl::ui {

enum class PlotScale { linear, logarithmic };
enum class PlotSide { x, y };

// Smallest and largest value of an axis.
struct PlotRange {
  double low = 0, high = 1;
  [[nodiscard]] double size() const { return high - low; }
};

// A number with as many digits as a range lets one tell apart.
QString figure_text(double value, double range);

class PlotFigure {
 public:
  explicit PlotFigure(QCustomPlot& plot);  // which must outlive it

  void set_content(PlotContent content);
  [[nodiscard]] const PlotContent& content() const { return content_; }
  void set_scale(PlotSide side, PlotScale scale);
  [[nodiscard]] PlotScale scale(PlotSide side) const { return side == PlotSide::x ? x_scale_ : y_scale_; }
  // A logarithmic axis needs positive numbers, or a floor to count from.
  [[nodiscard]] bool may_be_logarithmic(PlotSide side) const;
  void set_tokens(const TokenSet& tokens);
  void fit();  // everything in sight
  void set_title(const QString& text);
  [[nodiscard]] QString title() const;  // without what was read

  // The point nearest to a point of the widget, among all series.
  struct DataPoint {
    std::size_t series = 0, point = 0;
    friend bool operator==(const DataPoint&, const DataPoint&) = default;
  };
  [[nodiscard]] std::optional<DataPoint> nearest(QPointF at) const;
  [[nodiscard]] QPointF pixel(const DataPoint& point) const;
  [[nodiscard]] QString text_of(const DataPoint& point) const;  // "-23.24 px at 7"
  [[nodiscard]] QString map_text(QPointF at) const;             // empty: no map there
  void point_at(const std::optional<DataPoint>& point);

 private:
  void draw();
  void draw_series(const PlotSeries& series);
  void draw_mark(const PlotMark& mark);
  void draw_map(const PlotMap& map);
  void style_axes();
  void style_legend();
  [[nodiscard]] QColor color(Token token) const;
  [[nodiscard]] double shown_y(double y) const;  // counted from the floor on a logarithmic axis
  [[nodiscard]] PlotRange full_range(PlotSide side) const;

  QCustomPlot& plot_;
  PlotContent content_;
  PlotScale x_scale_ = PlotScale::linear, y_scale_ = PlotScale::linear;
  const TokenSet* tokens_;
  QCPTextElement* title_;
  QCPItemStraightLine* cursor_ = nullptr;
  QCPItemTracer* tracer_ = nullptr;
  std::optional<DataPoint> pointed_;
};

}  // namespace tl::ui
