// The start of learning in a real window: what the empty dock offers, what F6 says when it cannot start, what is
// refused before the run, what is not offered for acceptance after it.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/learning_targets.h"
#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_controls.h"
#include "widgets/learning/learnable_list.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/learning/objective_chooser.h"
#include "widgets/learning/target_list.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/text/found_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui::learning_start_test {

class LearningStartTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void an_empty_dock_lists_what_could_be_learned();
  void the_geometry_node_is_inserted_where_it_is_needed();
  void f6_looks_at_the_scan_before_it_chooses();
  void looking_at_the_scan_can_be_stopped();
  void f6_says_why_it_cannot_start();
  void a_tilt_is_refused_where_too_few_rows_show_it();
  void a_tilt_of_the_tooth_is_refused();
  void an_objective_of_neighbouring_rows_is_not_offered_for_a_tilt();
  void what_the_data_do_not_determine_has_no_digits_and_no_accept();
  void the_objective_is_called_by_its_name();
  void an_accepted_value_has_the_digits_that_sigma_allows();
};

namespace {

Graph without_geometry(double degrees) {
  Graph g = scan(degrees);
  g.nodes.erase("axis");
  g.links = {{"simulate", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "fbp", "projections"}};
  return g;
}

QString widget_text(const QWidget& widget) {
  QStringList words;
  for (const QLabel* label : widget.findChildren<QLabel*>())
    if (label->isVisibleTo(&widget)) words << label->text();
  return words.join(QStringLiteral(" | "));
}

bool is_shown(LearningStudio& s, const QString& words) {
  for (int row = 0; row < s.window.messages().rowCount(); ++row)
    if (s.window.messages().at(row).text.contains(words)) return true;
  return false;
}

}  // namespace

