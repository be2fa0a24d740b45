// TrainingForm: what is trained and how: the network to begin with, planes and patches, epochs and steps.
#pragma once

#include <QWidget>
#include <functional>
#include <string>

#include "widgets/session/training_session.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace tl::ui {

class TrainingForm final : public QWidget {
  Q_OBJECT
 public:
  explicit TrainingForm(TrainingSession& training, QWidget* parent = nullptr);

 private:
  void make_network_fields(QFormLayout& form);
  void make_sample_fields(QFormLayout& form);
  void make_more_fields(QFormLayout& form);
  void add_row(QFormLayout& form, const QString& title, QWidget* field, const QString& help);
  void add_setting(QFormLayout& form, const std::string& network, const net::Setting& setting);
  void show_row(QWidget* field, bool shown);
  QSpinBox* whole(int low, int high, int64_t train::TrainingPlan::*member);
  QDoubleSpinBox* rate();
  QSpinBox* share();
  void change(const std::function<void(train::TrainingPlan&)>& edit);
  void choose_file();
  void open_more(bool open);
  void refresh();
  TrainingSession& training_;
  QFormLayout* form_;
  QComboBox *begin_, *planes_;
  QLineEdit* file_;
  QWidget* file_row_;
  QToolButton* more_;
  QWidget* more_body_;
  // Fields of numbers, with how they show the plan.
  std::vector<std::function<void(const train::TrainingPlan&)>> shows_;
  std::vector<QWidget*> fields_;
};

}  // namespace tl::ui
