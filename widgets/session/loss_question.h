// The question before something of the user's is lost.
#pragma once

#include <QString>

class QWidget;

namespace tl::ui {

struct LossQuestion {
  QString title;
  QString text;    // what is about to happen
  QString lost;    // what would be lost by it
  QString button;  // that lets it happen
};

// True if the user lets it happen. Staying is the default, for Enter and for Escape.
bool confirm_loss(QWidget* parent, const LossQuestion& question);

}  // namespace tl::ui
