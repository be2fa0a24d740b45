// LandscapePanel: requests the objective around the optimum: a sweep of one parameter, or a map over two.
#pragma once

#include <QWidget>

#include "core/live/notification.h"
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
  // `plot`: where the landscape is shown; outlives the panel.
  LandscapePanel(LearningSession& learning, PlotPanel& plot, QWidget* parent = nullptr);
  [[nodiscard]] PlotPanel& plot() { return plot_; }
  void compute();

 private:
  void refresh();
  void refresh_units();
  void show_landscape(const live::LandscapeEnd& end);
  [[nodiscard]] QString slope_text(const learn::GradientCheck& slope) const;
  [[nodiscard]] std::optional<double> centre_of(const learn::Target& target) const;
  LearningSession& learning_;
  PlotPanel& plot_;
  QComboBox *first_, *second_;
  NumberField *first_width_, *second_width_;
  QSpinBox* points_;
  QPushButton* compute_;
  QLabel* note_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace tl::ui
