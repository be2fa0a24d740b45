// Follows the mouse by an event filter.
#include "widgets/theme/keys_follow_mouse.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>
#include <optional>

namespace tl::ui {
namespace {

constexpr const char* follows_property = "keys_follow_mouse";

class MouseFollower final : public QObject {
 public:
  MouseFollower(QWidget& owner, QWidget& moved) : QObject(&moved), owner_(owner) {}

 private:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Leave) last_.reset();
    if (event->type() != QEvent::MouseMove) return false;
    const auto* move = static_cast<QMouseEvent*>(event);
    const QPointF now = move->globalPosition();
    // The first event may come from a window that opens under the mouse.
    const bool has_moved = last_ && *last_ != now;
    last_ = now;
    const QWidget* const has = QApplication::focusWidget();
    if (!has_moved || move->buttons() != Qt::NoButton || has == nullptr || has == &owner_) return false;
    if (has->property(follows_property).toBool() && has->window() == owner_.window())
      owner_.setFocus(Qt::MouseFocusReason);
    return false;
  }
  QWidget& owner_;
  std::optional<QPointF> last_;
};

}  // namespace

void let_keys_follow_mouse(QWidget& owner, QWidget& moved) {
  owner.setProperty(follows_property, true);
  moved.installEventFilter(new MouseFollower(owner, moved));
}

}  // namespace tl::ui
