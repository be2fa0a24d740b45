// PlotPanel::Parts: the members that need QCustomPlot's header, which stays private to this folder.
#pragma once

#include <QToolButton>

#include "widgets/plot/custom_plot.h"
#include "widgets/plot/plot_panel.h"

namespace tl::ui {

// Ignores resizing to an empty size, for which QCustomPlot would create invalid pixmaps and print warnings.
class SizedPlot final : public QCustomPlot {
 public:
  using QCustomPlot::QCustomPlot;

 protected:
  void resizeEvent(QResizeEvent* event) override {
    if (!size().isEmpty()) QCustomPlot::resizeEvent(event);
  }
};

struct PlotPanel::Parts {
  explicit Parts(PlotPanel* panel) : plot(new SizedPlot(panel)), figure(*plot), menu(new QToolButton(panel)) {}
  QCustomPlot* plot;
  PlotFigure figure;
  QToolButton* menu;
  std::optional<PlotFigure::DataPoint> place;  // point at the cursor
  bool moving = false;                         // the mouse is panning the plot
};

}  // namespace tl::ui
