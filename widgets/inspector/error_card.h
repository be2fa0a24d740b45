// ErrorCard: shows a node's error and its hint.
#pragma once

#include <QFrame>

#include "core/base/error.h"

class QLabel;

namespace tl::ui {

class ErrorCard final : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorCard(QWidget* parent);
  void show_error(const Error& error);

 Q_SIGNALS:
  void pressed();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  QLabel *what_, *where_, *hint_;
};

}  // namespace tl::ui
