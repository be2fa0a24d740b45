// Sweeps: images for several values of a parameter next to each other, of which one is taken.
#include <QComboBox>
#include <QPushButton>
#include <cmath>

#include "tests/support/gui/axis_studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/dialogs/sweep_dialog.h"
#include "widgets/theme/theme.h"

namespace tl::ui::sweeps_test {

using test::axis_pipeline;
using test::AxisStudio;
using test::patience_ms;

class SweepsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void a_sweep_shares_what_comes_before() {
    const Graph g = axis_pipeline("scan.nx", "geometry.set");
    const auto made = sweep_graph(g, Registry::all(), {"axis", {}}, {-1, 0, 1});
    QVERIFY(made.ok());
    QCOMPARE(made.value().graph.nodes.size(), std::size_t{3 + 3 * 2});
    QCOMPARE(made.value().ids.size(), std::size_t{3});
    QVERIFY(problems(made.value().graph, Registry::all()).empty());
    // A finder is replaced by a node that sets the value.
    const auto found = sweep_graph(axis_pipeline("scan.nx", "axis.wedge"), Registry::all(), {"axis", {}}, {2});
    QVERIFY(found.ok());
    QVERIFY(problems(found.value().graph, Registry::all()).empty());
    Graph none = g;
    none.nodes.erase("fbp");
    none.links.pop_back();
    QVERIFY(!sweep_graph(none, Registry::all(), {"axis", {}}, {0}).ok());
  }

  void a_sweep_finds_the_axis() {
    AxisStudio studio("axis.wedge");
    QVERIFY(studio.begin());
    studio.selection.set_one("axis");
    AxisDialog& dialog = studio.tools().open_axis(AxisDialog::Page::sweep);
    SweepView& sweep = dialog.sweep();
    sweep.sweep({"axis", {}}, studio.discs.axis - 2, 2);
    QTRY_VERIFY_WITH_TIMEOUT(sweep.best() >= 0, patience_ms);
    test::keep_picture(dialog, "axis_sweep");
    QVERIFY(std::abs(sweep.value(sweep.best()) - studio.discs.axis) < 1e-9);
    // One to the right of the middle; a click takes its value, Accept puts it behind the finder.
    const QPoint tile(sweep.width() * 5 / 6, sweep.height() / 2);
    QTest::mouseClick(&sweep, Qt::LeftButton, {}, tile);
    QCOMPARE(dialog.findChild<AxisOverlay*>()->axis(), studio.discs.axis);
    for (QPushButton* b : dialog.findChildren<QPushButton*>())
      if (b->text() == "Accept") QTest::mouseClick(b, Qt::LeftButton);
    const auto& nodes = studio.document.graph().nodes;
    QCOMPARE(nodes.size(), std::size_t{6});
    QVERIFY(nodes.at("axis").use == NodeUse::bypassed);
    QVERIFY(studio.keep());
  }

  void any_number_can_be_swept() {
    AxisStudio studio;
    QVERIFY(studio.begin());
    studio.selection.set_one("fbp");
    studio.window.inspector().sweep("cutoff");
    auto* dialog = studio.window.findChild<SweepDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    SweepView& view = dialog->view();
    QTRY_VERIFY_WITH_TIMEOUT(view.is_complete(), patience_ms);
    test::keep_picture(*dialog, "sweep_cutoff");
    QCOMPARE(view.best(), -1);  // no score says which cutoff is right
    // The range ends at 1: the values end there too.
    QVERIFY(view.value(SweepView::tiles - 1) <= 1 + 1e-9 && view.value(0) > 0);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {view.width() / 6, view.height() / 6});
    const auto* taken = std::get_if<Number>(&studio.document.graph().nodes.at("fbp").params.at("cutoff"));
    QVERIFY(taken != nullptr && std::abs(taken->value - view.value(0)) < 1e-9 && taken->unit == Unit::nyquist);
    // Two numbers: three values of each; a click takes both, in one step that can be undone.
    auto* against = dialog->findChild<QComboBox*>();
    const int other = against->findText("axis", Qt::MatchContains);
    QVERIFY(other > 0);
    against->setFocus();
    for (int i = 0; i < other; ++i) QTest::keyClick(against, Qt::Key_Down);
    QCOMPARE(against->currentIndex(), other);
    QVERIFY(view.second(0).has_value());
    QCOMPARE(view.value(0), view.value(3));
    QCOMPARE(*view.second(0), *view.second(2));
    QVERIFY(*view.second(0) < *view.second(8) && view.value(0) < view.value(8));
    const Graph before = studio.document.graph();
    QTest::mouseClick(&view, Qt::LeftButton, {}, {view.width() * 5 / 6, view.height() * 5 / 6});
    QVERIFY(!(studio.document.graph() == before));
    studio.document.undo_stack().undo();
    QVERIFY(studio.document.graph() == before);
    against->setCurrentIndex(0);
    // Values that are not allowed are reported.
    view.sweep({"fbp", "cutoff", Unit::nyquist}, 1, 0.5);
    QVERIFY(!sweep_graph(studio.document.graph(), Registry::all(), {"fbp", "cutoff", Unit::nyquist}, {1.5}).ok());
    QVERIFY(studio.keep());
  }
};

TL_TEST_CASE(SweepsTest)

}  // namespace tl::ui::sweeps_test

#include "sweeps.moc"
