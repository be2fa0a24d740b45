// Keys of views act where the mouse is, and say what they mean while labels are painted.
#include <QLabel>
#include <QLineEdit>

#include "tests/support/gui/painting.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/views/panes/view_bar.h"

namespace tl::ui::view_keys_test {
namespace {

using test::Painting;

void move_over(Painting& p, QWidget& widget) {
  const QPoint middle = widget.rect().center();
  for (const QPoint& by : {QPoint(-20, 0), QPoint(-10, 0), QPoint()}) p.user->point_at(widget, middle + by);
}

bool has_bar(const SlicePane& pane) { return pane.findChild<ViewBar*>()->isVisible(); }

QString mode_of(const SlicePane& pane) {
  for (const QLabel* label : pane.findChildren<QLabel*>())
    if (label->isVisible() && label->text().startsWith("Painting")) return label->text();
  return {};
}

}  // namespace

class ViewKeysTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void keys_act_where_the_tool_bar_is() {
    Painting p;
    QVERIFY(p.begin());
    p.slice(0).setFocus();
    move_over(p, p.slice(1));
    QTRY_VERIFY(p.slice(1).hasFocus());
    QTRY_VERIFY(has_bar(p.slice(1)) && !has_bar(p.slice(0)));
    p.user->key(Qt::Key_L);
    QVERIFY(p.slice(1).tool() == MeasureKind::profile && !p.slice(0).tool());
    QVERIFY(&p.views->active_cell() == &p.views->cell(1));
    p.user->key(Qt::Key_Escape);
    test::keep_picture(p.window, "keys_where_the_bar_is");
    // The mouse rests, the keyboard goes on: the bar goes with it.
    p.slice(0).setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(has_bar(p.slice(0)) && !has_bar(p.slice(1)));
    // From the canvas and back.
    p.window.workspaces().show(Workspace::weave);
    CanvasView& canvas = p.window.canvas().view();
    QTRY_VERIFY(canvas.isVisible());
    canvas.setFocus();
    move_over(p, p.slice(0));
    QTRY_VERIFY(p.slice(0).hasFocus());
    move_over(p, *canvas.viewport());
    QTRY_VERIFY(canvas.hasFocus());
    // From the outline, where a node was chosen, and back.
    auto* outline = p.window.findChild<OutlineView*>();
    QVERIFY(outline != nullptr);
    outline->setFocus();
    move_over(p, p.slice(0));
    QTRY_VERIFY(p.slice(0).hasFocus());
    move_over(p, *outline->viewport());
    QTRY_VERIFY(outline->hasFocus());
    // What is typed into keeps the keyboard.
    QLineEdit field(&p.window);
    field.show();
    field.setFocus();
    move_over(p, p.slice(0));
    QVERIFY(field.hasFocus());
  }

  void painting_is_a_mode_that_is_said() {
    Painting p;
    QVERIFY(p.begin());
    move_over(p, p.slice(0));
    QVERIFY(mode_of(p.slice(0)).isEmpty());
    const auto tip_of = [&](const QString& name) {
      for (const auto* b : p.slice(0).findChild<ViewBar*>()->findChildren<QAbstractButton*>())
        if (b->accessibleName() == name) return b->toolTip();
      return QString();
    };
    QCOMPARE(tip_of("Line profile"), QString("Line profile (L)"));
    p.take(p.slice(0), "Brush on this slice");
    QVERIFY2(mode_of(p.slice(0)).contains("Esc ends it"), qPrintable(mode_of(p.slice(0))));
    QVERIFY(!mode_of(p.slice(1)).isEmpty());
    QVERIFY2(tip_of("Line profile").contains("another meaning"), qPrintable(tip_of("Line profile")));
    QCOMPARE(tip_of("Distance"), QString("Distance (D)"));
    test::keep_picture(p.window, "painting_mode");
    // The key is that of the lasso; the button measures.
    p.user->key(Qt::Key_L);
    QVERIFY(p.painter().settings().tool == PaintTool::lasso && !p.slice(0).tool());
    p.user->press_in(p.slice(0), "Line profile");
    QVERIFY(!p.slice(0).paints());
    QVERIFY(p.slice(0).tool() == MeasureKind::profile);
    QVERIFY(mode_of(p.slice(0)).isEmpty() && mode_of(p.slice(1)).isEmpty());
    QCOMPARE(tip_of("Line profile"), QString("Line profile (L)"));
  }
};

TL_TEST_CASE(ViewKeysTest)

}  // namespace tl::ui::view_keys_test

#include "view_keys.moc"
