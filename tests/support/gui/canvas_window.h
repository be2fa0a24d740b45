// A canvas in a window of its own for tests, and a simulated user of it: clicks, drags and keys at cards and
// ports.
#pragma once

#include <QSettings>
#include <QSignalSpy>

#include "tests/support/gui/window.h"
#include "widgets/canvas/canvas.h"

namespace tl::test {

// load_scan -> flat_field -> fbp -> save_volume.
inline Graph volume_chain() {
  Graph g;
  for (const char* type : {"input.load_scan", "correct.flat_field", "recon.fbp", "output.save_volume"})
    (void)edit::add_node(g, Registry::all(), type);
  g.links = {{"load_scan", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "fbp", "projections"},
             {"fbp", "volume", "save_volume", "volume"}};
  return g;
}

class CanvasWindow {
 public:
  explicit CanvasWindow(const QSize& size = {1200, 700}) : session(document), canvas(session, selection) {
    QSettings().clear();
    canvas.resize(size);
  }
  bool open() { return open_window(canvas); }

  [[nodiscard]] QWidget* viewport() { return canvas.view().viewport(); }
  [[nodiscard]] QPoint on_view(const QPointF& scene) { return canvas.view().mapFromScene(scene); }
  [[nodiscard]] QPoint card(const QString& node) {
    const ui::NodeItem* item = canvas.scene().node(node);
    return on_view(item->mapToScene(item->card().title_area().center()));
  }
  [[nodiscard]] QPoint port(const QString& node, const QString& name, ui::Side side) {
    const ui::NodeItem* item = canvas.scene().node(node);
    return on_view(item->port_at_scene(*item->card().port(name, side)));
  }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(viewport(), Qt::LeftButton, keys, from);
    for (int i = 1; i <= 4; ++i) QTest::mouseMove(viewport(), from + (to - from) * i / 4);
    QTest::mouseRelease(viewport(), Qt::LeftButton, keys, to);
  }
  void key(int key, Qt::KeyboardModifiers keys = {}) {
    QTest::keyClick(canvas.view().viewport(), static_cast<Qt::Key>(key), keys);
  }
  [[nodiscard]] QLineEdit* palette_line() { return canvas.palette_popup().findChild<QLineEdit*>(); }
  [[nodiscard]] QListView* palette_list() { return canvas.palette_popup().findChild<QListView*>(); }
  [[nodiscard]] QStringList offered() {
    QStringList titles;
    for (int i = 0; i < palette_list()->model()->rowCount(); ++i)
      titles << palette_list()->model()->index(i, 0).data().toString();
    return titles;
  }
  // Chooses a line of the open palette using only the mouse; false if it is not offered.
  bool click_in_palette(const QString& title) {
    const auto row = offered().indexOf(title);
    if (!canvas.palette_popup().isVisible() || row < 0) return false;
    const QModelIndex index = palette_list()->model()->index(static_cast<int>(row), 0);
    palette_list()->scrollTo(index);
    QTest::mouseClick(palette_list()->viewport(), Qt::LeftButton, {}, palette_list()->visualRect(index).center());
    return !canvas.palette_popup().isVisible();
  }
  // Chooses with the keyboard alone.
  bool type_in_palette(const QString& text) {
    if (!canvas.palette_popup().isVisible()) return false;
    QTest::keyClicks(palette_line(), text);
    QTest::keyClick(palette_line(), Qt::Key_Return);
    return !canvas.palette_popup().isVisible();
  }

  ui::Document document;
  ui::LiveSession session;
  ui::Selection selection;
  ui::Canvas canvas;
};

}  // namespace tl::test
