// Learning dock in a real window: from marking a parameter to accepting the learned axis, with mouse and keys.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/learned_values.h"
#include "widgets/inspector/learning_targets.h"
#include "widgets/inspector/node_form.h"
#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_controls.h"
#include "widgets/learning/gradient_check_panel.h"
#include "widgets/learning/landscape_panel.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/learning/objective_chooser.h"
#include "widgets/learning/run_model.h"
#include "widgets/learning/target_list.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/text/found_text.h"
#include "widgets/theme/theme.h"
#include "widgets/window/main_window.h"
#include "widgets/window/state/settings.h"

namespace tl::ui::learning_test {

class LearningTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void a_mark_becomes_a_card_and_back();
  void the_objective_that_fits_is_suggested_data();
  void the_objective_that_fits_is_suggested();
  void no_score_of_the_geometry_is_offered_for_a_part_of_an_object();
  void from_a_mark_to_an_accepted_axis();
  void from_an_empty_window_as_the_guide_says();
  void a_run_is_paused_ended_by_hand_and_stopped();
  void a_rejected_run_stays_in_the_history_alone();
  void bounds_are_typed_with_units_and_wrong_ones_refused();
  void the_landscape_is_shown_next_to_the_gradient();
  void gradients_and_nodes_are_checked_on_a_click();
  void an_image_is_learned_and_accepted();
};

void LearningTest::a_mark_becomes_a_card_and_back() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  QVERIFY(s.part<TargetList>()->cards().empty());
  QVERIFY(!s.button("Learn")->isEnabled());
  s.mark("axis");
  QVERIFY(is_learned(s.document.graph(), "axis", "axis"));
  QCOMPARE(s.part<TargetList>()->cards().size(), std::size_t{1});
  TargetCard* card = s.part<TargetList>()->cards().front();
  for (QToolButton* b : card->findChildren<QToolButton*>()) QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(s.part<TargetList>()->cards().empty());
  s.document.undo_stack().undo();
  QCOMPARE(s.part<TargetList>()->cards().size(), std::size_t{1});
}

void LearningTest::the_objective_that_fits_is_suggested_data() {
  QTest::addColumn<double>("degrees");
  QTest::addColumn<QString>("objective");
  QTest::newRow("full turn") << 360.0 << "objective.variance";
  QTest::newRow("half turn") << 180.0 << "objective.wedge";
}
void LearningTest::the_objective_that_fits_is_suggested() {
  QFETCH(double, degrees);
  QFETCH(QString, objective);
  LearningStudio s;
  QVERIFY(s.open(scan(degrees)));
  s.mark("axis");
  // None is, before the scan was looked at.
  QTRY_VERIFY(s.part<ObjectiveChooser>()->chosen() != nullptr);
  const learn::ObjectiveChoice* chosen = s.part<ObjectiveChooser>()->chosen();
  QCOMPARE(QString::fromStdString(chosen->type), objective);
  QStringList words;
  for (const QLabel* label : s.part<ObjectiveChooser>()->findChildren<QLabel*>()) words << label->text();
  QVERIFY2(words.join(' ').contains("Suggested"), qPrintable(words.join(' ')));
  QVERIFY(s.button("Learn")->isEnabled());
}

// All of them would find another axis than the right one, and call it resolved.
void LearningTest::no_score_of_the_geometry_is_offered_for_a_part_of_an_object() {
  LearningStudio s;
  Graph wide = scan(180);
  wide.nodes["simulate"].params["size"] = Number{1.6, Unit::none};
  QVERIFY(s.open(wide));
  s.mark("axis");
  auto* form = s.part<ObjectiveChooser>();
  QTRY_VERIFY(!s.window.learning().is_looking());
  QTRY_VERIFY(form->chosen() == nullptr || form->chosen()->obstacle.has_value());
  QTRY_VERIFY(!s.button("Learn")->isEnabled());
  const auto choices = s.window.learning().objective_choices();
  QVERIFY(std::any_of(choices.begin(), choices.end(), [](const learn::ObjectiveChoice& choice) {
    return choice.obstacle && choice.obstacle->message().find("leaves the rows") != std::string::npos;
  }));
  test::keep_picture(s.window, "learning-part-of-an-object");
}

