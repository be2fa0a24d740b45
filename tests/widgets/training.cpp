// Training of a network in a real window, with mouse and keys: from strokes to an accepted network, and what it says
// where it cannot train.
#include <QComboBox>
#include <QFile>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/graph/graph_json.h"
#include "core/train/checkpoint_head.h"
#include "core/train/example_nodes.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/page_studio.h"
#include "tests/support/gui/stand_in_programs.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/gui/watched_application.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/test_case.h"
#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_page.h"
#include "widgets/jobs/job_plots.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/session/training_session.h"
#include "widgets/theme/theme.h"
#include "widgets/window/notices.h"

namespace tl::ui::training_test {

namespace {

struct TrainingStudio : test::PageStudio {
  [[nodiscard]] JobPage& panel() { return window.training_panel(); }
  [[nodiscard]] QScrollArea& page() override { return panel(); }
  [[nodiscard]] TrainingSession& training() { return window.training(); }

  // The phantom with its strokes, saved as p.json, and a small network that takes a moment.
  [[nodiscard]] bool show_painted(int classes = 2) {
    if (!show(test::painted_phantom(file("p.strokes").toStdString(), classes))) return false;
    if (!document.save(file("p.json")).ok()) return false;
    type("Depth", 3);
    type("Patches of", 16);
    type("Steps in each", 4);
    return training().plan().settings.at("depth") == 3 && training().plan().patch == 16 && training().plan().steps == 4;
  }
  [[nodiscard]] bool reaches(JobState state) {
    return test::wait_for_work([&] { return training().state() == state; });
  }
  // A network that misses a class is not recommended, and the card says which.
  [[nodiscard]] bool recommends_what_finds_all_classes() {
    const std::vector<double>& f1 =
        training().progress().curves.at(static_cast<std::size_t>(training().end()->best_epoch - 1)).f1;
    const bool misses = std::any_of(f1.begin(), f1.end(), [](double f) { return f < 0.0005; });
    const bool is_primary = button("Accept")->property("role").toString() == QLatin1String("primary");
    return is_primary != misses && says("Not found in the validation data") == misses;
  }
  [[nodiscard]] bool ends_epochs(std::size_t count) {
    return test::wait_for_work([&] { return training().progress().curves.size() >= count; });
  }
};

}  // namespace

class TrainingTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().set(QStringLiteral("dark"));
  }

  // Closed while it trains, the command line goes on from the checkpoint with the same settings.
  void a_training_goes_on_in_the_background() {
    const test::NewHome home;
    QVERIFY(home.enter());
    const test::StandInPrograms programs;
    programs.program("notify-send", "true");
    programs.command_line("for word in \"$@\"; do echo \"$word\"; done > " + programs.path("part").toUtf8() + "; mv " +
                          programs.path("part").toUtf8() + " " + programs.path("words").toUtf8());
    QString folder;
    {
      TrainingStudio s;
      QVERIFY(s.show_painted());
      s.folder.setAutoRemove(false);
      folder = s.folder.path();
      s.type("Epochs", 100000);
      QVERIFY(s.press("Train"));
      QVERIFY(test::wait_for_work([&] { return !s.training().written_checkpoint().isEmpty(); }));
      const test::Answer goes_on(QStringLiteral("Go on in the background"), "training_goes_on");
      QVERIFY(s.window.close());
      QVERIFY2(goes_on.words.contains("continues from its last checkpoint"), qPrintable(goes_on.words));
    }
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(programs.path("words")), test::patience_ms);
    const QStringList words = QString::fromUtf8(programs.text("words")).split('\n');
    QCOMPARE(words.value(0), QString("train"));
    const auto after = [&](const QString& name) { return words.value(words.indexOf(name) + 1); };
    QCOMPARE(after("-o"), QDir(folder).filePath("p-network.safetensors"));
    QVERIFY(words.contains("--resume") && after("--epochs") == "100000" && after("--patch") == "16");
    QVERIFY2(after("--network").contains("depth=3"), qPrintable(after("--network")));
    QVERIFY(train::read_checkpoint_head(after("--checkpoint").toStdString()).ok());
    Document copy;
    QVERIFY(copy.open(words.value(1)).ok());
    QVERIFY(!train::example_nodes(copy.graph()).empty());
    QDir(folder).removeRecursively();
  }

  void from_strokes_to_an_accepted_network() {
    TrainingStudio s;
    QVERIFY(s.show_painted());
    QVERIFY(s.panel().isVisible());  // strokes and a network: the page is open by itself
    test::keep_picture(s.window, "training-before");
    QVERIFY(s.session.info("network", "labels") == nullptr);  // no network is chosen
    s.type("Epochs", 100000);
    auto& app = *static_cast<test::WatchedApplication*>(qApp);
    app.forget();
    QVERIFY(s.press("Train"));
    QVERIFY(s.ends_epochs(3));
    // The window never stalls for long; how long depends on the machine.
    const test::WatchedApplication::Stall stall =
        app.stalls().empty() ? test::WatchedApplication::Stall{} : app.stalls().front();
    qInfo("longest stall while training: %.1f ms of processor time, %.1f ms by the clock: %s", stall.processor_ms,
          stall.wall_ms, qPrintable(stall.what));
    if (const int budget = qEnvironmentVariableIntValue("TL_STALL_BUDGET_MS"); budget > 0)
      QVERIFY(stall.processor_ms <= budget);
    QCOMPARE(s.training().progress().classes.size(), std::size_t{2});
    // The best network so far labels what is on screen, and the pipeline has none yet.
    QVERIFY(test::wait_for_work([&] { return s.session.info("network", "labels") != nullptr; }));
    QCOMPARE(s.model(), std::string());
    auto* activity = s.window.findChild<QLabel*>("activity");
    QVERIFY(activity->text().contains("training"));
    test::keep_picture(s.window, "training-running");
    QVERIFY(s.press("Pause"));
    QVERIFY(s.reaches(JobState::paused));
    QVERIFY(s.says("Paused"));
    const int64_t paused = s.training().progress().step;
    QVERIFY(s.press("Go on"));
    QVERIFY(test::wait_for_work([&] { return s.training().progress().step > paused; }));
    QVERIFY(s.press("Take the best"));
    QVERIFY(s.reaches(JobState::ended));
    auto* card = s.panel().findChild<JobCard*>();
    QVERIFY(card->isVisible());
    QTRY_VERIFY(s.says("Macro F1") && s.says("foam") && s.says("p-network.safetensors"));
    QVERIFY(s.recommends_what_finds_all_classes());
    const PlotContent& f1 = s.panel().plots().plot(1).content();
    QCOMPARE(f1.series.size(), std::size_t{3});  // two classes and their mean
    QVERIFY(f1.series[0].own_color.has_value());
    QCOMPARE(f1.series[0].x.size(), s.training().progress().curves.size());
    QCOMPARE(s.panel().plots().plot(0).content().series.size(), std::size_t{2});
    test::keep_picture(s.window, "training-ended");
    // It is not saved yet: neither another training nor another pipeline takes its place without a question.
    QVERIFY(s.press("Train again", "Stay"));
    QVERIFY(s.training().state() == JobState::ended);
    s.document.undo_stack().setClean();
    test::answer("Stay");
    QVERIFY(!s.window.close() && s.training().state() == JobState::ended);
    Theme::instance().set(QStringLiteral("light"));
    test::keep_picture(s.window, "training-ended-light");
    Theme::instance().set(QStringLiteral("dark"));
    // Runs use the pipeline as it is set: there the node has no network.
    std::optional<live::RunEnd> run;
    connect(&s.session, &LiveSession::run_finished, this, [&](const live::RunEnd& end) { run = end; });
    s.session.run_to({QStringLiteral("network")});
    QVERIFY(test::wait_for_work([&] { return run.has_value(); }));
    QVERIFY(run->error && run->error->message().find("no network is chosen") != std::string::npos);
    disconnect(&s.session, nullptr, this, nullptr);
    QVERIFY(test::wait_for_work([&] { return s.session.info("network", "labels") != nullptr; }));
    const int steps = s.document.undo_stack().index();
    QVERIFY(s.press("Accept"));
    QCOMPARE(s.document.undo_stack().index(), steps + 1);
    const std::string saved = s.file("p-network.safetensors").toStdString();
    QCOMPARE(s.model(), saved);
    QVERIFY(QFile::exists(s.file("p-network.safetensors")) && !QFile::exists(s.file("p.strokes.checkpoint")));
    QVERIFY(s.has_message("p-network.safetensors"));
    QVERIFY(!card->isVisible());
    s.document.undo_stack().undo();
    QCOMPARE(s.model(), std::string());
    s.document.undo_stack().redo();
    QCOMPARE(s.model(), saved);
    QVERIFY(s.document.save(s.file("p.json")).ok());
    std::ostringstream text;
    text << std::ifstream(s.file("p.json").toStdString()).rdbuf();
    QVERIFY(text.str().find("\"p-network.safetensors\"") != std::string::npos);  // relative to the pipeline
    QVERIFY(test::wait_for_work([&] { return s.session.info("network", "labels") != nullptr; }));
    test::keep_picture(s.window, "training-accepted");
  }

  void a_stopped_training_is_resumed_also_in_another_window() {
    TrainingStudio s;
    QVERIFY(s.show_painted());
    QVERIFY(s.press("Train"));
    QVERIFY(s.ends_epochs(1));
    QVERIFY(s.press("Stop"));
    QVERIFY(s.reaches(JobState::idle));
    QVERIFY(QFile::exists(s.file("p.strokes.checkpoint")));
    QVERIFY(s.button("Resume") != nullptr && s.says("was stopped"));
    test::keep_picture(s.window, "training-resume");
    s.type("Depth", 4);
    QVERIFY(s.button("Resume") == nullptr && s.says("other settings"));
    s.type("Depth", 3);
    QVERIFY(s.press("Resume"));
    QVERIFY(test::wait_for_work([&] { return s.training().progress().phase == jobs::JobPhase::working; }));
    const std::size_t before = s.training().progress().curves.size();
    QVERIFY(before >= 1);  // the curves go on
    QVERIFY(s.ends_epochs(before + 1));
    // Another pipeline is opened: what was learned is kept.
    s.document.reset({});
    QCOMPARE(s.training().state(), JobState::idle);
    QVERIFY(s.button("Train") != nullptr && !s.button("Train")->isEnabled() && s.says("Nothing is painted"));
    train::TrainingPlan other;
    other.settings["depth"] = 7;
    s.training().set_plan(other);
    QVERIFY(s.document.open(s.file("p.json")).ok());
    QCOMPARE(s.training().plan().settings.at("depth"), int64_t{3});  // as it was begun with
    QVERIFY(s.press("Resume"));
    QVERIFY(s.ends_epochs(before + 2));
    QVERIFY(s.press("Take the best"));
    QVERIFY(s.reaches(JobState::ended));
    QVERIFY(s.press("Reject"));
    QCOMPARE(s.model(), std::string());
    QVERIFY(!QFile::exists(s.file("p.strokes.checkpoint")) && s.button("Resume") == nullptr);
  }

  void what_is_missing_is_reported_in_place() {
    TrainingStudio s;
    Graph graph = test::painted_phantom(s.file("p.strokes").toStdString(), 1);
    const GraphNode painted = graph.nodes.at("paint");
    graph.nodes.erase("network");
    graph.links.pop_back();
    graph.nodes["paint"].params.clear();
    QVERIFY(s.show(graph));
    QVERIFY(s.window.learning_panel().isVisible());
    s.window.findChild<QTabBar*>()->setCurrentIndex(1);
    QVERIFY(!s.button("Train")->isEnabled() && s.says("Nothing is painted"));
    test::keep_picture(s.window, "training-nothing-painted");
    s.document.edit("paint", [&](Graph& g) { g.nodes["paint"] = painted; });
    QVERIFY(!s.button("Train")->isEnabled() && s.says("No node of this pipeline applies a network"));
    QVERIFY(s.press("Add the node Network"));
    QVERIFY(s.document.graph().link_into("network", "volume") != nullptr);
    QVERIFY(s.press("Train"));
    QVERIFY(test::wait_for_work([&] { return !s.training().failure().isEmpty(); }));
    QCOMPARE(s.training().state(), JobState::idle);
    QVERIFY(s.says("only one class is labelled") && s.says("at least two classes"));
    QVERIFY(s.has_message("only one class is labelled"));
    test::keep_picture(s.window, "training-one-class");
    const std::string file = s.file("p.strokes").toStdString();
    const int64_t second = test::paint_line(file, 1, 20, 20, 2);
    s.document.edit("paint", [&](Graph& g) { g.nodes["paint"].params["stroke"] = second; });
    for (QToolButton* fold : s.panel().findChildren<QToolButton*>())
      if (fold->text() == "How it is trained") QTest::mouseClick(fold, Qt::LeftButton);
    s.type("Gap", 1000);
    QVERIFY(s.press("Train"));
    QVERIFY(test::wait_for_work([&] { return s.training().failure().contains("nothing to validate with"); }));
    QVERIFY(s.says("smaller gap"));
    test::keep_picture(s.window, "training-nothing-to-validate");
  }

  // A volume and its labels, linked to Examples: nothing is painted; the checkpoint lies next to the pipeline.
  void examples_alone_are_enough() {
    TrainingStudio s;
    Graph graph = test::painted_phantom(s.file("p.strokes").toStdString());
    graph.nodes.erase("paint");
    graph.nodes["examples"] = {"input.examples", 1, {}};
    graph.links = {{"phantom", "volume", "network", "volume"},
                   {"phantom", "volume", "examples", "volume"},
                   {"phantom", "labels", "examples", "labels"}};
    QVERIFY(s.show(graph));
    QVERIFY(s.document.save(s.file("p.json")).ok());
    s.type("Depth", 3);
    s.type("Patches of", 16);
    s.type("Steps in each", 4);
    s.type("Epochs", 2);
    test::keep_picture(s.window, "training-examples");
    QVERIFY(s.press("Train"));
    QVERIFY(s.ends_epochs(2));
    QVERIFY(s.reaches(JobState::ended));
    QVERIFY2(s.training().failure().isEmpty(), qPrintable(s.training().failure()));
    QVERIFY(QFile::exists(s.file("p.json.checkpoint")));
  }

  void a_u_net_in_batches() {
    TrainingStudio s;
    QVERIFY(s.show_painted());
    auto* begin = s.field<QComboBox>("Begin with");
    QVERIFY(begin != nullptr && begin->count() == 4);
    const auto is_shown = [&](const char* name) { return s.field<QAbstractSpinBox>(name)->isVisible(); };
    QVERIFY(is_shown("Depth") && !is_shown("Width"));
    begin->setFocus();
    QTest::keyClick(begin, Qt::Key_Down);
    QCOMPARE(begin->currentText(), QString("a new U-Net"));
    QVERIFY(!is_shown("Depth") && is_shown("Width"));
    s.type("Width", 2);
    for (QToolButton* fold : s.panel().findChildren<QToolButton*>())
      if (fold->text() == "How it is trained") QTest::mouseClick(fold, Qt::LeftButton);
    s.type("Patches in a step", 2);
    s.type("Epochs", 1);
    test::keep_picture(s.window, "training-u-net");
    QVERIFY(s.press("Train"));
    QVERIFY(s.reaches(JobState::ended));
    QVERIFY2(s.training().failure().isEmpty(), qPrintable(s.training().failure()));
    QTRY_VERIFY(s.recommends_what_finds_all_classes());
    QVERIFY(s.press("Accept"));
    std::ostringstream bytes;
    bytes << std::ifstream(s.file("p-network.safetensors").toStdString(), std::ios::binary).rdbuf();
    QVERIFY(bytes.str().find("unet4") != std::string::npos);
  }

  void a_pipeline_without_a_file_asks_for_the_name() {
    TrainingStudio s;
    QVERIFY(s.show(test::painted_phantom(s.file("q.strokes").toStdString())));
    s.type("Depth", 2);
    s.type("Patches of", 16);
    s.type("Epochs", 1);
    s.type("Steps in each", 2);
    QVERIFY(s.press("Train"));
    s.window.workspaces().show(Workspace::see);
    QVERIFY(!s.panel().isVisible());
    QVERIFY(s.reaches(JobState::ended));
    // The end is reported where the panel is not visible, and leads to it.
    QVERIFY(s.window.notices().done().text().contains("macro F1"));
    test::keep_picture(s.window, "training-reported");
    QVERIFY(static_cast<test::Studio&>(s).press("Show the result"));
    QVERIFY(s.panel().isVisible() && s.panel().plots().isVisible());
    QTRY_VERIFY(s.says("Accept asks for a file"));
    QVERIFY(test::answer_file_dialog(s.window, s.file("mine.safetensors"), [&] { QVERIFY(s.press("Accept")); }));
    QCOMPARE(s.model(), s.file("mine.safetensors").toStdString());
    QVERIFY(QFile::exists(s.file("mine.safetensors")));
  }
};

TL_TEST_CASE(TrainingTest)

}  // namespace tl::ui::training_test

#include "training.moc"
