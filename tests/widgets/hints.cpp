// Hints in the studio: they appear for a scan with defects, their nodes are added by a click as one step, and dismissed
// ones do not come back. The automatic pipeline of a scan follows the sure ones by itself, unless it was changed.
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

#include "core/run/automatic/automatic.h"
#include "tests/support/gui/studio.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"
#include "widgets/window/files/data_tree.h"
#include "widgets/window/help/help_window.h"
#include "widgets/window/hint_bar.h"

namespace tl::ui::hints_test {

using test::Studio;

namespace {

using test::patience_ms;

Graph pipeline(double stripes, double zingers) {
  Graph graph;
  GraphNode& scan = graph.nodes["scan"];
  scan.type = "input.simulate_scan";
  scan.params = {
      {"phantom", std::string("geode")}, {"views", int64_t{180}},         {"rows", int64_t{48}}, {"cols", int64_t{96}},
      {"stripes", Number{stripes, {}}},  {"zingers", Number{zingers, {}}}};
  graph.nodes["flat_field"].type = "correct.flat_field";
  graph.nodes["fbp"].type = "recon.fbp";
  graph.links = {{"scan", "projections", "flat_field", "projections"},
                 {"flat_field", "projections", "fbp", "projections"}};
  return graph;
}

QPushButton* visible_button(QWidget& in, const QString& name) {
  for (QPushButton* b : in.findChildren<QPushButton*>(name))
    if (b->isVisible()) return b;
  return nullptr;
}

// Writes a scan of transmission, with or without zingers.
bool write_scan(Studio& studio, const QString& file, double zingers) {
  Graph graph = pipeline(0, zingers);
  graph.nodes["flat_field"].params["logarithm"] = std::string("off");
  graph.nodes["save"].type = "output.save_projections";
  graph.nodes["save"].params["file"] = file.toStdString();
  graph.nodes.erase("fbp");
  graph.links.back() = {"flat_field", "projections", "save", "projections"};
  QSignalSpy ended(&studio.session, &LiveSession::run_finished);
  studio.document.reset(graph);
  studio.session.run_all();
  return QTest::qWaitFor([&] { return !ended.isEmpty(); }, patience_ms) && QFileInfo::exists(file);
}

bool has_node(const Graph& graph, const char* type) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) { return n.second.type == type; });
}

}  // namespace

class HintsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void a_hint_is_added_undone_and_dismissed() {
    Studio studio;
    QVERIFY(studio.open());
    studio.document.reset(pipeline(0.04, 1e-3));
    studio.window.show_main_page();
    auto* bar = studio.window.findChild<HintBar*>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), patience_ms);
    QCOMPARE(bar->shown().size(), std::size_t{2});
    test::keep_picture(studio.window, QStringLiteral("hints_dark"));
    QVERIFY(visible_button(*bar, "add_hint")->text().contains("Rings"));
    QTest::mouseClick(bar->findChild<QToolButton*>("more_hints"), Qt::LeftButton);
    test::keep_picture(studio.window, QStringLiteral("hints_all_dark"));
    QTest::mouseClick(bar->findChild<QToolButton*>("more_hints"), Qt::LeftButton);

    const Graph before = studio.document.graph();
    const int steps = studio.document.undo_stack().count();
    QTest::mouseClick(visible_button(*bar, "add_hint"), Qt::LeftButton);
    QCOMPARE(studio.document.undo_stack().count(), steps + 1);
    const Graph with = studio.document.graph();
    QCOMPARE(with.nodes.at("stripe_automatic").type, std::string("correct.stripe_automatic"));
    QCOMPARE(with.link_into("stripe_automatic", "projections")->from_node, std::string("flat_field"));
    QCOMPARE(with.link_into("fbp", "projections")->from_node, std::string("stripe_automatic"));
    QCOMPARE(studio.selection.current(), QString("fbp"));  // the slice stays in view and shows the effect
    QCOMPARE(bar->shown().size(), std::size_t{1});
    test::keep_picture(studio.window, QStringLiteral("hints_added"));
    studio.document.undo_stack().undo();
    QVERIFY(studio.document.graph() == before);
    QCOMPARE(bar->shown().size(), std::size_t{2});

    QTest::mouseClick(visible_button(*bar, "dismiss_hint"), Qt::LeftButton);
    QCOMPARE(bar->shown().size(), std::size_t{1});
    QTest::mouseClick(visible_button(*bar, "dismiss_hint"), Qt::LeftButton);
    QTRY_VERIFY(!bar->isVisible());
    // They stay dismissed in the file, and nowhere else.
    const QString file = studio.folder.filePath("a.json");
    QVERIFY(studio.document.save(file).ok());
    QVERIFY(studio.document.open(file).ok());
    QVERIFY(!bar->isVisible());
    studio.document.reset(pipeline(0.04, 1e-3));
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), patience_ms);
    Theme::instance().set(QStringLiteral("light"));
    test::keep_picture(studio.window, QStringLiteral("hints_light"));
    Theme::instance().set(QStringLiteral("dark"));
  }

  // Each hint leads to the page of the guide that says what it means.
  void a_hint_is_explained() {
    Studio studio;
    QVERIFY(studio.open());
    studio.document.reset(pipeline(0.04, 1e-3));
    studio.window.show_main_page();
    auto* bar = studio.window.findChild<HintBar*>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), patience_ms);
    QVERIFY(studio.press("Explain"));
    auto* help = studio.window.findChild<HelpWindow*>();
    QVERIFY(help != nullptr);
    QTRY_VERIFY(help->isVisible());
    QString words, text;  // of the page in front
    for (const auto* line : help->findChildren<QLineEdit*>())
      if (line->isVisible()) words = line->text();
    for (const auto* page : help->findChildren<QTextBrowser*>())
      if (page->isVisible()) text = page->toPlainText();
    QCOMPARE(words, QString("rings hints"));
    QVERIFY2(text.contains("rings", Qt::CaseInsensitive), qPrintable(text));
    help->close();
  }

  // The pipeline is there at once; the node follows when the hints come, says why, and undo takes it back for good.
  void the_automatic_pipeline_follows_sure_hints() {
    Studio studio;
    QVERIFY(studio.open());
    const QString file = studio.folder.filePath("scan.nx");
    QVERIFY(write_scan(studio, file, 1e-3));
    studio.document.reset({});
    studio.drop(file);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.document.graph().nodes.empty(), patience_ms);
    const Graph chosen = studio.document.graph();
    QVERIFY(has_node(chosen, "recon.fbp") && !has_node(chosen, "correct.zingers"));
    QTRY_VERIFY_WITH_TIMEOUT(has_node(studio.document.graph(), "correct.zingers"), patience_ms);
    QCOMPARE(studio.document.undo_stack().count(), 1);
    QVERIFY(!studio.document.is_modified());  // nothing of the user's is in it
    QVERIFY(studio.has_message("Zingers: ") && studio.has_message("Therefore Zinger removal was added"));
    QVERIFY(problems(studio.document.graph(), studio.document.registry()).empty());
    auto* bar = studio.window.findChild<HintBar*>();
    QVERIFY(!bar->isVisible());
    test::keep_picture(studio.window, QStringLiteral("hints_followed"));
    studio.document.undo_stack().undo();
    QVERIFY(studio.document.graph() == chosen);
    QVERIFY(bar->isVisible());
    // Another scan is examined from the start, and what was known of the one before does not count for it.
    const QString clean = studio.folder.filePath("clean.nx");
    QVERIFY(write_scan(studio, clean, 0));
    int answers = 0;
    connect(&studio.window.files(), &FileFlows::entered, this, [&] { answers = 0; });
    connect(&studio.session, &LiveSession::hints_changed, this, [&] { ++answers; });
    studio.document.reset({});
    studio.drop(clean);
    QTRY_VERIFY_WITH_TIMEOUT(has_node(studio.document.graph(), "recon.fbp") && answers > 0, patience_ms);
    QVERIFY(studio.session.hints().empty());
    QVERIFY(!has_node(studio.document.graph(), "correct.zingers"));
    QCOMPARE(studio.document.undo_stack().count(), 0);
  }

  void a_changed_pipeline_is_left_alone() {
    Studio studio;
    QVERIFY(studio.open());
    const QString file = studio.folder.filePath("scan.nx");
    QVERIFY(write_scan(studio, file, 1e-3));
    studio.document.reset({});
    connect(&studio.window.files(), &FileFlows::entered, this, [&] {
      studio.document.edit("Filter", [](Graph& g) { g.nodes["fbp"].params["filter"] = std::string("cosine"); });
    });
    studio.drop(file);
    auto* bar = studio.window.findChild<HintBar*>();
    QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), patience_ms);
    QVERIFY(!has_node(studio.document.graph(), "correct.zingers"));
    QCOMPARE(studio.document.undo_stack().count(), 1);
    studio.document.undo_stack().setClean();
  }

  void the_example_has_none() {
    Studio studio;
    QVERIFY(studio.open_example());
    QSignalSpy looked(&studio.session, &LiveSession::hints_changed);
    QTRY_VERIFY_WITH_TIMEOUT(!looked.isEmpty(), patience_ms);
    QVERIFY(studio.session.hints().empty());
    QVERIFY(!studio.window.findChild<HintBar*>()->isVisible());
  }

  // What `tomoloom info` doubts about a scan is shown in the data tree, in the same words; with the setting that the
  // doubt names it is gone.
  void doubts_of_a_scan_are_in_the_data_tree() {
    Studio studio;
    QVERIFY(studio.open());
    const QString file = studio.folder.filePath("closed.h5");
    constexpr hsize_t rows = 8, cols = 32, flats = 9, closed = 4, views = 24;
    {
      test::Hdf5Maker h5(file.toStdString());
      std::vector<float> white(flats * rows * cols, 60000);
      std::fill_n(white.begin() + closed * rows * cols, rows * cols, 100.0F);
      h5.numbers<float>("/exchange/data", {views, rows, cols}, std::vector<float>(views * rows * cols, 50000));
      h5.numbers<float>("/exchange/data_white", {flats, rows, cols}, white);
      h5.numbers<float>("/exchange/data_dark", {2, rows, cols}, std::vector<float>(2 * rows * cols, 100));
      h5.numbers<double>("/exchange/theta", {views}, test::ramp(views, 0, 180.0 / views), "deg");
    }
    std::string doubts_text;
    const auto scan = scan_with_settings(file.toStdString(), {}).or_throw();
    for (const io::Doubt& doubt : scan.doubts) doubts_text += doubt.text();
    QVERIFY2(doubts_text.find("1 of 9 flats is left out") != std::string::npos, doubts_text.c_str());
    const auto doubts = [&] {
      QStringList all;
      const QAbstractItemModel& tree = *studio.window.findChild<DataTree*>()->model();
      const QModelIndex top = tree.index(0, 0);
      for (int row = 0; row < tree.rowCount(top); ++row)
        if (tree.index(row, ScanModel::name_column, top).data().toString() == "doubt")
          all << tree.index(row, ScanModel::value_column, top).data().toString();
      return all;
    };
    studio.drop(file);
    QTRY_VERIFY(doubts().size() == 1);
    QCOMPARE(doubts().front(), window_text(doubts_text));
    // The bar below names fields of forms, not options.
    const auto* bar = studio.window.findChild<HintBar*>();
    QVERIFY(bar != nullptr);
    const auto shown = [&] {
      QString text;
      for (const QLabel* label : bar->findChildren<QLabel*>()) text += label->text() + QChar('\n');
      return text;
    };
    QTRY_VERIFY(shown().contains("flats is left out"));
    QVERIFY2(!shown().contains("--") && shown().contains("in the form of the load node"), qPrintable(shown()));
    for (const char* theme : {"dark", "light"}) {
      Theme::instance().set(QLatin1String(theme));
      test::keep_picture(studio.window, QStringLiteral("doubts-%1").arg(QLatin1String(theme)), 2000);
    }
    studio.document.edit("Keep", [](Graph& g) { g.nodes.at("load").params["odd_references"] = std::string("keep"); });
    QTRY_VERIFY(doubts().size() == 1 && doubts().front().contains("is used, as asked for"));
    studio.document.undo_stack().setClean();
  }
};

TL_TEST_CASE(HintsTest)

}  // namespace tl::ui::hints_test

#include "hints.moc"
