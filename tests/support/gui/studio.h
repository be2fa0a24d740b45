// A whole studio in a test: window, session and settings of its own, and a simulated user of it: drops, answers to
// questions, the list of messages.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/support/gui/window.h"
#include "widgets/window/files/autosave.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/main_window.h"
#include "widgets/window/state/settings.h"

namespace tl::test {

inline live::EngineOptions writing_into(const QTemporaryDir& folder) {
  live::EngineOptions options;
  options.output_dir = folder.path().toStdString();
  return options;
}

struct Studio {
  QTemporaryDir folder;
  ui::Document document;
  ui::LiveSession session{document, writing_into(folder)};
  ui::Selection selection;
  ui::Settings settings{folder.filePath(QStringLiteral("studio.ini"))};
  ui::MainWindow window{session, selection, settings};

  // A window that ends without being closed leaves its autosaved copy, which the next window would offer.
  ~Studio() { window.findChild<ui::Autosave*>()->discard(); }
  [[nodiscard]] bool open() { return open_window(window); }
  [[nodiscard]] bool open_example() {
    if (!open()) return false;
    press(QStringLiteral("Try the example"));
    return !document.graph().nodes.empty();
  }
  // Sets the size of the scan that the example simulates.
  void make_small(int64_t views, int64_t rows, int64_t cols) {
    document.edit(QStringLiteral("Smaller"), [&](Graph& g) {
      auto& params = g.nodes["simulate"].params;
      params["views"] = views;
      params["rows"] = rows;
      params["cols"] = cols;
    });
  }
  // Clicks the visible button with that name.
  bool press(const QString& name) {
    for (QAbstractButton* b : window.findChildren<QAbstractButton*>()) {
      if (!b->isVisible() || (b->accessibleName() != name && b->text().remove('&') != name)) continue;
      QTest::mouseClick(b, Qt::LeftButton);
      return true;
    }
    return false;
  }
  // Drops files onto a widget; false if it does not accept them.
  static bool drop_on(QWidget& widget, const QString& path) { return drop_on(widget, QStringList{path}); }
  static bool drop_on(QWidget& widget, const QStringList& paths) {
    const QPoint at = widget.rect().center();
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    QMimeData mime;
    mime.setUrls(urls);
    QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
    return true;
  }
  void drop(const QString& path) { QVERIFY(drop_on(window, path)); }
  [[nodiscard]] bool has_message(const QString& words) {
    const ui::MessageModel& all = window.messages();
    for (int row = 0; row < all.rowCount(); ++row)
      if (all.at(row).text.contains(words)) return true;
    return false;
  }
};

// Presses a button of the next message box.
inline void answer(const QString& button) {
  QTimer::singleShot(0, qApp, [button] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    for (QAbstractButton* b : box->buttons())
      if (b->text().remove('&') == button) QTest::mouseClick(b, Qt::LeftButton);
  });
}

}  // namespace tl::test
