// Asks before data of the user are lost, in the same way everywhere.
#include "widgets/session/loss_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace tl::ui {

LossAnswer ask_about_loss(QWidget* parent, const LossQuestion& question) {
  QMessageBox box(QMessageBox::NoIcon, question.title, question.text, QMessageBox::NoButton, parent);
  box.setTextFormat(Qt::PlainText);  // may quote names of files
  box.setInformativeText(question.lost);
  auto* stay = box.addButton(QCoreApplication::translate("LossQuestion", "Stay"), QMessageBox::RejectRole);
  QPushButton* leave = box.addButton(question.button, QMessageBox::DestructiveRole);
  QPushButton* other = question.other.isEmpty() ? nullptr : box.addButton(question.other, QMessageBox::AcceptRole);
  box.setDefaultButton(stay);
  box.setEscapeButton(stay);
  box.exec();
  if (box.clickedButton() == leave) return LossAnswer::go;
  return other != nullptr && box.clickedButton() == other ? LossAnswer::other : LossAnswer::stay;
}

bool confirm_loss(QWidget* parent, const LossQuestion& question) {
  return ask_about_loss(parent, question) == LossAnswer::go;
}

}  // namespace tl::ui