void LearningTest::from_a_mark_to_an_accepted_axis() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  int pictures = 0;
  const auto count =
      connect(&s.session, &LiveSession::picture_ready, this, [&](const QString&, const live::Picture& p) {
        if (s.window.learning().state() == JobState::running && !p.error) ++pictures;
      });
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(JobState::ended));
  disconnect(count);
  const auto& end = *s.window.learning().end();
  QCOMPARE(end.learned.found.size(), std::size_t{1});
  const learn::Found& found = end.learned.found.front();
  qInfo("%s, %lld iterations, %.2f s, %d pictures", qPrintable(found_text(found)),
        static_cast<long long>(end.learned.iterations), end.learned.seconds, pictures);
  QVERIFY(std::abs(found.value[0] - true_axis) < 0.2);
  QVERIFY(found.trust == learn::Trust::resolved);
  QVERIFY(pictures >= 1);
  // Plots: as many points as iterations; the found value is marked.
  LearningPlots& plots = s.window.learning_panel().plots();
  QVERIFY(!plots.loss().content().series.empty());
  QVERIFY(plots.loss().content().series.front().x.size() >= 3);
  // The start was refined on coarse data already: from there the loss falls, or stays the same where the data cannot
  // decide.
  const std::vector<double>& losses = plots.loss().content().series.front().y;
  constexpr double still = 1e-4;  // of the loss
  QVERIFY2(losses.back() < losses.front() + still * std::abs(losses.front()),
           qPrintable(QStringLiteral("%1 to %2").arg(losses.front(), 0, 'g', 9).arg(losses.back(), 0, 'g', 9)));
  QCOMPARE(plots.parameter().content().marks.size(), std::size_t{1});
  test::keep_picture(s.window, "learning-ended");
  QCOMPARE(s.axis(), 0.0);  // nothing is written before somebody says so
  const int steps = s.document.undo_stack().index();
  QVERIFY(s.press("Accept"));
  QCOMPARE(s.document.undo_stack().index(), steps + 1);
  QCOMPARE(s.axis(), found.value[0]);
  QVERIFY(s.part<LearnedValues>()->isVisibleTo(&s.window));
  test::keep_picture(s.window, "learning-accepted");
  s.window.workspaces().show(Workspace::weave);
  test::keep_picture(s.window, "learning-weave");
  s.document.undo_stack().undo();
  QCOMPARE(s.axis(), 0.0);
  QCOMPARE(s.window.learning().records().size(), std::size_t{0});
  s.document.undo_stack().redo();
  QCOMPARE(s.axis(), found.value[0]);
  QCOMPARE(s.window.learning().records().size(), std::size_t{1});
}

// Every step of the user guide's chapter, with the mouse and keys it names.
void LearningTest::from_an_empty_window_as_the_guide_says() {
  LearningStudio s;
  s.window.resize(1440, 900);
  QVERIFY(test::open_window(s.window));
  for (QToolButton* b : s.window.findChildren<QToolButton*>())
    if (b->accessibleName() == "Try the example") QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(!s.document.graph().nodes.empty());
  QTest::keyClick(&s.window, Qt::Key_1, Qt::ControlModifier);
  auto& canvas = *s.part<Canvas>();
  QWidget* viewport = canvas.view().viewport();
  const auto title = [&](const QString& node) {
    const NodeItem* item = canvas.scene().node(node);
    return canvas.view().mapFromScene(item->mapToScene(item->card().title_area().center()));
  };
  for (const char* node : {"axis", "flat_field", "fbp"})
    QTRY_VERIFY(canvas.scene().node(node) != nullptr && viewport->rect().contains(title(node)));
  // The finder goes, its links are joined.
  QTest::mouseClick(viewport, Qt::LeftButton, {}, title("axis"));
  QTest::keyClick(viewport, Qt::Key_Delete, Qt::ControlModifier);
  const Link* into_fbp = s.document.graph().link_into("fbp", "projections");
  QVERIFY(into_fbp != nullptr);
  QCOMPARE(into_fbp->from_node, std::string("flat_field"));
  // The node that sets the geometry is dropped onto the link.
  const auto port = [&](const QString& node, const QString& name, Side side) {
    const NodeItem* item = canvas.scene().node(node);
    return canvas.view().mapFromScene(item->port_at_scene(*item->card().port(name, side)));
  };
  const QPoint at = (port("flat_field", "projections", Side::output) + port("fbp", "projections", Side::input)) / 2;
  QMimeData data;
  data.setData(node_mime_type, "geometry.set");
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(viewport, &enter);
  QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(viewport, &drop);
  QVERIFY(s.document.graph().nodes.count("set") == 1);
  QCOMPARE(s.document.graph().link_into("fbp", "projections")->from_node, std::string("set"));
  s.selection.set_one("set");
  s.mark("axis");
  QVERIFY(is_learned(s.document.graph(), "set", "axis"));
  QTest::keyClick(&s.window, Qt::Key_3, Qt::ControlModifier);
  const bool suggested = QTest::qWaitFor(
      [&] {
        const learn::ObjectiveChoice* chosen = s.part<ObjectiveChooser>()->chosen();
        return chosen != nullptr && chosen->type == "objective.wedge";
      },
      patience_ms);
  QVERIFY2(suggested, s.session.status("set").error ? s.session.status("set").error->message().c_str() : "");
  test::keep_picture(s.window, "guide-before", 1500);
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
  const learn::Found& found = s.window.learning().end()->learned.found.front();
  qInfo("%s %s", qPrintable(found_text(found)), qPrintable(trust_word(found.trust)));
  QVERIFY(std::abs(found.value[0] - 6.3) < 0.1);
  test::keep_picture(s.window, "learning", 1500);
  QVERIFY(s.press("Accept"));
  QCOMPARE(std::get<Number>(s.document.graph().nodes.at("set").params.at("axis")).value, found.value[0]);
}

