// All kinds of jobs of the learning dock: each starts, pauses, goes on, is cancelled, takes the best or ends by itself,
// and says so in words. A new kind is walked too, once this test knows how to prepare it.
#include <QLabel>
#include <QPushButton>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/small_network.h"
#include "tests/support/test_case.h"
#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/job_page.h"
#include "widgets/jobs/value_rows.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/sweep_session.h"
#include "widgets/session/training_session.h"
#include "widgets/training/learning_dock.h"

namespace tl::ui::jobs_test {

namespace {

enum class Length { endless, a_moment };

struct JobsStudio : LearningStudio {
  [[nodiscard]] std::string file(const char* name) const { return folder.filePath(QLatin1String(name)).toStdString(); }
  // A scan whose axis is wrong, and a painted volume with a network: something to do for every kind.
  [[nodiscard]] bool open_all() {
    Graph graph = scan(360, 240, 160);
    Graph painted = test::painted_phantom(file("p.strokes"));
    test::write_small_network(file("net.safetensors"), 5);
    painted.nodes.at("network").params["model"] = file("net.safetensors");
    graph.nodes.merge(painted.nodes);
    graph.links.insert(graph.links.end(), painted.links.begin(), painted.links.end());
    return open(graph) && document.save(folder.filePath("p.json")).ok();
  }
  [[nodiscard]] bool prepare(const JobSession& job, Length length) {
    const bool endless = length == Length::endless;
    if (&job == &window.learning())
      window.learning().change("slow", [](learn::Settings& s) {
        s.targets.resize(1);
        s.targets[0].node = s.targets[0].name = "axis";
        s.method = learn::Method::adam;
        s.rate = 0.01;
        s.stop.iterations = s.stop.patience = 100'000;
        s.stop.tolerance = 1e-9;
        s.survey = learn::Survey::none;
      });
    train::TrainingPlan samples;
    samples.settings["depth"] = 3;
    samples.patch = 16;
    samples.gap = 2;
    samples.epochs = 100'000;
    samples.steps = 4;
    window.training().set_plan(samples);
    train::PruningPlan pruning;
    pruning.keep = 0.3;
    pruning.steps = 2;
    pruning.epoch_steps = endless ? 1'000'000 : 2;
    window.pruning().set_plan(pruning);
    window.sweep().set_over(endless ? "axis.axis=-3:3:4000 px" : "axis.axis=-3:3:5 px");
    return &job == &window.learning() || &job == &window.training() || &job == &window.pruning() ||
           &job == &window.sweep();
  }
};

QString obstacle_of(const JobPage& page) {
  return page.spec().obstacle ? page.spec().obstacle() : page.job().obstacle();
}

}  // namespace

class JobsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_kind_has_its_words() {
    LearningStudio s;
    QVERIFY(test::open_window(s.window));
    QVERIFY(s.window.jobs().size() >= 4);
    QStringList names;
    for (const JobPage* page : s.window.jobs()) {
      const JobSpec& spec = page->spec();
      for (const QString& text : {spec.page, spec.tab, spec.tab_help, spec.start_text(), spec.start_help,
                                  spec.stop_help, spec.result, obstacle_of(*page)})
        QVERIFY2(!text.isEmpty(), qPrintable(spec.page));
      QVERIFY2(!names.contains(spec.tab), qPrintable(spec.tab));
      names << spec.tab;
      QVERIFY(page->unsaved().isEmpty());
      QVERIFY(job_activity(page->job(), spec).isEmpty());
      QVERIFY(!page->job().is_busy() && !page->job().is_unsaved() && page->job().failure().isEmpty());
    }
  }

