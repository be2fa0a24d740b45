// Chip buttons: the small buttons below lists and plots.
#pragma once

#include <QBoxLayout>
#include <QString>
#include <QToolButton>

namespace tl::ui {

// Without a parent: a layout sets it. The tip is also the accessible name.
QToolButton* chip_button(const QString& text, const QString& tip);
// Adds a chip button to a row; a click calls `act`, as long as `receiver` exists.
template <class Act>
QToolButton* add_chip(QBoxLayout* row, QObject* receiver, const QString& text, const QString& tip, Act act) {
  QToolButton* button = chip_button(text, tip);
  QObject::connect(button, &QToolButton::clicked, receiver, act);
  row->addWidget(button);
  return button;
}

}  // namespace tl::ui
