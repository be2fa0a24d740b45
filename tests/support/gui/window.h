// Opens a window for a test as for a user: shown, exposed and active. Xvfb has no window manager that would activate
// it.
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTimer>
#include <QWidget>
#include <QtTest/QtTest>
#include <functional>

#include "tests/support/patience.h"

namespace tl::test {

// False (with the test's failure already reported) when the window never came up.
inline bool open_window(QWidget& window) {
  window.show();
  if (!QTest::qWaitForWindowExposed(&window, patience_ms)) return false;
  window.raise();
  window.activateWindow();
  return QTest::qWaitForWindowActive(&window, patience_ms);
}

// Handles everything in the event queue: events, timers without delay, and the painting that these request.
inline void handle_queued_events() {
  for (int round = 0; round < 2; ++round) {
    bool is_handled = false;
    QTimer::singleShot(0, qApp, [&is_handled] { is_handled = true; });
    QTRY_VERIFY(is_handled);
  }
}

// Performs an action that opens a file dialog of the window, types the path into it, and confirms until it has closed:
// the dialog lists its folder in its own thread, and accepts a file only when it has found it. Not selectFile(): that
// does not change the line once it has the focus. Then activates the window again, which nobody else would do. False if
// no dialog appeared. Needs Qt's own dialogs (Qt::AA_DontUseNativeDialogs).
inline bool answer_file_dialog(QWidget& window, const QString& path, const std::function<void()>& open) {
  bool was_seen = false, is_closed = false;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    auto* modal = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    auto* files = qobject_cast<QFileDialog*>(modal);
    was_seen = was_seen || files != nullptr;
    is_closed = was_seen && modal == nullptr;
    if (!was_seen || is_closed) return;
    // Otherwise it is the dialog's own message box: the file does not exist.
    if (files != nullptr) files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
    modal->accept();
  });
  timer.start(30);
  open();
  return QTest::qWaitFor([&] { return is_closed; }, patience_ms) && open_window(window);
}

// Which widget has the keyboard focus, for the message of a test whose keys had no effect.
inline QString keyboard_state() {
  const auto name = [](const QWidget* w) {
    return w == nullptr ? QStringLiteral("none") : QLatin1String(w->metaObject()->className()) + w->windowTitle();
  };
  return QStringLiteral("active window %1, focus %2, popup %3, modal %4")
      .arg(name(QApplication::activeWindow()), name(QApplication::focusWidget()),
           name(QApplication::activePopupWidget()), name(QApplication::activeModalWidget()));
}

// Saves an image of the widget for inspection, if TL_PICTURES names a folder; after `settle_ms`, when slices and
// thumbnails have been painted. Without the folder it does not wait: no test depends on it.
inline void keep_picture(QWidget& widget, const QString& name, int settle_ms = 500) {
  const QString folder = qEnvironmentVariable("TL_PICTURES");
  if (folder.isEmpty()) return;
  QTest::qWait(settle_ms);
  widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

}  // namespace tl::test