  void every_kind_starts_pauses_goes_on_and_ends_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < 4; ++i) QTest::addRow("%d", i) << i;
  }
  void every_kind_starts_pauses_goes_on_and_ends() {
    QFETCH(const int, index);
    JobsStudio s;
    QVERIFY(s.open_all());
    QCOMPARE(s.window.jobs().size(), std::size_t{4});  // a row of this test for each
    JobPage& page = *s.window.jobs().at(static_cast<std::size_t>(index));
    JobSession& job = page.job();
    const JobSpec& spec = page.spec();
    s.window.findChild<LearningDock*>()->show_page(page);
    if (&job == &s.window.sweep()) add_objective(s);
    QVERIFY2(s.prepare(job, Length::endless), "this test does not know how to prepare this kind");
    QVERIFY(test::wait_for_work([&] { return obstacle_of(page).isEmpty(); }));
    const auto reaches = [&](JobState state) { return test::wait_for_work([&] { return job.state() == state; }); };
    const auto status = [&] { return page.controls().status_text(); };

    const int steps = s.document.undo_stack().count();
    spec.start(&page);
    QVERIFY2(reaches(JobState::running), qPrintable(job.failure()));
    QVERIFY(!status().isEmpty() && !page.unsaved().isEmpty() && job.is_unsaved());
    QCOMPARE(job_activity(job, spec).isEmpty(), spec.activity.isEmpty());
    job.pause();
    QVERIFY(reaches(JobState::paused));
    QVERIFY(status().startsWith("Paused"));
    test::keep_picture(s.window, QString("job-paused-%1").arg(spec.tab));
    job.go_on();
    QVERIFY(reaches(JobState::running));
    job.cancel();
    QVERIFY(reaches(JobState::idle));
    QVERIFY2(job.failure().isEmpty(), qPrintable(job.failure()));
    QVERIFY(page.unsaved().isEmpty() && job_activity(job, spec).isEmpty());

    const bool takes_best = !spec.best_help.isEmpty();
    QVERIFY(s.prepare(job, takes_best ? Length::endless : Length::a_moment));
    QVERIFY(test::wait_for_work([&] { return obstacle_of(page).isEmpty(); }));
    spec.start(&page);
    if (takes_best) {
      QVERIFY(test::wait_for_work([&] { return job.state() == JobState::running && job.has_best(); }));
      job.take_best();
    }
    QVERIFY2(reaches(JobState::ended), qPrintable(job.failure()));
    auto* card = page.findChild<JobCard*>();
    QVERIFY(card->isVisibleTo(&page));
    ValueRows rows(nullptr);
    spec.fill_result(rows);
    QVERIFY(!rows.findChildren<QLabel*>().isEmpty());
    QVERIFY(spec.result_buttons().size() >= 2);
    for (const ResultButton& button : spec.result_buttons()) QVERIFY(!button.text.isEmpty() && !button.help.isEmpty());
    if (spec.ended) QVERIFY(!spec.ended().isEmpty());
    QCOMPARE(page.unsaved().isEmpty(), !job.is_unsaved());
    if (!spec.table.name.isEmpty()) {
      QVERIFY(spec.table.rows() > 0);
      for (const JobColumn& column : spec.table.columns) QVERIFY(!column.title.isEmpty() && !column.help().isEmpty());
    }
    test::keep_picture(s.window, QString("job-ended-%1").arg(spec.tab));
    job.reject();
    QVERIFY(job.state() == JobState::idle && !card->isVisibleTo(&page) && page.unsaved().isEmpty());
    QVERIFY(s.document.undo_stack().count() <= steps + 3);  // learning stores objective, settings and the rejected run
  }

  void a_sweep_writes_its_best_point_as_one_step() {
    JobsStudio s;
    QVERIFY(s.open_all());
    add_objective(s);
    QVERIFY(s.prepare(s.window.sweep(), Length::a_moment));
    QVERIFY2(s.window.sweep().obstacle().isEmpty(), qPrintable(s.window.sweep().obstacle()));
    s.window.sweep().start();
    QVERIFY(test::wait_for_work([&] { return s.window.sweep().state() == JobState::ended; }));
    QCOMPARE(s.window.sweep().progress().report.points.size(), std::size_t{5});
    QVERIFY(QFile::exists(s.folder.filePath("p-sweep.csv")) && QFile::exists(s.folder.filePath("p-sweep.json")));
    const int steps = s.document.undo_stack().index();
    s.window.sweep().use_best();
    QCOMPARE(s.document.undo_stack().index(), steps + 1);
    QCOMPARE(s.axis(), true_axis);  // the last of -3, -1.5, 0, 1.5, 3
    s.document.undo_stack().undo();
    QCOMPARE(s.axis(), 0.0);
  }

 private:
  static void add_objective(LearningStudio& s) {
    s.document.edit("objective", [](Graph& graph) {
      graph.nodes["entropy"] = {"objective.entropy", 1, {}};
      graph.links.push_back({"fbp", "volume", "entropy", "volume"});
    });
  }
};

TL_TEST_CASE(JobsTest)

}  // namespace tl::ui::jobs_test

#include "jobs.moc"
