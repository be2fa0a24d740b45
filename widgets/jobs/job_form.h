// JobForm: rows of fields that edit the plan of a job; each kind of job adds its own.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "widgets/session/job_session.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace tl::ui {

// GUI thread only. Fields show the plan at every change of settings or state, and are disabled while the job is busy.
class JobForm : public QWidget {
  Q_OBJECT
 public:
  JobForm(JobSession& job, QWidget* parent);

  struct NumberRow {
    QString title, help;
    double low = 0, high = 0;
    QString suffix = {};
    QString at_lowest = {};  // text shown instead of the lowest number
    int decimals = 0;
    double step = 1;
  };
  QDoubleSpinBox* add_number(const NumberRow& row, std::function<double()> get, std::function<void(double)> set);
  struct ListItem {
    QString text;
    QVariant value;
    QString help = {};
  };
  QComboBox* add_list(const QString& title, const QString& help, const std::vector<ListItem>& items,
                      std::function<QVariant()> get, std::function<void(const QVariant&)> set);
  struct TextRow {
    QString title, help, placeholder;
  };
  void add_text(const TextRow& row, std::function<QString()> get, std::function<void(const QString&)> set);
  void add_check(const QString& text, std::function<bool()> get, std::function<void(bool)> set);
  // A file name with a button that opens a dialog. Returns the row, which is enabled in any state.
  QWidget* add_file(const QString& title, QLineEdit* line, const QString& button_help, std::function<void()> choose);
  QLabel* add_note();
  // Begins a section under a button with this title, folded at first: rows added from now on belong to it.
  void fold(const QString& title);
  void show_row(QWidget* field, bool shown);
  void disable_while_busy(QWidget* field) { fields_.push_back(field); }
  // At every change of settings or state, after the fields have been filled and enabled.
  void at_refresh(std::function<void()> refresh) { refreshes_.push_back(std::move(refresh)); }
  void refresh();

 private:
  void add_row(const QString& title, QWidget* field, const QString& help);
  JobSession& job_;
  QVBoxLayout* column_;
  QFormLayout* rows_;
  std::vector<std::function<void()>> shows_, refreshes_;
  std::vector<QWidget*> fields_;
};

}  // namespace tl::ui
