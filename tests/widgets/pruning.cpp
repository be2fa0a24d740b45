// Pruning of a network in a real window, with mouse and keys: from the network of a node to a smaller one,
// and what it says where it cannot prune.
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>

#include "core/net/counts.h"
#include "core/net/files/network_file.h"
#include "tests/support/gui/page_studio.h"
#include "tests/support/gui/watched_application.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/small_network.h"
#include "tests/support/test_case.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/session/pruning_session.h"
#include "widgets/theme/theme.h"
#include "widgets/training/pruning_card.h"
#include "widgets/training/pruning_panel.h"
#include "widgets/training/pruning_plots.h"
#include "widgets/training/pruning_table.h"
#include "widgets/window/notices.h"

namespace tl::ui::pruning_test {

namespace {

struct PruningStudio : test::PageStudio {
  [[nodiscard]] PruningPanel& panel() { return window.pruning_panel(); }
  [[nodiscard]] QScrollArea& page() override { return panel(); }
  [[nodiscard]] PruningSession& pruning() { return window.pruning(); }
  [[nodiscard]] QAbstractItemModel& rows() { return *panel().findChild<PruningTable*>()->model(); }

  void open_page() {
    auto* tabs = window.findChild<QTabBar*>();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(2).center());
  }
  // The pipeline, whose node names a network of 15 filters, as p.json.
  [[nodiscard]] bool show_with_network(Graph graph) {
    const std::string network = file("net.safetensors").toStdString();
    test::write_small_network(network, 5);
    graph.nodes.at("network").params["model"] = network;
    if (!show(graph) || !document.save(file("p.json")).ok()) return false;
    open_page();
    return panel().isVisible();
  }
  [[nodiscard]] Graph painted() { return test::painted_phantom(file("p.strokes").toStdString()); }
  [[nodiscard]] Graph unpainted() {
    Graph graph = painted();
    graph.nodes.at("paint").params.erase("stroke");
    return graph;
  }
  // Trains a network of 21 filters and accepts it; its macro F1, or 0.
  [[nodiscard]] double trained() {
    train::TrainingPlan plan;
    plan.depth = 6;
    plan.patch = 16;
    plan.gap = 2;
    plan.epochs = 16;
    plan.steps = 6;
    plan.rate = 3e-3;
    TrainingSession& training = window.training();
    training.set_plan(plan);
    training.start();
    if (!test::wait_for_work([&] { return training.state() == TrainingState::ended; })) return 0;
    const auto best = static_cast<std::size_t>(training.best_epoch() - 1);
    const double score = training.progress().curves.at(best).macro_f1;
    return training.accept(training.suggested_file()).ok() ? score : 0;
  }
  // A pruning of a moment, in two steps.
  void type_small_plan() {
    train::TrainingPlan samples;  // of the tab Network
    samples.patch = 16;
    samples.gap = 2;
    window.training().set_plan(samples);
    type("Keep", 30);
    type("Steps", 2);
  }
  [[nodiscard]] bool reaches(PruningState state) {
    return test::wait_for_work([&] { return pruning().state() == state; });
  }
  // What was written.
  [[nodiscard]] QStringList files() {
    return QDir(folder.path()).entryList({"*pruned*", "*small*"}, QDir::Files | QDir::Hidden, QDir::Name);
  }
};

int64_t parameters_of(const QString& file) {
  return net::counts_of(net::read_network(file.toStdString()).or_throw()).or_throw().parameters();
}

}  // namespace

class PruningTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().set(QStringLiteral("dark"));
  }

  void from_the_network_that_was_just_trained_to_a_smaller_one() {
    PruningStudio s;
    QVERIFY(s.show(s.painted()) && s.document.save(s.file("p.json")).ok());
    const double trained = s.trained();
    QVERIFY(trained > 0);
    s.open_page();
    QCOMPARE(s.field<QLineEdit>("Network to prune")->text(), QString("p-network.safetensors"));
    QCOMPARE(s.field<QLineEdit>("Name of the pruned network")->text(), QString("p-network-pruned.safetensors"));
    s.type("Keep", 20);
    s.type("Steps", 4);
    s.type("Trained for", 3);
    s.type("Steps in each", 6);
    QCOMPARE(s.pruning().plan().keep, 0.2);
    QCOMPARE(s.pruning().plan().epoch_steps, int64_t{6});
    test::keep_picture(s.window, "pruning-before");
    auto& app = *static_cast<test::WatchedApplication*>(qApp);
    app.forget();
    QVERIFY(s.press("Prune"));
    QVERIFY(s.reaches(PruningState::ended));
    QVERIFY(s.press("Prune again", "Stay"));
    QVERIFY(s.pruning().state() == PruningState::ended);
    const test::WatchedApplication::Stall stall =
        app.stalls().empty() ? test::WatchedApplication::Stall{} : app.stalls().front();
    qInfo("longest stall while pruning: %.1f ms of processor time, %.1f ms by the clock: %s", stall.processor_ms,
          stall.wall_ms, qPrintable(stall.what));
    if (const int budget = qEnvironmentVariableIntValue("TL_STALL_BUDGET_MS"); budget > 0)
      QVERIFY(stall.processor_ms <= budget);
    // A point for the network before, and one for each step; the training has its own curve.
    const PlotContent& f1 = s.panel().plots().f1().content();
    QCOMPARE(f1.series.size(), std::size_t{4});  // two classes, their mean, and the mean in training
    QCOMPARE(f1.series[2].x, (std::vector<double>{0, 1, 2, 3, 4}));
    QCOMPARE(f1.series[2].y[0], trained);              // judged by what judged its training
    QCOMPARE(f1.series[3].x.size(), std::size_t{16});  // of each step: just cut, and three epochs
    const PlotContent& kept = s.panel().plots().kept().content();
    QCOMPARE(kept.series[1].y[0], 100.0);
    QVERIFY(kept.series[1].y[4] < kept.series[1].y[3] && kept.series[1].y[1] < 100);
    QCOMPARE(s.rows().rowCount(), 5);
    QCOMPARE(s.rows().index(0, PruningTableModel::filters).data().toString(), QString("21"));
    QVERIFY(!s.rows().index(4, PruningTableModel::cut).data().toString().isEmpty());
    QVERIFY(s.panel().findChild<PruningCard*>()->isVisible());
    QTRY_VERIFY(s.says("of 21") && s.says("Macro F1") && s.says("Save writes p-network-pruned.safetensors"));
    test::keep_picture(s.window, "pruning-ended");
    s.panel().ensureWidgetVisible(s.panel().findChild<PruningTable*>());
    test::keep_picture(s.window, "pruning-table");
    Theme::instance().set(QStringLiteral("light"));
    test::keep_picture(s.window, "pruning-table-light");
    Theme::instance().set(QStringLiteral("dark"));
    const int steps = s.document.undo_stack().index();
    const std::string before = s.model();
    QVERIFY(s.press("Save"));
    QCOMPARE(s.files(), (QStringList{"p-network-pruned.report.json", "p-network-pruned.safetensors"}));
    QVERIFY(s.has_message("p-network-pruned.safetensors"));
    QTRY_VERIFY(s.says("Saved as p-network-pruned.safetensors"));
    QCOMPARE(s.document.undo_stack().index(), steps);
    QVERIFY(s.press("Use it"));
    QCOMPARE(s.document.undo_stack().index(), steps + 1);
    QCOMPARE(s.model(), s.file("p-network-pruned.safetensors").toStdString());
    QVERIFY(!s.panel().findChild<PruningCard*>()->isVisible());
    QVERIFY(parameters_of(s.file("p-network-pruned.safetensors")) < parameters_of(s.file("p-network.safetensors")));
    // What the page prunes next is the smaller network.
    QCOMPARE(s.field<QLineEdit>("Network to prune")->text(), QString("p-network-pruned.safetensors"));
    QCOMPARE(s.field<QLineEdit>("Name of the pruned network")->text(), QString("p-network-pruned-2.safetensors"));
    test::keep_picture(s.window, "pruning-used");
    s.document.undo_stack().undo();
    QCOMPARE(s.model(), before);
    s.document.undo_stack().redo();
    QCOMPARE(s.model(), s.file("p-network-pruned.safetensors").toStdString());
  }

  void keys_alone_prune_without_labels() {
    PruningStudio s;
    QVERIFY(s.show_with_network(s.unpainted()));
    QVERIFY(s.says("Nothing is labelled in this pipeline"));
    QVERIFY(!s.field<QSpinBox>("Trained for")->isEnabled());
    test::keep_picture(s.window, "pruning-nothing-painted");
    s.type_small_plan();
    auto* method = s.field<QComboBox>("Method");
    method->setFocus();
    QTest::keyClicks(method, "L1");
    QTest::keyClick(method, Qt::Key_Return);
    QCOMPARE(s.pruning().plan().method, net::PruneMethod::l1);
    s.button("Prune")->setFocus();
    QTest::keyClick(s.button("Prune"), Qt::Key_Space);
    QVERIFY(s.reaches(PruningState::ended));
    QCOMPARE(s.rows().rowCount(), 3);
    auto* table = s.panel().findChild<PruningTable*>();
    QVERIFY(table->isVisible() && table->isColumnHidden(PruningTableModel::trained));
    QVERIFY(!s.panel().plots().f1().isVisible() && s.panel().plots().kept().isVisible());
    test::keep_picture(s.window, "pruning-without-labels");
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
    QVERIFY(lines.value(0).startsWith("Step\tFilters") && lines.value(1).startsWith("0\t15\t100.0\t"));
    QVERIFY(s.press("Reject"));
    QVERIFY(s.pruning().state() == PruningState::idle && s.files().isEmpty());
  }

  void an_existing_file_is_asked_about() {
    PruningStudio s;
    QVERIFY(s.show_with_network(s.unpainted()));
    s.type_small_plan();
    QFile there(s.file("small.onnx"));
    QVERIFY(there.open(QIODevice::WriteOnly) && there.write("mine") == 4);
    there.close();
    auto* name = s.field<QLineEdit>("Name of the pruned network");
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, "small.onnx");
    QTest::keyClick(name, Qt::Key_Return);
    QVERIFY(s.press("Prune"));
    QVERIFY(s.reaches(PruningState::ended));
    QVERIFY(s.press("Save", "Cancel"));
    QCOMPARE(QFileInfo(there).size(), qint64{4});
    QVERIFY(!s.pruning().saved_as());
    // Saved by using it.
    QVERIFY(s.press("Use it", "Replace"));
    QCOMPARE(s.files(), (QStringList{"small.onnx", "small.report.json"}));
    QCOMPARE(s.model(), s.file("small.onnx").toStdString());
    QVERIFY(parameters_of(s.file("small.onnx")) < parameters_of(s.file("net.safetensors")));
    // Never over the network that is pruned.
    s.document.undo_stack().undo();
    s.pruning().set_output("net.safetensors");
    QVERIFY(s.press("Prune"));
    QVERIFY(s.reaches(PruningState::ended));
    QVERIFY(s.press("Save", "Replace"));
    QVERIFY(s.says("Not saved") && s.says("input"));
    test::keep_picture(s.window, "pruning-not-saved");
  }

  void it_pauses_and_stops_and_closing_asks() {
    PruningStudio s;
    QVERIFY(s.show_with_network(s.painted()));
    s.type_small_plan();
    s.type("Trained for", 3);
    s.type("Steps in each", 1000000);
    QVERIFY(s.press("Prune"));
    QVERIFY(test::wait_for_work([&] { return s.pruning().progress().done > 0; }));
    QVERIFY(s.window.findChild<QLabel*>("activity")->text().contains("pruning"));
    test::keep_picture(s.window, "pruning-running");
    QVERIFY(s.press("Pause"));
    QVERIFY(s.reaches(PruningState::paused));
    QVERIFY(s.says("Paused"));
    const double paused = s.pruning().progress().done;
    QVERIFY(s.press("Go on"));
    QVERIFY(test::wait_for_work([&] { return s.pruning().progress().done > paused; }));
    test::answer("Stay");
    QVERIFY(!s.window.close() && s.window.isVisible() && s.pruning().is_busy());
    QElapsedTimer clock;
    clock.start();
    QVERIFY(s.press("Stop"));
    QVERIFY(s.reaches(PruningState::idle));
    qInfo("idle %lld ms after Stop", static_cast<long long>(clock.elapsed()));
    QVERIFY(s.files().isEmpty() && s.button("Prune")->isEnabled() && s.pruning().failure().isEmpty());
    QVERIFY(s.press("Prune"));
    QVERIFY(test::wait_for_work([&] { return s.pruning().progress().done > 0; }));
    s.document.undo_stack().setClean();
    test::answer("End and close");
    QVERIFY(s.window.close());
    QVERIFY(s.reaches(PruningState::idle));
  }

  void what_is_missing_is_reported_in_place() {
    PruningStudio s;
    QVERIFY(s.show(s.painted()));
    s.open_page();
    QVERIFY(!s.button("Prune")->isEnabled() && s.says("There is no network to prune"));
    test::keep_picture(s.window, "pruning-no-network");
    QFile damaged(s.file("damaged.safetensors"));
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("no network") > 0);
    damaged.close();
    QVERIFY(test::answer_file_dialog(s.window, s.file("damaged.safetensors"), [&] {
      for (QToolButton* b : s.panel().findChildren<QToolButton*>())
        if (b->accessibleName() == "Choose another network to prune") QTest::mouseClick(b, Qt::LeftButton);
    }));
    QVERIFY(s.press("Prune"));
    QVERIFY(test::wait_for_work([&] { return !s.pruning().failure().isEmpty(); }));
    QVERIFY(s.pruning().state() == PruningState::idle && s.says("damaged.safetensors"));
    QVERIFY(s.has_message("damaged.safetensors"));
    test::keep_picture(s.window, "pruning-damaged");
    // The end is reported where the page is not visible, and leads to it.
    test::write_small_network(s.file("net.safetensors").toStdString(), 5);
    train::PruningPlan plan = s.pruning().plan();
    plan.network = s.file("net.safetensors").toStdString();
    plan.epochs = 0;
    s.pruning().set_plan(plan);
    s.window.workspaces().show(Workspace::see);
    s.pruning().start();
    QVERIFY(s.reaches(PruningState::ended));
    QVERIFY(s.window.notices().done().text().contains("filters are left"));
    QVERIFY(static_cast<test::Studio&>(s).press("Show the result"));
    QVERIFY(s.panel().isVisible() && s.panel().plots().isVisible());
  }
};

TL_TEST_CASE(PruningTest)

}  // namespace tl::ui::pruning_test

#include "pruning.moc"
