// PruningPlots: accuracy over the steps of a pruning, and what is left of the network, while it goes on and afterwards.
#pragma once

#include <QWidget>

#include "widgets/session/pruning_session.h"

class QBoxLayout;

namespace tl::ui {

class PlotPanel;

class PruningPlots final : public QWidget {
  Q_OBJECT
 public:
  explicit PruningPlots(PruningSession& pruning, QWidget* parent = nullptr);
  void set_direction(Qt::Orientation direction);  // plots below each other, or side by side
  [[nodiscard]] PlotPanel& f1() { return *f1_; }  // hidden where nothing is trained
  [[nodiscard]] PlotPanel& kept() { return *kept_; }

 private:
  void refresh();
  void plot();
  void show_f1();
  PruningSession& pruning_;
  PlotPanel *f1_, *kept_;
  QBoxLayout* box_;
  std::size_t states_ = 0, scores_ = 0;  // that are plotted
};

}  // namespace tl::ui
