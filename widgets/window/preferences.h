// Preferences: a dialog for the user's settings. The look is applied at once; settings of the compute thread take
// effect at the next start, as the dialog says.
#pragma once

#include <QDialog>

#include "widgets/window/state/settings.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace tl::ui {

class Preferences final : public QDialog {
  Q_OBJECT
 public:
  Preferences(Settings& settings, QWidget* parent);

 Q_SIGNALS:
  void theme_wanted(const QString& name);

 private:
  void add_look(QVBoxLayout& column);
  void add_computing(QVBoxLayout& column);
  void add_folders(QVBoxLayout& column);
  void note_restart();
  Settings& settings_;
  Settings::Computing computing_;    // as shown
  const Settings::Computing begun_;  // as this session began with
  const int begun_scale_;
  const QString begun_language_;
  QLabel* restart_;
};

}  // namespace tl::ui
