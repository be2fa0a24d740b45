// What a new kind of job takes: the work, its session, its page. This one counts; it starts, pauses, goes on, is
// cancelled and ends by what all kinds share.
#include <QPushButton>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/job_form.h"
#include "widgets/jobs/job_page.h"
#include "widgets/jobs/value_rows.h"
#include "widgets/theme/theme.h"

namespace tl::ui::new_job_test {

// As core/live/jobs/count_job.h.
class CountJob final : public jobs::Job {
 public:
  struct Settings : JobPipeline {
    int64_t to = 1;
  };
  struct Progress : jobs::JobProgress {
    int64_t count = 0;
  };
  using End = jobs::JobEnd;
  using Listener = jobs::JobListener<Progress, End>;
  CountJob(const Registry& registry, const Settings& settings, Listener& listener);

 private:
  class Work;
};

// As core/live/jobs/count_job.cpp.
class CountJob::Work final : public jobs::JobWorkOf<CountJob> {
 public:
  using JobWorkOf::JobWorkOf;

 private:
  Result<void> work() override {
    begin_work();
    while (progress_.count < settings_.to && !takes_best()) {
      if (control().token().cancelled()) return cancelled();
      ++progress_.count;
      step_ended(static_cast<double>(progress_.count) / static_cast<double>(settings_.to));
    }
    report();
    return ok();
  }
};
CountJob::CountJob(const Registry& registry, const Settings& settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}

// As widgets/session/count_session.h.
class CountSession final : public JobSessionOf<CountJob> {
  Q_OBJECT
 public:
  explicit CountSession(LiveSession& session) : JobSessionOf(session, nullptr) {}
  int64_t to = 1;
  [[nodiscard]] QString obstacle() const override { return to > 0 ? QString() : tr("Give a number above 0"); }
  [[nodiscard]] bool has_best() const override { return progress().count > 0; }

 private:
  void prepare(CountJob::Settings& settings) override { settings.to = to; }
};

// As widgets/learning/count_spec.cpp.
JobSpec count_spec(CountSession& s) {
  JobSpec spec;
  spec.page = "Counting";
  spec.tab = "Count";
  spec.tab_help = "Counts to a number";
  spec.form = [&s](QWidget* parent) {
    auto* form = new JobForm(s, parent);
    form->add_number(
        {"To", "The last number", 1, 1e9}, [&s] { return static_cast<double>(s.to); },
        [&s](double to) { s.to = static_cast<int64_t>(to); });
    form->refresh();
    return form;
  };
  spec.start_text = [&s] { return s.state() == JobState::ended ? "Count again" : "Count"; };
  spec.start_help = "Counts from 1 on";
  spec.pause_help = "After this number";
  spec.best_help = "Ends with the number so far";
  spec.stop_help = "Forgets the number";
  spec.bar = "Progress of the counting";
  spec.start = [&s](QWidget*) { s.start(); };
  spec.step = [&s] { return QString("number %1").arg(s.progress().count); };
  spec.reading = [] { return "Beginning"; };
  spec.finishing = "Ending with this number";
  spec.stopping = "Stopping";
  spec.activity = "counting";
  spec.unsaved = [] { return "It counts. The number is lost."; };
  spec.result = "The count";
  spec.fill_result = [&s](ValueRows& rows) {
    rows.add_row("Number", QString::number(s.progress().count), ValueRows::Weight::strong);
  };
  spec.result_buttons = [&s]() -> std::vector<ResultButton> {
    return {{"Close", "Forgets the number", ResultButton::Role::normal, true, true,
             [&s](QWidget*) { return s.reject(), QString(); }}};
  };
  return spec;
}

class NewJobTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void it_is_driven_by_what_all_kinds_share() {
    test::Studio studio;
    CountSession count(studio.session);
    count.to = 1'000'000'000;
    JobPage page(count, count_spec(count));
    QVERIFY(test::open_window(page));
    const auto press = [&page](const QString& text) {
      for (auto* button : page.findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == text) return QTest::mouseClick(button, Qt::LeftButton), true;
      return false;
    };
    const auto status = [&page] { return page.controls().status_text(); };
    QVERIFY(press("Count"));
    QTRY_VERIFY_WITH_TIMEOUT(count.state() == JobState::running && count.has_best(), test::patience_ms);
    QVERIFY2(status().startsWith("number "), qPrintable(status()));
    QVERIFY(press("Pause"));
    QTRY_VERIFY_WITH_TIMEOUT(count.state() == JobState::paused, test::patience_ms);
    QVERIFY(status().startsWith("Paused") && !page.unsaved().isEmpty());
    const int64_t paused_at = count.progress().count;
    QVERIFY(press("Go on"));
    QTRY_VERIFY_WITH_TIMEOUT(count.progress().count > paused_at, test::patience_ms);
    QVERIFY(press("Stop"));
    QTRY_VERIFY_WITH_TIMEOUT(count.state() == JobState::idle, test::patience_ms);
    QVERIFY(count.failure().isEmpty() && page.unsaved().isEmpty());
    QVERIFY(press("Count"));
    QTRY_VERIFY_WITH_TIMEOUT(count.has_best(), test::patience_ms);
    QVERIFY(press("Take the best"));
    QTRY_VERIFY_WITH_TIMEOUT(count.state() == JobState::ended, test::patience_ms);
    QVERIFY(count.progress().count > 0 && count.progress().count < count.to);
    QVERIFY(page.findChild<JobCard*>()->isVisible());
    test::keep_picture(page, "new_job");
    QVERIFY(press("Close"));
    QCOMPARE(count.state(), JobState::idle);
  }
};

TL_TEST_CASE(NewJobTest)

}  // namespace tl::ui::new_job_test

#include "new_job.moc"
