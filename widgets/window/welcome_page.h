// WelcomePage: the first page: open a scan, try the example, recent files, templates.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace tl::ui {

class Settings;

class WelcomePage final : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(Settings& settings, QWidget* parent = nullptr);
  void refresh();  // the recent files

 Q_SIGNALS:
  void open_wanted();
  void example_wanted();
  void new_wanted();
  void file_wanted(const QString& path);
  void template_wanted(const QString& name);

 private:
  void add_choices(QVBoxLayout& column);
  void add_templates(QVBoxLayout& column);
  Settings& settings_;
  QVBoxLayout* recent_;
};

}  // namespace tl::ui