void LearningTest::a_run_is_paused_ended_by_hand_and_stopped() {
  LearningStudio s;
  Graph graph = scan(360, 240, 160);
  QVERIFY(s.open(graph));
  s.mark("axis");
  s.mark("tilt");
  s.window.learning().change("slow", [](learn::Settings& settings) {
    settings.method = learn::Method::adam;
    settings.rate = 0.01;
    settings.stop.iterations = 100000;
    settings.stop.patience = 100000;
    settings.stop.tolerance = 1e-9;
    settings.survey = learn::Survey::none;
  });
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::running));
  QVERIFY(QTest::qWaitFor([&] { return s.window.learning().progress().size() > 3; }, patience_ms));
  test::keep_picture(s.window, "learning-running");
  QVERIFY(s.press("Pause"));
  QVERIFY(s.window.learning().state() == JobState::pausing);  // the current step goes on
  QVERIFY(s.reaches(JobState::paused));
  const std::size_t paused = s.window.learning().progress().size();
  // Nothing comes while it is paused: an iteration within this time fails at once.
  QVERIFY(!QTest::qWaitFor([&] { return s.window.learning().progress().size() != paused; }, 500));
  QVERIFY(s.press("Go on"));
  QVERIFY(QTest::qWaitFor([&] { return s.window.learning().progress().size() > paused; }, patience_ms));
  QVERIFY(s.press("Take the best"));
  QVERIFY(s.reaches(JobState::ended));
  QCOMPARE(s.window.learning().end()->learned.found.size(), std::size_t{2});
  QVERIFY(s.press("Learn again"));
  QVERIFY(s.reaches(JobState::running));
  QVERIFY(QTest::qWaitFor([&] { return !s.window.learning().progress().empty(); }, patience_ms));
  QVERIFY(s.press("Stop"));
  QVERIFY(s.reaches(JobState::idle));
  QVERIFY(s.window.learning().failure().isEmpty());
  QCOMPARE(s.axis(), 0.0);
}

void LearningTest::a_rejected_run_stays_in_the_history_alone() {
  LearningStudio s;
  QVERIFY(s.open(scan(180)));
  s.mark("axis");
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
  QVERIFY(s.press("Reject"));
  QCOMPARE(s.axis(), 0.0);
  QCOMPARE(s.window.learning().records().size(), std::size_t{1});
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(JobState::ended));
  // The earlier run is laid over the plots.
  RunModel& runs = s.window.learning_panel().runs();
  const QAbstractItemModelTester tester(&runs, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(runs.rowCount(), 1);
  QVERIFY(runs.setData(runs.index(0), Qt::Checked, Qt::CheckStateRole));
  QVERIFY(s.window.learning_panel().plots().loss().content().series.size() >= 2);
  QVERIFY(!s.window.learning_panel().plots().parameter().content().series.empty());
  // The history travels with the file.
  const QString path = s.folder.filePath("a.tomoloom.json");
  QVERIFY(s.document.save(path).ok());
  Document again;
  QVERIFY(again.open(path).ok());
  QCOMPARE(learn::records_of(again.graph()).size(), std::size_t{1});
}

void LearningTest::bounds_are_typed_with_units_and_wrong_ones_refused() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  TargetCard* card = s.part<TargetList>()->cards().front();
  const auto lines = card->findChildren<QLineEdit*>();
  QCOMPARE(lines.size(), 3);
  const auto type = [&](QLineEdit* line, const QString& text) {
    QTest::mouseClick(line, Qt::LeftButton);
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  };
  type(lines[1], "-10");
  type(lines[2], "10 px");
  const auto target = [&] { return s.window.learning().settings().targets.front(); };
  QVERIFY(target().low == (Number{-10, Unit::px}));
  QVERIFY(target().high == (Number{10, Unit::px}));
  type(lines[2], "12 deg");
  QVERIFY(target().high == (Number{10, Unit::px}));
  QVERIFY(lines[2]->property("invalid").toBool());
  QTest::keyClick(lines[2], Qt::Key_Escape);
  QVERIFY(!lines[2]->property("invalid").toBool());
  s.document.undo_stack().undo();
  QVERIFY(!target().high);
}

