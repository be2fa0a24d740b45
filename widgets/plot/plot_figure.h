// PlotFigure: draws a PlotContent with QCustomPlot, in the colours of a theme, on screen or for a file.
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

// Lower and upper limit of an axis.
struct PlotRange {
  double low = 0, high = 1;
  [[nodiscard]] double size() const { return high - low; }
};

// The number with as many digits as can be distinguished in a range of this size.
QString figure_text(double value, double range);

class PlotFigure {
 public:
  explicit PlotFigure(QCustomPlot& plot);  // `plot` must outlive the figure

  void set_content(PlotContent content);
  [[nodiscard]] const PlotContent& content() const { return content_; }
  void set_scale(PlotSide side, PlotScale scale);
  [[nodiscard]] PlotScale scale(PlotSide side) const { return side == PlotSide::x ? x_scale_ : y_scale_; }
  // A logarithmic axis needs positive numbers or, for y, a floor.
  [[nodiscard]] bool may_be_logarithmic(PlotSide side) const;
  void set_tokens(const TokenSet& tokens);
  void fit();  // shows everything
  void set_title(const QString& text);
  [[nodiscard]] QString title() const;  // without the text at the cursor

  // A point of a series; nearest() searches all series for the point nearest to a position in the widget.
  struct DataPoint {
    std::size_t series = 0, point = 0;
    friend bool operator==(const DataPoint&, const DataPoint&) = default;
  };
  [[nodiscard]] std::optional<DataPoint> nearest(QPointF at) const;
  [[nodiscard]] QPointF pixel(const DataPoint& point) const;
  [[nodiscard]] QString point_text(const DataPoint& point) const;  // "-23.24 px at 7"
  [[nodiscard]] QString map_text(QPointF at) const;                // value of the map; empty if there is none
  void point_at(const std::optional<DataPoint>& point);

 private:
  void draw();
  void draw_series(const PlotSeries& series);
  void draw_mark(const PlotMark& mark);
  void draw_map(const PlotMap& map);
  void style_axes();
  void style_legend();
  void place_legend();
  [[nodiscard]] QColor color(Token token) const;
  [[nodiscard]] double shown_y(double y) const;  // y - floor on a logarithmic axis with a floor; NaN if not positive
  [[nodiscard]] PlotRange full_range(PlotSide side) const;

  QCustomPlot& plot_;
  PlotContent content_;
  PlotScale x_scale_ = PlotScale::linear, y_scale_ = PlotScale::linear;
  const TokenSet* tokens_;
  QCPTextElement* title_;
  QCPItemStraightLine* cursor_ = nullptr;
  QCPItemTracer* tracer_ = nullptr;
  std::optional<DataPoint> cursor_point_;
};

}  // namespace tl::ui
