// Explain button: sends its own event to its parents in turn, because Qt does not propagate events of unknown
// types.
#include "widgets/theme/explain_button.h"

#include <QCoreApplication>
#include <QToolButton>
#include <utility>

namespace tl::ui {

ExplainEvent::ExplainEvent(QString words) : QEvent(kind()), words_(std::move(words)) { ignore(); }

QEvent::Type ExplainEvent::kind() {
  static const auto type = static_cast<Type>(QEvent::registerEventType());
  return type;
}

QToolButton* explain_button(const QString& words, const QString& what, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(QCoreApplication::translate("ExplainButton", "Explain"));
  button->setToolTip(QCoreApplication::translate("ExplainButton", "Explain %1: opens the guide").arg(what));
  button->setAccessibleName(QCoreApplication::translate("ExplainButton", "Explain %1").arg(what));
  button->setProperty("role", "fold");
  QObject::connect(button, &QToolButton::clicked, button, [button, words] {
    ExplainEvent event(words);
    for (QWidget* at = button->parentWidget(); at != nullptr && !event.isAccepted(); at = at->parentWidget())
      QCoreApplication::sendEvent(at, &event);
  });
  return button;
}

}  // namespace tl::ui
