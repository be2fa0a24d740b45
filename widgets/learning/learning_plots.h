// LearningPlots: the loss and one parameter over the iterations, of the current run and of earlier ones.
#pragma once

#include <QWidget>
#include <set>

#include "widgets/plot/plot_content.h"
#include "widgets/session/learning_session.h"

class QBoxLayout;
class QComboBox;
class QTimer;

namespace tl::ui {

class PlotPanel;

class LearningPlots final : public QWidget {
  Q_OBJECT
 public:
  explicit LearningPlots(LearningSession& learning, QWidget* parent = nullptr);
  void set_direction(Qt::Orientation direction);  // plots below each other, or side by side
  // earlier runs to plot, as indices of LearningSession::records()
  void show_records(const std::set<std::size_t>& shown);
  [[nodiscard]] PlotPanel& loss() { return *loss_; }
  [[nodiscard]] PlotPanel& parameter() { return *parameter_; }

 private:
  void refresh();
  void refresh_choices();
  [[nodiscard]] PlotContent loss_content() const;
  [[nodiscard]] PlotContent parameter_content() const;
  [[nodiscard]] PlotContent list_content(const learn::Target& target) const;
  void add_records(PlotContent& content, const learn::Target* target) const;
  void add_result(PlotContent& content, const learn::Target& target) const;
  [[nodiscard]] const learn::Target* chosen() const;
  LearningSession& learning_;
  PlotPanel *loss_, *parameter_;
  QComboBox* choice_;
  QTimer* refresh_timer_;
  QBoxLayout* box_;
  std::set<std::size_t> shown_;
  std::vector<std::pair<std::string, std::string>> choices_;
};

}  // namespace tl::ui