// Every voxel of a slice: marked, learned, shown in the plot by its size, accepted and taken back in one step.
void LearningTest::an_image_is_learned_and_accepted() {
  Graph g = scan(180, 40, 32);
  g.nodes["simulate"].params["rows"] = int64_t{1};
  g.nodes["axis"].params["axis"] = Number{true_axis, Unit::px};
  g.nodes["change"] = {"filter.volume_change", 1, {}};
  g.nodes["project"] = {"recon.forward_projection", 1, {}};
  g.nodes["misfit"] = {"objective.data_error", 1, {}};
  for (const Link& link : {Link{"fbp", "volume", "change", "volume"},
                           {"change", "volume", "project", "volume"},
                           {"axis", "projections", "project", "like"},
                           {"project", "projections", "misfit", "projections"},
                           {"axis", "projections", "misfit", "measured"}})
    g.links.push_back(link);
  LearningStudio s;
  QVERIFY(s.open(g));
  s.selection.set_one("change");
  QCoreApplication::processEvents();
  s.mark("change");
  QVERIFY(QTest::qWaitFor([&] { return s.button("Learn") != nullptr && s.button("Learn")->isEnabled(); }, patience_ms));
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(JobState::ended));
  const learn::Learned& learned = s.window.learning().end()->learned;
  QVERIFY2(learned.loss < 0.5 * learned.first_loss, learn::words(learned.reason).c_str());
  test::keep_picture(s.window, "learning-image");
  const auto set = [&] { return s.document.graph().nodes.at("change").params.count("change") == 1; };
  QVERIFY(!set());
  QVERIFY(s.press("Accept"));
  QVERIFY(set());
  test::keep_picture(s.window, "learning-image-accepted");
  s.document.undo_stack().undo();
  QVERIFY(!set());
}

void LearningTest::the_landscape_is_shown_next_to_the_gradient() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  s.mark("tilt");
  QVERIFY(s.press("Learn"));
  QVERIFY(s.reaches(JobState::ended));
  s.window.learning_panel().open_landscape();
  LandscapePanel& panel = s.window.learning_panel().landscape();
  QVERIFY(s.press("Sweep"));
  QVERIFY(
      QTest::qWaitFor([&] { return panel.plot().content().series.size() >= 2; }, patience_ms));  // with the gradient
  const PlotSeries& sweep = panel.plot().content().series.front();
  QCOMPARE(sweep.x.size(), std::size_t{41});
  const auto least = std::min_element(sweep.y.begin(), sweep.y.end()) - sweep.y.begin();
  QVERIFY(std::abs(sweep.x[static_cast<std::size_t>(least)] - true_axis) < 0.5);
  s.window.learning_panel().ensureWidgetVisible(&panel);
  test::keep_picture(s.window, "learning-sweep");
  auto* second = panel.findChildren<QComboBox*>().at(1);
  second->setFocus();
  QTest::keyClick(second, Qt::Key_Down);
  QTest::keyClick(second, Qt::Key_Down);
  QVERIFY(s.press("Map"));
  QVERIFY(QTest::qWaitFor([&] { return panel.plot().content().map.has_value(); }, patience_ms));
  QCOMPARE(panel.plot().content().map->values.size(), std::size_t{15 * 15});
  test::keep_picture(s.window, "learning-map");
}

void LearningTest::gradients_and_nodes_are_checked_on_a_click() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  const auto choices = s.window.learning().objective_choices();
  s.window.learning().choose(choices.front());
  s.window.learning_panel().open_checks();
  GradientCheckPanel& panel = s.window.learning_panel().checks();
  const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  QVERIFY(s.press("Check gradients"));
  QVERIFY(QTest::qWaitFor([&] { return panel.model().rowCount() == 1; }, patience_ms));
  const CheckRow& row = panel.model().rows().front();
  qInfo("gradient %g, difference %g", row.left, row.right);
  QVERIFY(row.left != 0);
  QVERIFY(row.deviation < 1e-4);
  s.selection.set_one("fbp");
  panel.check_selected_node();
  QVERIFY(QTest::qWaitFor([&] { return panel.model().rowCount() >= 3; }, patience_ms));
  for (const CheckRow& law : panel.model().rows()) QVERIFY(law.deviation <= law.limit);
  test::keep_picture(s.window, "learning-checks");
}

TL_TEST_CASE(LearningTest)

}  // namespace tl::ui::learning_test

#include "learning.moc"
