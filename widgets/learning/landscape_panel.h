// LandscapePanel: plots the objective around the optimum: a sweep of one parameter, or a map over two.
#pragma once

#include <QWidget>

#include "widgets/plot/plot_content.h"
#include "widgets/session/learning_session.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace tl::ui {

class NumberField;
class PlotPanel;

class LandscapePanel final : public QWidget {
  Q_OBJECT
 public:
  explicit LandscapePanel(LearningSession& learning, QWidget* parent = nullptr);
  [[nodiscard]] PlotPanel& plot() { return *plot_; }
  void compute();

 private:
  void refresh();
  void refresh_units();
  void show_landscape(const live::LandscapeEnd& end);
  void show_gradients(const live::GradientCheckEnd& end);
  void show_plot();
  [[nodiscard]] PlotContent sweep_content() const;
  [[nodiscard]] PlotContent map_content() const;
  [[nodiscard]] PlotAxis axis_of(const learn::Target& target) const;
  [[nodiscard]] PlotSeries path(const learn::Target& x, const learn::Target* y) const;
  [[nodiscard]] std::optional<double> centre_of(const learn::Target& target) const;
  LearningSession& learning_;
  QComboBox *first_, *second_;
  NumberField *first_width_, *second_width_;
  QSpinBox* points_;
  QPushButton* compute_;
  QLabel* note_;
  PlotPanel* plot_;
  std::optional<live::LandscapeEnd> shown_;
  std::optional<double> slope_;  // of the objective at the centre of a sweep, per unit of the parameter
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace tl::ui
