// The parts of a PlotPanel that need QCustomPlot's header, which nobody outside this folder sees.
#pragma once

#include <QToolButton>

#include "widgets/plot/custom_plot.h"
#include "widgets/plot/plot_panel.h"

namespace tl::ui {

// A plot without a size has nothing to paint: QCustomPlot would paint into pictures that do not exist, and complain.
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
  std::optional<PlotFigure::DataPoint> place;  // that is read
  bool moving = false;                         // the mouse drags what is in sight
};

}  // namespace tl::ui
