// AboutDialog: description and version of the program, versions of its libraries, and the devices on which it computes.
#pragma once

#include <QDialog>

namespace tl::ui {

class AboutDialog final : public QDialog {
  Q_OBJECT
 public:
  AboutDialog(const QString& device, QWidget* parent);
};

}  // namespace tl::ui
