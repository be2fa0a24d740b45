// The automatic grey window: one rule for all panes and arrangements, steady while a slider moves, and that of the
// graph as it is after an undo.
#include <QLineEdit>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/panes/compare_pane.h"
#include "widgets/views/pictures/window_text.h"
#include "widgets/views/state/automatic_window.h"
#include "widgets/views/views_area.h"

namespace tl::ui::views_window_test {

class ViewsWindowTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_window_is_the_same_in_all_panes_data();
  void the_window_is_the_same_in_all_panes();
  void a_coarse_image_does_not_set_the_window();
  void the_window_stays_while_a_slider_moves_and_comes_back_with_undo();
  void another_pipeline_starts_from_its_own_window();
  void another_value_next_to_it_does_not_set_it();
  void views_a_quarter_turn_apart_set_the_window_of_a_scan();
  void fields_of_the_window_belong_to_the_compared_picture();
};

namespace {

const Output volume{QStringLiteral("fbp"), QStringLiteral("volume")};

// The values grow along z, so that no two slices are the same.
struct Views {
  explicit Views(const std::array<PaneKind, ViewsArea::cells>& kinds) {
    source.set_grid(VolumeGrid::cubic(20, 30, 40, 0.5));
    source.graph_.nodes["fbp"].params["filter"] = std::string("ramp");
    source.value = [this](Vec3 p) { return static_cast<float>(gain * (p.x + 10 * p.y) + 100 * p.z); };
    source.answers = false;
    area.resize(900, 600);
    for (std::size_t i = 0; i < ViewsArea::cells; ++i) area.cell(i).set_kind(kinds[i]);
    source.answers = true;
    area.state().set_crosshair(source.grid().position(3, 4, 5));
    opened = test::open_window(area);
  }
  [[nodiscard]] std::optional<picture::Levels> levels() { return area.state().levels(volume); }
  // As a slider does: the graph changes, and the panes get new images.
  void move_slider(double to) {
    gain = to;
    source.graph_.nodes["fbp"].params["filter"] = std::to_string(to);
    Q_EMIT source.graph_changed();
    for (std::size_t i = 0; i < ViewsArea::cells; ++i)
      if (ImagePane* pane = area.cell(i).image_pane()) pane->refresh();
  }
  double gain = 1;
  test::FakePictures source;
  ViewsArea area{source};
  bool opened = false;
};

picture::Levels of_middle_slice(const test::FakePictures& source) {
  live::PictureRequest request;
  request.region = source.grid().slab({10, 11});
  return picture::percentile_levels(*source.answer(request).image, picture::clipped_percent);
}

}  // namespace

