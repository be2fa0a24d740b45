// A studio in which a test uses one page of the learning dock: fills fields, presses buttons, reads texts.
#pragma once

#include <QAbstractSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "tests/support/gui/studio.h"

namespace tl::test {

struct PageStudio : Studio {
  [[nodiscard]] virtual QScrollArea& page() = 0;
  virtual ~PageStudio() = default;

  [[nodiscard]] QString file(const char* name) const { return folder.filePath(QLatin1String(name)); }
  // In the workspace Learn, with the node "network" selected.
  [[nodiscard]] bool show(const Graph& graph) {
    window.resize(1440, 900);
    if (!open()) return false;
    document.reset(graph);
    window.show_main_page();
    window.workspaces().show(ui::Workspace::learn);
    selection.set_one(QStringLiteral("network"));
    return true;
  }
  template <class Widget>
  [[nodiscard]] Widget* field(const char* name) {
    for (Widget* w : page().findChildren<Widget*>())
      if (w->accessibleName() == QLatin1String(name)) return w;
    return nullptr;
  }
  void type(const char* name, double number) {
    auto* box = field<QAbstractSpinBox>(name);
    QVERIFY2(box != nullptr, name);
    page().ensureWidgetVisible(box);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(number, 'g', 12));
    QTest::keyClick(box, Qt::Key_Return);
  }
  [[nodiscard]] QPushButton* button(const QString& text) {
    for (QPushButton* b : page().findChildren<QPushButton*>())
      if (b->text() == text && b->isVisible()) return b;
    return nullptr;
  }
  // `then`: the button to press in the message box that opens; empty: none opens.
  [[nodiscard]] bool press(const QString& text, const QString& then = {}) {
    QPushButton* b = button(text);
    if (b == nullptr || !b->isEnabled()) return false;
    page().ensureWidgetVisible(b);
    QCoreApplication::processEvents();
    if (!then.isEmpty()) answer(then);
    QTest::mouseClick(b, Qt::LeftButton);
    return true;
  }
  [[nodiscard]] bool says(const QString& words) {
    for (const QLabel* label : page().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
  // The file in the node "network".
  [[nodiscard]] std::string model() {
    const auto& params = document.graph().nodes.at("network").params;
    const auto set = params.find("model");
    return set == params.end() ? std::string() : std::get<std::string>(set->second);
  }
};

}  // namespace tl::test
