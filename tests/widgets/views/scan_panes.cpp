// ProjectionPane and SinogramPane: which views, flats, darks and rows they ask for.
#include "tests/support/gui/pane_on_screen.h"
#include "tests/support/test_case.h"
#include "widgets/views/panes/projection_pane.h"
#include "widgets/views/panes/sinogram_pane.h"

namespace tl::ui::views_scan_panes_test {

using test::OnScreen;
using test::wheel;

class ViewsScanPanesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void projections_flats_and_darks() {
    OnScreen<ProjectionPane> s;
    using Series = ProjectionPane::Series;
    QCOMPARE(s.pane.position_text(), QString("view 1 of 12"));
    wheel(s.pane, {200, 200}, 1);
    const ScanRegion expected{{1, 2}, {0, 6}, {0, 10}};
    QVERIFY(std::get<ScanRegion>(s.asked().back().region) == expected);
    QCOMPARE(s.asked().back().node, std::string("flat"));
    QCOMPARE(s.asked().back().frame, int64_t{-1});
    const QPointF pixel = s.pane.to_widget({3.5, 2.5});
    QVERIFY2(s.pane.value_text(pixel).startsWith("10203"), qPrintable(s.pane.value_text(pixel)));
    s.pane.setFocus();
    QTest::keyClick(&s.pane, Qt::Key_T);
    QVERIFY(s.asked().back().series == Series::flats);
    QCOMPARE(s.pane.position_text(), QString("flat field 1 of 3"));
    QVERIFY(s.state.levels(s.pane.levels_output()).has_value());
    QVERIFY(!(s.pane.levels_output() == s.pane.output()));
    QTest::keyClick(&s.pane, Qt::Key_End);
    QCOMPARE(s.asked().back().frame, int64_t{2});
    QCOMPARE(s.asked().back().node, std::string("scan"));  // the flat-field node uses them up
    QTest::keyClick(&s.pane, Qt::Key_T);
    QVERIFY(s.asked().back().series == Series::darks);
  }

  void the_sinogram_follows_the_crosshair() {
    OnScreen<SinogramPane> s;
    s.state.set_crosshair(s.source.grid().position(5, 4, 4));  // the highest slice is measured by the first row
    const ScanRegion expected{{0, 12}, {0, 1}, {0, 10}};
    QVERIFY(std::get<ScanRegion>(s.asked().back().region) == expected);
    QCOMPARE(s.pane.position_text(), QString("row 1 of 6"));
    QTest::keyClick(&s.pane, Qt::Key_Up);
    QCOMPARE(s.pane.position_text(), QString("row 2 of 6"));
    QCOMPARE(s.pane.picture()->image->rows, int64_t{12});
  }
};

TL_TEST_CASE(ViewsScanPanesTest)
}  // namespace tl::ui::views_scan_panes_test

#include "scan_panes.moc"
