// A pane of a view on the screen with its own source and state, and wheel and drag events for it.
#pragma once

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "widgets/views/state/view_state.h"

namespace tl::test {

inline constexpr QSize pane_size(500, 400);

// A pane on the screen, with its own source and state.
template <class Pane>
struct OnScreen {
  template <class... More>
  explicit OnScreen(More... more) : state(source), pane(source, state, "pane", more...) {
    start();
  }
  void start() {
    state.set_crosshair(source.grid().centre);
    pane.resize(pane_size);
    opened = open_window(pane);
  }
  [[nodiscard]] const std::vector<live::PictureRequest>& asked() { return source.asked["pane"]; }
  [[nodiscard]] VolumeGrid last_grid() { return std::get<VolumeGrid>(asked().back().region); }
  FakePictures source;
  ui::ViewState state;
  Pane pane;
  bool opened = false;
};
inline void wheel(QWidget& widget, QPointF at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(&widget, &event);
}
inline void drag(QWidget& widget, Qt::MouseButton button, QPoint from, QPoint to,
                 Qt::KeyboardModifiers modifiers = {}) {
  QTest::mousePress(&widget, button, modifiers, from);
  for (int i = 1; i <= 4; ++i) {
    const QPointF at = from + (to - from) * (i / 4.0);
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, button, modifiers);
    QApplication::sendEvent(&widget, &move);
  }
  QTest::mouseRelease(&widget, button, modifiers, to);
}

}  // namespace tl::test
