// A simulated user of the export dialog: finds its formats, buttons and fields by name.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <functional>

#include "tests/support/gui/studio.h"
#include "widgets/export/export_dialog.h"

namespace tl::test {

// A studio whose export dialog is open.
struct Exporting {
  Studio studio;
  QPointer<ui::ExportDialog> dialog;

  [[nodiscard]] bool open(const std::function<void(ui::Document&)>& fill, const QString& node) {
    if (!studio.open()) return false;
    fill(studio.document);
    studio.window.show_main_page();
    studio.selection.set_one(node);
    return open_again();
  }
  [[nodiscard]] bool open_again() {
    if (!open_window(studio.window)) return false;
    QTest::keyClick(&studio.window, Qt::Key_E, Qt::ControlModifier);
    dialog = studio.window.findChild<ui::ExportDialog*>();
    return dialog != nullptr && open_window(*dialog);
  }
  template <class W>
  [[nodiscard]] W* named(const QString& name) const {
    for (W* w : dialog->findChildren<W*>())
      if (w->accessibleName() == name) return w;
    return nullptr;
  }
  [[nodiscard]] QAbstractButton* button(const QString& name) const {
    for (auto* b : dialog->findChildren<QAbstractButton*>())
      if (b->isVisible() && (b->accessibleName() == name || b->text() == name)) return b;
    return nullptr;
  }
  void press(const QString& name) const {
    QAbstractButton* const b = button(name);
    QVERIFY2(b != nullptr && b->isEnabled(), qPrintable(name));
    QTest::mouseClick(b, Qt::LeftButton, {}, QPoint(10, b->height() / 2));
  }
  [[nodiscard]] QListWidget& list() const { return *named<QListWidget>("Formats"); }
  [[nodiscard]] QListWidgetItem* item(const QString& id) const {
    for (int row = 0; row < list().count(); ++row)
      if (list().item(row)->data(Qt::UserRole).toString() == id) return list().item(row);
    return nullptr;
  }
  void choose(const QString& id) const {
    QListWidgetItem* const wanted = item(id);
    QVERIFY2(wanted != nullptr, qPrintable(id));
    list().scrollToItem(wanted);
    QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().visualItemRect(wanted).center());
    QCOMPARE(dialog->session().settings().format, id.toStdString());
  }
  void type(const QString& field, const QString& text) const {
    auto* line = named<QLineEdit>(field);
    QVERIFY2(line != nullptr, qPrintable(field));
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Tab);
  }
  [[nodiscard]] QString text(const QString& label) const { return named<QLabel>(label)->text(); }
  [[nodiscard]] QString file() const { return QString::fromStdString(dialog->session().settings().file); }
  [[nodiscard]] bool is_ready() const { return dialog->session().obstacle().isEmpty(); }
  void wait_until_ready() const {
    QTRY_VERIFY2_WITH_TIMEOUT(is_ready(), qPrintable(dialog->session().obstacle()), patience_ms);
  }
  void export_and_wait() const {
    wait_until_ready();
    press("Export");
    QTRY_VERIFY2_WITH_TIMEOUT(text("State of the export").startsWith("Wrote"), qPrintable(text("State of the export")),
                              patience_ms);
  }
  ~Exporting() { studio.document.undo_stack().setClean(); }
};

}  // namespace tl::test
