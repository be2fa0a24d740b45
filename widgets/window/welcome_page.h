// WelcomePage: the first page: open a scan, try the example, recent files, templates.
#pragma once

#include <QWidget>

class QFrame;
class QLabel;
class QVBoxLayout;

namespace tl::ui {

class Settings;

class WelcomePage final : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(Settings& settings, QWidget* parent = nullptr);
  void refresh();  // the recent files
  // Offers the unsaved pipeline of a session that ended abnormally; an empty name withdraws the offer.
  void offer_recovery(const QString& file);

 Q_SIGNALS:
  void open_wanted();
  void example_wanted();
  void new_wanted();
  void file_wanted(const QString& path);
  void template_wanted(const QString& name);
  void recovery_wanted();
  void recovery_refused();

 private:
  void add_choices(QVBoxLayout& column);
  void add_templates(QVBoxLayout& column);
  void add_recovery(QVBoxLayout& column);
  Settings& settings_;
  QVBoxLayout* recent_;
  QFrame* recovery_ = nullptr;
  QLabel* recovery_text_ = nullptr;
};

}  // namespace tl::ui