void ViewsWindowTest::the_window_is_the_same_in_all_panes_data() {
  QTest::addColumn<int>("kind");
  for (const PaneKind kind : {PaneKind::xy, PaneKind::xz, PaneKind::yz, PaneKind::oblique, PaneKind::volume})
    QTest::newRow(qPrintable(pane_kind_name(kind))) << static_cast<int>(kind);
}
void ViewsWindowTest::the_window_is_the_same_in_all_panes() {
  QFETCH(int, kind);
  const auto first = static_cast<PaneKind>(kind);
  Views v({first, PaneKind::sinogram, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  QTRY_VERIFY(v.levels() == of_middle_slice(v.source));
  QVERIFY(v.area.state().levels_mode(volume) == LevelsMode::automatic);
  // Neither another slice nor another part of it has another window.
  if (ImagePane* pane = v.area.cell(0).image_pane()) {
    pane->zoom_by(8);
    pane->step(2);
    pane->automatic_levels();
    QVERIFY(v.levels() == of_middle_slice(v.source));
  }
}

void ViewsWindowTest::a_coarse_image_does_not_set_the_window() {
  Views v({PaneKind::xy, PaneKind::sinogram, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  const auto before = v.levels();
  v.source.answers = false;
  ImagePane& pane = *v.area.cell(0).image_pane();
  pane.refresh();
  Q_EMIT v.source.picture_ready(pane.view(), v.source.answer(v.source.asked[pane.view()].back(), 4));
  QCOMPARE(pane.picture()->level, int64_t{4});
  QVERIFY(v.levels() == before);
}

void ViewsWindowTest::the_window_stays_while_a_slider_moves_and_comes_back_with_undo() {
  Views v({PaneKind::xy, PaneKind::xz, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  const auto before = v.levels();
  QVERIFY(before == of_middle_slice(v.source));
  for (const double value : {2, 3, 4}) {
    v.move_slider(value);
    QVERIFY(v.levels() == before);
  }
  QTRY_VERIFY(v.levels() == of_middle_slice(v.source));
  QVERIFY(v.levels() != before);
  v.move_slider(1);  // undo
  QTRY_VERIFY(v.levels() == before);
  // A window that the user has set is the user's.
  v.area.state().set_levels(volume, {-5, 5}, LevelsMode::manual);
  v.move_slider(2);
  v.area.cell(0).image_pane()->automatic_levels();
  QTRY_VERIFY(v.levels() == of_middle_slice(v.source));
  QVERIFY(v.area.state().levels_mode(volume) == LevelsMode::automatic);
}

void ViewsWindowTest::another_pipeline_starts_from_its_own_window() {
  Views v({PaneKind::xy, PaneKind::sinogram, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  v.area.state().set_levels(volume, {-5, 5}, LevelsMode::manual);
  v.area.state().restart();
  QVERIFY(!v.levels());
  v.area.cell(0).image_pane()->refresh();
  QVERIFY(v.levels() == of_middle_slice(v.source));
}

// Before: in Compare the image of another value set the window of the pipeline's own result, in every workspace.
void ViewsWindowTest::another_value_next_to_it_does_not_set_it() {
  Views v({PaneKind::xy, PaneKind::sinogram, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  test::FakePictures other;
  other.set_grid(v.source.grid());
  other.value = [](Vec3) { return 5000.0F; };
  ComparePane second(other, v.area.state(), QStringLiteral("compare.b"), QStringLiteral("B"));
  second.set_needed_by_partner();
  second.set_outputs(volume, volume);
  QVERIFY(test::open_window(second));
  v.area.state().restart();
  second.refresh();
  QVERIFY(second.picture() && second.picture()->final);
  QVERIFY(!v.levels());
  v.area.cell(0).image_pane()->refresh();
  QVERIFY(v.levels() == of_middle_slice(v.source));
  other.node_status.state = live::State::stale;
  Q_EMIT other.status_changed(QStringLiteral("fbp"));
  second.refresh();
  QVERIFY(v.levels() == of_middle_slice(v.source));
}

// Before: the middle view alone; where a long object lies across the beam, half of the other views were white.
void ViewsWindowTest::views_a_quarter_turn_apart_set_the_window_of_a_scan() {
  Views v({PaneKind::xy, PaneKind::xz, PaneKind::yz, PaneKind::oblique});
  QVERIFY(v.opened);
  ProjectionsInfo scan;
  scan.geometry = ScanGeometry::parallel(equidistant_angles(12, pi), {20, 10, 0.5, 0.5}).value();
  v.source.infos["scan.projections"] = scan;
  const Output projections{QStringLiteral("scan"), QStringLiteral("projections")};
  const auto references = window_references(v.source, projections);
  QCOMPARE(references.size(), std::size_t{2});
  QVERIFY(std::get<ScanRegion>(references[0].region).views == (Range{6, 7}));  // 90 degrees
  QVERIFY(std::get<ScanRegion>(references[1].region).views == (Range{0, 1}));
  v.area.state().automatic_window().choose(projections);
  const auto of = [&](const live::PictureRequest& one) {
    return picture::percentile_levels(*v.source.answer(one).image, picture::clipped_percent);
  };
  const auto levels = v.area.state().levels(projections);
  QVERIFY(levels.has_value());
  QCOMPARE(levels->low, of(references[1]).low);
  QCOMPARE(levels->high, of(references[0]).high);
  QVERIFY(of(references[0]).high != of(references[1]).high);
}

// Before: a difference, whose window nobody sets, had the fields and the handles of the first result.
void ViewsWindowTest::fields_of_the_window_belong_to_the_compared_picture() {
  Views v({PaneKind::xy, PaneKind::sinogram, PaneKind::sinogram, PaneKind::sinogram});
  QVERIFY(v.opened);
  v.area.set_layout(ViewsLayout::compare);
  CompareArea& compare = *v.area.compare_area();
  compare.compare_outputs(volume, volume);
  HistogramPanel panel(v.area);
  QVERIFY(test::open_window(panel));
  const QLineEdit* low = nullptr;
  for (const QLineEdit* line : panel.findChildren<QLineEdit*>())
    if (line->accessibleName() == QLatin1String("Lower limit of the window")) low = line;
  QVERIFY(low != nullptr);
  const auto of_result = [&] { return v.levels() ? window_texts(*v.levels()).first : QString(); };
  QTRY_VERIFY(low->isEnabled() && !of_result().isEmpty() && low->text() == of_result());
  compare.set_mode(CompareMode::difference);
  QTRY_VERIFY(!low->isEnabled() && low->text() != of_result());
  compare.set_mode(CompareMode::side_by_side);
  QTRY_VERIFY(low->isEnabled() && low->text() == of_result());
  // The one of the two that has the focus.
  QVERIFY(v.area.active_pane() == &compare.left());
  QFocusEvent focus(QEvent::FocusIn);
  QCoreApplication::sendEvent(&compare.right(), &focus);
  QVERIFY(v.area.active_pane() == &compare.right());
  compare.set_mode(CompareMode::swipe);
  QVERIFY(v.area.active_pane() == &compare.left());
}

TL_TEST_CASE(ViewsWindowTest)

}  // namespace tl::ui::views_window_test

#include "grey_window.moc"