void LearningStartTest::an_empty_dock_lists_what_could_be_learned() {
  LearningStudio s;
  QVERIFY(s.open(scan(180)));
  auto* list = s.part<LearnableList>();
  QVERIFY(list != nullptr && list->isVisibleTo(&s.window));
  QVERIFY(
      QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
  QVERIFY2(widget_text(*list).contains("0 px"), qPrintable(widget_text(*list)));
  QVERIFY(widget_text(*list).contains("Set geometry"));
  QVERIFY(s.button("∇ Source to axis") == nullptr);  // the beam is parallel
  test::keep_picture(s.window, "learning-empty");
  const std::size_t nodes = s.document.graph().nodes.size();
  QVERIFY(s.press("∇ Axis"));
  QVERIFY(is_learned(s.document.graph(), "axis", "axis"));
  QCOMPARE(s.document.graph().nodes.size(), nodes);
  // What can be learned with it stays on offer, below its card.
  QTRY_VERIFY(s.button("∇ Tilt") != nullptr && s.button("∇ Axis") == nullptr);
  QVERIFY(widget_text(*list).contains("together"));
  QVERIFY(list->y() > s.part<TargetList>()->cards().front()->y());
  test::keep_picture(s.window, "learning-one-marked");
  QVERIFY(s.press("∇ Tilt"));
  QVERIFY(is_learned(s.document.graph(), "axis", "tilt"));
  QTRY_VERIFY(s.button("∇ Tilt") == nullptr);
}

void LearningStartTest::the_geometry_node_is_inserted_where_it_is_needed() {
  LearningStudio s;
  QVERIFY(s.open(without_geometry(180)));
  QVERIFY(
      QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
  test::keep_picture(s.window, "learning-empty-inserts");
  const Graph before = s.document.graph();
  const int steps = s.document.undo_stack().index();
  QVERIFY(s.press("∇ Axis"));
  QCOMPARE(s.document.undo_stack().index(), steps + 1);
  const Graph& graph = s.document.graph();
  const Link* into = graph.link_into("fbp", "projections");
  QVERIFY(into != nullptr);
  const std::string id = into->from_node;
  QCOMPARE(graph.nodes.at(id).type, std::string("geometry.set"));
  QCOMPARE(graph.link_into(id, "projections")->from_node, std::string("flat_field"));
  QVERIFY(is_learned(graph, id, "axis"));
  s.document.undo_stack().undo();
  QVERIFY(s.document.graph().nodes == before.nodes && s.document.graph().links == before.links);
  s.document.undo_stack().redo();
  QVERIFY(QTest::qWaitFor([&] { return s.button("Learn") != nullptr && s.button("Learn")->isEnabled(); }, patience_ms));
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
  QVERIFY(std::abs(s.window.learning().end()->learned.found.front().value[0] - true_axis) < 0.2);
}

// Nothing is known yet of the geometry node that was inserted just before: an objective chosen now would be one for the
// volume, of which the views know from before.
void LearningStartTest::f6_looks_at_the_scan_before_it_chooses() {
  LearningStudio s;
  QVERIFY(s.open(without_geometry(180)));
  QVERIFY(
      QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
  QVERIFY(s.press("∇ Axis"));
  QVERIFY(s.window.learning().is_looking());
  QVERIFY(s.part<ObjectiveChooser>()->chosen() == nullptr);  // none is suggested yet
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.window.learning().state() == JobState::idle);
  QVERIFY2(widget_text(s.window.learning_panel().controls()).contains("Looking at the scan"),
           qPrintable(widget_text(s.window.learning_panel().controls())));
  QVERIFY(is_shown(s, "Looking at the scan"));
  QVERIFY(s.button("Stop") != nullptr && s.button("Learn") == nullptr);
  test::keep_picture(s.window, "learning-looking", 0);
  QVERIFY(s.reaches(JobState::ended));
  const std::string objective = s.window.learning().end()->learned.objective.node;
  QCOMPARE(s.document.graph().nodes.at(objective).type, std::string("objective.wedge"));
  QVERIFY(std::abs(s.window.learning().end()->learned.found.front().value[0] - true_axis) < 0.2);
}

void LearningStartTest::looking_at_the_scan_can_be_stopped() {
  LearningStudio s;
  QVERIFY(s.open(without_geometry(180)));
  for (const bool by_button : {true, false}) {
    QVERIFY(
        QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
    QVERIFY(s.press("∇ Axis"));
    QTest::keyClick(&s.window, Qt::Key_F6);
    const Graph before = s.document.graph();
    // Without handling events, which could bring what is waited for.
    if (by_button)
      QTest::mouseClick(s.button("Stop"), Qt::LeftButton);
    else
      QTest::keyClick(&s.window, Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(s.button("Stop") == nullptr);
    QVERIFY(QTest::qWaitFor([&] { return !s.window.learning().is_looking(); }, patience_ms));
    test::handle_queued_events();
    QVERIFY(s.document.graph() == before);
    QVERIFY(s.window.learning().state() == JobState::idle);
    if (by_button) s.document.undo_stack().undo();
  }
  // What the stop dropped is asked for again.
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
}

void LearningStartTest::f6_says_why_it_cannot_start() {
  LearningStudio s;
  QVERIFY(s.open(scan(180), Workspace::weave));
  QVERIFY(!s.window.learning_panel().isVisible());
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(is_shown(s, "Nothing is marked to be learned"));
  QVERIFY(s.part<LearnableList>()->isVisible());
  // An object that leaves the rows: no objective fits, and that is said.
  Graph wide = scan(180);
  wide.nodes["simulate"].params["size"] = Number{1.6, Unit::none};
  s.document.reset(wide);
  s.selection.set_one("axis");
  QVERIFY(QTest::qWaitFor([&] { return s.session.info("fbp", "volume") != nullptr; }, patience_ms));
  s.mark("axis");
  QTest::keyClick(&s.window, Qt::Key_F6);  // while the views of the scan have still to be looked at
  QVERIFY(QTest::qWaitFor([&] { return is_shown(s, "leaves the rows"); }, patience_ms));
  QTRY_VERIFY(s.button("Learn") != nullptr && !s.button("Learn")->isEnabled());
  QVERIFY(s.button("Stop") == nullptr);
  QVERIFY(s.window.learning().state() == JobState::idle);
}

void LearningStartTest::a_tilt_is_refused_where_too_few_rows_show_it() {
  LearningStudio s;
  Graph two = scan(180);
  two.nodes["simulate"].params["rows"] = int64_t{2};
  QVERIFY(s.open(two));
  QVERIFY(
      QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
  QVERIFY(s.button("∇ Tilt") != nullptr && !s.button("∇ Tilt")->isEnabled());
  QVERIFY(widget_text(*s.part<LearnableList>()).contains("2 detector rows do not show"));
  test::keep_picture(s.window, "learning-empty-two-rows");
  s.mark("tilt");
  QVERIFY(QTest::qWaitFor([&] { return !s.button("Learn")->isEnabled(); }, patience_ms));
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(is_shown(s, "2 detector rows do not show"));
  QVERIFY(s.window.learning().state() == JobState::idle);
  test::keep_picture(s.window, "learning-tilt-refused");
}

void LearningStartTest::a_tilt_of_the_tooth_is_refused() {
  const QString data = qEnvironmentVariable("TL_SHARED_DATA", TL_SOURCE_DIR "/../shared/data");
  if (!QFile::exists(data + "/aps_tooth.h5")) QSKIP("the shared data folder is not here");
  LearningStudio s;
  Graph g = scan(180);
  g.nodes.erase("simulate");
  g.nodes["load"] = {"input.load_scan", 1, {{"file", (data + "/aps_tooth.h5").toStdString()}}};
  g.links[0] = {"load", "projections", "flat_field", "projections"};
  QVERIFY(s.open(g));
  QVERIFY(
      QTest::qWaitFor([&] { return s.button("∇ Axis") != nullptr && s.button("∇ Axis")->isEnabled(); }, patience_ms));
  QVERIFY(!s.button("∇ Tilt")->isEnabled());
  test::keep_picture(s.window, "learning-tooth-empty", 3000);
  s.mark("tilt");
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(is_shown(s, "2 detector rows do not show"));
  QVERIFY(s.window.learning().state() == JobState::idle);
  s.mark("tilt");
  s.mark("axis");
  QVERIFY(QTest::qWaitFor([&] { return s.button("Learn")->isEnabled(); }, patience_ms));
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
  const learn::Found& found = s.window.learning().end()->learned.found.front();
  qInfo("%s %s", qPrintable(found_text(found)), qPrintable(trust_word(found.trust)));
  QVERIFY(QTest::qWaitFor([&] { return s.window.learning().landscape().has_value(); }, patience_ms));
  for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
    Theme::instance().set(theme);
    test::keep_picture(s.window, QStringLiteral("learning-tooth-%1").arg(theme), 3000);
  }
}

// Neighbouring rows cannot determine a tilt: such an objective is refused, another with its rows spread is suggested.
void LearningStartTest::an_objective_of_neighbouring_rows_is_not_offered_for_a_tilt() {
  LearningStudio s;
  Graph g = scan(180);
  g.nodes["wedge"] = {"objective.wedge", 1, {}};
  g.links.push_back({"axis", "projections", "wedge", "projections"});
  QVERIFY(s.open(g));
  s.mark("tilt");
  const auto choices = [&] { return s.window.learning().objective_choices(); };
  QVERIFY(QTest::qWaitFor([&] { return !choices().empty() && !choices().front().obstacle; }, patience_ms));
  for (const learn::ObjectiveChoice& c : choices()) {
    if (c.type != "objective.wedge") continue;
    QCOMPARE(c.existing.has_value(), c.obstacle.has_value());
    if (!c.existing) QVERIFY(std::get<std::string>(c.params.at("where")) == "spread");
  }
  // The one in the pipeline is chosen by the settings: F6 says why it does not do.
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(QTest::qWaitFor([&] { return is_shown(s, "neighbouring rows cannot determine a tilt"); }, patience_ms));
  QVERIFY(s.window.learning().state() == JobState::idle);
}

void LearningStartTest::what_the_data_do_not_determine_has_no_digits_and_no_accept() {
  LearningStudio s;
  QVERIFY(s.open(scan(360)));
  s.mark("axis");
  s.window.learning().change("slow", [](learn::Settings& settings) {
    settings.method = learn::Method::adam;
    settings.rate = 0.001;
    settings.stop.iterations = 100000;
    settings.stop.patience = 100000;
    settings.survey = learn::Survey::none;
  });
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(QTest::qWaitFor([&] { return s.window.learning().progress().size() > 1; }, patience_ms));
  live::LearnEnd end;
  end.settings = s.window.learning().settings();
  end.learned.objective = end.settings.objective;
  learn::Found found;
  found.node = found.name = "axis";
  found.unit = Unit::px;
  found.start = {0};
  found.value = {2.948768};
  found.uncertainty = {0.000011};
  found.trust = learn::Trust::not_identifiable;
  found.explanation = "the data determine only a combination with other parameters";
  end.learned.found.push_back(found);
  Q_EMIT s.session.learned(end);
  QVERIFY(s.window.learning().state() == JobState::ended);
  QTRY_VERIFY(widget_text(*s.window.learning_panel().findChild<JobCard*>()).contains("not known"));
  const QString card = widget_text(*s.window.learning_panel().findChild<JobCard*>());
  QVERIFY2(!card.contains("2.9") && card.contains("not known"), qPrintable(card));
  QVERIFY2(card.contains("no value to accept"), qPrintable(card));
  QVERIFY(s.button("Accept") == nullptr);
  QVERIFY(s.window.learning_panel().plots().parameter().content().marks.empty());
  test::keep_picture(s.window, "learning-not-identifiable");
  s.window.learning().accept();
  QCOMPARE(s.axis(), 0.0);
  s.session.stop();
  QVERIFY(s.press("Close"));
}

void LearningStartTest::the_objective_is_called_by_its_name() {
  LearningStudio s;
  Graph g = scan(180);
  g.nodes["wedge"] = {"objective.wedge", 1, {}};
  g.links.push_back({"axis", "projections", "wedge", "projections"});
  QVERIFY(s.open(g));
  s.mark("axis");
  auto* box = s.part<ObjectiveChooser>()->findChild<QComboBox*>();
  QTRY_COMPARE(box->currentText(), QStringLiteral("Wedge consistency"));
  QCOMPARE(s.window.learning_panel().plots().loss().content().title, QStringLiteral("Wedge consistency"));
  // Two of a kind are distinguished.
  g.nodes["second"] = g.nodes["wedge"];
  g.links.push_back({"axis", "projections", "second", "projections"});
  s.document.reset(g);
  s.selection.set_one("axis");
  QVERIFY(QTest::qWaitFor([&] { return s.session.info("fbp", "volume") != nullptr; }, patience_ms));
  s.mark("axis");
  QTRY_VERIFY(box->findText(QStringLiteral("Wedge consistency (second)")) >= 0);
}

void LearningStartTest::an_accepted_value_has_the_digits_that_sigma_allows() {
  LearningStudio s;
  QVERIFY(s.open(scan(180)));
  s.mark("axis");
  QTest::keyClick(&s.window, Qt::Key_F6);
  QVERIFY(s.reaches(JobState::ended));
  const learn::Found found = s.window.learning().end()->learned.found.front();
  QVERIFY(s.press("Accept"));
  const QString text = found_text(found);  // "3.002 ± 0.012 px"
  const QString number = text.section(QLatin1Char(' '), 0, 0);
  QTRY_COMPARE(s.window.inspector().form()->field("axis")->findChild<QLineEdit*>()->text(), number);
  const TargetCard* card = s.part<TargetList>()->cards().front();
  QVERIFY2(widget_text(*card).contains(text), qPrintable(widget_text(*card)));
}

TL_TEST_CASE(LearningStartTest)

}  // namespace tl::ui::learning_start_test

#include "learning_start.moc"
