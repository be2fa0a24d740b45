// What one sees of learning in a real window: every evaluation, the accepted steps, the landscape by itself, a plot per
// parameter, the steps of a run in the views.
#include <QSignalSpy>
#include <QSlider>
#include <algorithm>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/test_case.h"
#include "widgets/learning/landscape_panel.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/learning/step_slider.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/theme/theme.h"

namespace tl::ui::learning_shown_test {

class LearningShownTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void every_evaluation_is_a_point();
  void the_landscape_of_one_number_comes_by_itself();
  void the_steps_of_a_run_are_shown_in_the_views();
  void each_parameter_has_a_plot();
  void the_slope_is_of_the_landscape_after_accept_undo_and_redo();
};

namespace {

const PlotSeries* series_named(const PlotContent& content, const QString& name) {
  const auto found = std::find_if(content.series.begin(), content.series.end(),
                                  [&](const PlotSeries& series) { return series.name == name; });
  return found == content.series.end() ? nullptr : &*found;
}

}  // namespace

void LearningShownTest::every_evaluation_is_a_point() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(LearningState::ended));
  LearningPlots& plots = s.window.learning_panel().plots();
  const auto has_points = [&] { return series_named(plots.loss().content(), "evaluations") != nullptr; };
  QVERIFY(QTest::qWaitFor(has_points, patience_ms));
  std::size_t on_all_data = 0;
  for (const learn::Progress& p : s.window.learning().progress())
    for (const learn::Evaluated& e : p.evaluated) {
      const bool before_start =
          p.iteration == 0 && p.phase == learn::Progress::Phase::descent && &e != &p.evaluated.back();
      on_all_data += e.data == learn::Evaluated::Data::all && !before_start ? 1U : 0U;
    }
  for (const PlotPanel* plot : {&plots.loss(), &plots.parameter()}) {
    const PlotSeries* points = series_named(plot->content(), "evaluations");
    QVERIFY(points != nullptr);
    QCOMPARE(points->x.size(), on_all_data);
    QVERIFY(points->stroke == PlotStroke::points);
    const PlotSeries& line = plot->content().series.front();
    QVERIFY(line.stroke == PlotStroke::solid);
    QVERIFY(points->x.size() > line.x.size());  // trials that were not taken, and those of the uncertainty
    // Every accepted step was evaluated.
    for (const double y : line.y) QVERIFY(std::find(points->y.begin(), points->y.end(), y) != points->y.end());
  }
  // A few iterations are an axis that can be read.
  QVERIFY(plots.loss().range(PlotSide::x).size() >= 4);
}

void LearningShownTest::the_landscape_of_one_number_comes_by_itself() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  LearningPlots& plots = s.window.learning_panel().plots();
  QVERIFY(!plots.landscape().isVisible());
  QVERIFY(s.press("Learn"));
  QVERIFY(QTest::qWaitFor([&] { return plots.landscape().isVisible(); }, patience_ms));  // while it learns
  QVERIFY(s.reaches(LearningState::ended));
  QVERIFY(QTest::qWaitFor([&] { return s.window.learning().landscape().has_value(); }, patience_ms));
  const PlotSeries* curve = series_named(plots.landscape().content(), "landscape");
  QVERIFY(curve != nullptr);
  const auto least = std::min_element(curve->y.begin(), curve->y.end()) - curve->y.begin();
  QVERIFY(std::abs(curve->x[static_cast<std::size_t>(least)] - true_axis) < 0.5);
  QVERIFY(series_named(plots.landscape().content(), "iterations") != nullptr);
  QCOMPARE(plots.landscape().content().marks.size(), std::size_t{1});
  for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
    Theme::instance().set(theme);
    test::keep_picture(s.window, QStringLiteral("learning-seen-%1").arg(theme), 1500);
  }
  s.window.workspaces().show(Workspace::see);
  test::keep_picture(s.window, "learning-seen-dock", 1500);
}

