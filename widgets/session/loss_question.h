// The question before data of the user are lost.
#pragma once

#include <QString>

class QWidget;

namespace tl::ui {

struct LossQuestion {
  QString title;
  QString text;        // what is about to happen
  QString lost;        // what would be lost
  QString button;      // that lets it happen
  QString other = {};  // a button that continues without the loss; empty: there is none
};
enum class LossAnswer { stay, other, go };

LossAnswer ask_about_loss(QWidget* parent, const LossQuestion& question);
// True if the user lets it happen. Staying is the default, for Enter and for Escape.
bool confirm_loss(QWidget* parent, const LossQuestion& question);

}  // namespace tl::ui
