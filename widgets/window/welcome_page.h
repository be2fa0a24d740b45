// WelcomePage: the first page: open a scan, try the example, recent files, earlier runs, templates.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/window/files/window_records.h"

class QFrame;
class QVBoxLayout;

namespace tl::ui {

class Settings;

class WelcomePage final : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(Settings& settings, QWidget* parent = nullptr);
  void refresh();  // the recent files
  // Offers the unsaved copies of windows that ended abnormally; an empty list hides the offer.
  void offer_recovery(const std::vector<WindowRecord>& copies);

 Q_SIGNALS:
  void open_wanted();
  void example_wanted();
  void new_wanted();
  void file_wanted(const QString& path);
  void template_wanted(const QString& name);
  void runs_wanted();  // the queue and the history
  void recovery_wanted(const tl::ui::WindowRecord& gone);
  void recovery_refused(const tl::ui::WindowRecord& gone);

 private:
  void add_choices(QVBoxLayout& column);
  void add_templates(QVBoxLayout& column);
  void add_recovery(QVBoxLayout& column);
  [[nodiscard]] QWidget* recovery_row(const WindowRecord& gone);
  Settings& settings_;
  QVBoxLayout* recent_;
  QFrame* recovery_ = nullptr;
  QVBoxLayout* recovery_rows_ = nullptr;
};

}  // namespace tl::ui