void LearningShownTest::the_steps_of_a_run_are_shown_in_the_views() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(LearningState::ended));
  QSlider& slider = s.window.learning_panel().plots().steps().slider();
  QVERIFY(slider.isVisible());
  QCOMPARE(slider.value(), slider.maximum());
  const Graph before = s.document.graph();
  const int index = s.document.undo_stack().index();
  const auto axis_in_views = [&] {
    const Info* info = s.session.info("axis", "projections");
    return info == nullptr ? std::nan("") : std::get<ProjectionsInfo>(*info).geometry.orbit()->axis;
  };
  const double found = s.window.learning().end()->learned.found.front().value[0];
  QVERIFY(QTest::qWaitFor([&] { return std::abs(axis_in_views() - found) < 1e-6; }, patience_ms));
  QSignalSpy pictures(&s.session, &LiveSession::picture_ready);
  slider.setFocus();
  QTest::keyClick(&slider, Qt::Key_Home);
  const double first = s.window.learning().steps().front().values.front().value[0];
  QVERIFY(std::abs(first - found) > 0.5);
  QVERIFY(QTest::qWaitFor([&] { return std::abs(axis_in_views() - first) < 1e-6; }, patience_ms));
  QVERIFY(QTest::qWaitFor([&] { return !pictures.isEmpty(); }, patience_ms));
  QVERIFY2(s.window.learning_panel().plots().steps().text().startsWith("Step 0 of"),
           qPrintable(s.window.learning_panel().plots().steps().text()));
  QCOMPARE(s.window.learning_panel().plots().loss().content().marks.size(), std::size_t{1});
  test::keep_picture(s.window, "learning-scrubbed", 1500);
  QVERIFY(s.document.graph() == before);
  QCOMPARE(s.document.undo_stack().index(), index);
  QTest::keyClick(&slider, Qt::Key_End);
  QVERIFY(QTest::qWaitFor([&] { return std::abs(axis_in_views() - found) < 1e-6; }, patience_ms));
  QVERIFY(s.press("Accept"));
  QCOMPARE(s.axis(), found);
}

void LearningShownTest::each_parameter_has_a_plot() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  s.mark("tilt");
  LearningPlots& plots = s.window.learning_panel().plots();
  QCOMPARE(plots.parameters(), std::size_t{2});
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(LearningState::ended));
  const auto drawn = [&] { return plots.parameter(0).content().marks.size() == 1; };
  QVERIFY(QTest::qWaitFor(drawn, patience_ms));
  // Five of eight rows do not determine a tilt: its values are drawn, but no band of a number that is not known.
  const auto& found = s.window.learning().end()->learned.found;
  QCOMPARE(found.size(), std::size_t{2});
  QVERIFY(learn::is_determined(found[0].trust) && !learn::is_determined(found[1].trust));
  QVERIFY(!plots.parameter(1).content().series.empty());
  QVERIFY(plots.parameter(1).content().marks.empty());
  QCOMPARE(plots.parameter(0).content().y.title, QStringLiteral("Axis"));
  QCOMPARE(plots.parameter(1).content().y.title, QStringLiteral("Tilt"));
  QVERIFY(plots.parameter(0).isVisible() && plots.parameter(1).isVisible());
  test::keep_picture(s.window, "learning-two-parameters", 1500);
}

// The pipeline changes while slopes are computed: none may be drawn next to the landscape of other values.
void LearningShownTest::the_slope_is_of_the_landscape_after_accept_undo_and_redo() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(LearningState::ended));
  const double found = s.window.learning().end()->learned.found.front().value[0];
  QVERIFY(s.press("Accept"));
  s.window.learning_panel().open_landscape();
  LandscapePanel& panel = s.window.learning_panel().landscape();
  const auto content = [&] { return panel.plot().content(); };
  const auto centre_is = [&](double wanted) {
    const PlotSeries* curve = series_named(content(), "landscape");
    return curve != nullptr && curve->x.size() == 41 && std::abs(curve->x[20] - wanted) < 1e-6;
  };
  const auto sweep_at = [&](double wanted) {
    return s.press("Sweep") && QTest::qWaitFor([&] { return centre_is(wanted); }, patience_ms);
  };
  QVERIFY(sweep_at(found));
  s.document.undo_stack().undo();  // its slope is still computed
  QVERIFY(sweep_at(0));
  s.document.undo_stack().redo();
  QVERIFY(sweep_at(found));
  const auto has_slope = [&] { return series_named(content(), "gradient") != nullptr; };
  QVERIFY(QTest::qWaitFor(has_slope, patience_ms));
  QVERIFY(centre_is(found));
  const PlotContent drawn = content();
  const PlotSeries& curve = *series_named(drawn, "landscape");
  const PlotSeries& tangent = *series_named(drawn, "gradient");
  QVERIFY(std::abs(0.5 * (tangent.x[0] + tangent.x[1]) - found) < 1e-6);
  // At an optimum the tangent is far flatter than the landscape's walls.
  const double slope = (tangent.y[1] - tangent.y[0]) / (tangent.x[1] - tangent.x[0]);
  const double wall = (curve.y[30] - curve.y[20]) / (curve.x[30] - curve.x[20]);
  QVERIFY2(std::abs(slope) < 0.1 * std::abs(wall), qPrintable(QStringLiteral("%1, %2").arg(slope).arg(wall)));
}

TL_TEST_CASE(LearningShownTest)

}  // namespace tl::ui::learning_shown_test

#include "learning_shown.moc"
