// AboutDialog: what the program is, its version and those of its libraries, and where it computes.
#pragma once

#include <QDialog>

namespace tl::ui {

class AboutDialog final : public QDialog {
  Q_OBJECT
 public:
  AboutDialog(const QString& device, QWidget* parent);
};

}  // namespace tl::ui
