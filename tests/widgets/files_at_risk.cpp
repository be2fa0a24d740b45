// Protection of the user's files: the window asks before it follows links out of a scan's folder, and no export
// replaces an input of the pipeline.
#include <QPushButton>
#include <fstream>
#include <iterator>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/data_tree.h"
#include "widgets/window/files/report_flow.h"

namespace tl::ui::files_at_risk_test {

using test::patience_ms;
using test::Studio;

// Answers the question that comes, keeps its words and an image of it.
class Answer : public QObject {
 public:
  Answer(QString button, QString picture) : button_(std::move(button)), picture_(std::move(picture)) {
    timer_.start(50);
    connect(&timer_, &QTimer::timeout, this, [this] { answer(); });
  }
  QString words;

 private:
  void answer() {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !box->isVisible()) return;
    words = box->text() + QLatin1Char('\n') + box->informativeText();
    test::keep_picture(*box, picture_);
    for (QAbstractButton* b : box->buttons())
      if (b->text().remove('&') == button_) QTest::mouseClick(b, Qt::LeftButton);
  }
  QString button_, picture_;
  QTimer timer_;
};

class FilesAtRiskTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void links_out_of_the_folder_are_asked_about();
  void a_pipeline_s_scan_is_asked_about();
  void exports_never_replace_an_input();
};

namespace {

std::string content(const QString& file) {
  std::ifstream in(file.toStdString(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As at a beamline: the frames lie in ../RAW_DATA, and a small file next to the results links them.
QString scan_with_links(const QTemporaryDir& folder) {
  const QDir root(folder.path());
  root.mkpath("RAW_DATA");
  root.mkpath("PROCESSED_DATA");
  test::Hdf5Maker raw(root.filePath("RAW_DATA/frames.h5").toStdString());
  raw.frames<uint16_t>("/data", 4, 3, 5, 100);
  const QString path = root.filePath("PROCESSED_DATA/sample.h5");
  test::Hdf5Maker scan(path.toStdString());
  scan.external_link("../RAW_DATA/frames.h5", "/data", "/exchange/data");
  scan.frames<uint16_t>("/exchange/data_white", 2, 3, 5, 900);
  scan.frames<uint16_t>("/exchange/data_dark", 2, 3, 5, 10);
  scan.numbers<float>("/exchange/theta", {4}, {0, 45, 90, 135});
  return path;
}

}  // namespace

void FilesAtRiskTest::links_out_of_the_folder_are_asked_about() {
  Studio studio;
  QVERIFY(studio.open());
  const QString scan = scan_with_links(studio.folder);
  {
    const Answer no("Don't allow", "outside_links_question");
    studio.drop(scan);
    QTRY_VERIFY(studio.window.messages().count(LogLevel::error) == 1);
    QVERIFY2(no.words.contains("frames.h5") && no.words.contains("sample.h5"), qPrintable(no.words));
  }
  QVERIFY(studio.has_message("outside its own folder"));
  QVERIFY(studio.document.graph().nodes.empty());
  QVERIFY(studio.settings.recent().isEmpty());
  const Answer yes("Allow", {});
  studio.drop(scan);
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  QVERIFY(!yes.words.isEmpty());
  QVERIFY(studio.document.graph().nodes.at("load").params.at("outside_links") == ParamValue(std::string("follow")));
  // The tree of what the scan holds shows it, and names the files.
  auto* tree = studio.window.findChild<DataTree*>();
  const auto row_with = [&](const QString& words) {
    const QModelIndex top = tree->model()->index(0, 0);
    for (int row = 0; row < tree->model()->rowCount(top); ++row)
      for (int column = 0; column < tree->model()->columnCount(top); ++column)
        if (tree->model()->index(row, column, top).data().toString().contains(words)) return true;
    return false;
  };
  QTRY_VERIFY(row_with("frames.h5"));
  QVERIFY(!row_with("cannot be read"));
  test::keep_picture(studio.window, "outside_links_allowed");
}

// A pipeline whose scan links elsewhere, with no leave in it: the same question, when the scan is read.
void FilesAtRiskTest::a_pipeline_s_scan_is_asked_about() {
  Studio studio;
  QVERIFY(studio.open());
  const QString pipeline = studio.folder.filePath("p.json"), scan = scan_with_links(studio.folder);
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, {{"file", scan.toStdString()}}};
  {
    Document other(studio.document.registry());
    other.reset(graph, {});
    QVERIFY(other.save(pipeline).ok());
  }
  const auto links = [&] {
    const auto& params = studio.document.graph().nodes.at("load").params;
    const auto set = params.find("outside_links");
    return set == params.end() ? std::string() : std::get<std::string>(set->second);
  };
  {
    const Answer no("Don't allow", {});
    studio.drop(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(no.words.contains("frames.h5"), patience_ms);
  }
  QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
  QVERIFY(links().empty());
  // Asked again when the pipeline is opened again.
  const Answer yes("Allow", "outside_links_of_a_pipeline");
  studio.drop(pipeline);
  QTRY_VERIFY_WITH_TIMEOUT(links() == "follow", patience_ms);
  studio.document.undo_stack().undo();
  QVERIFY(links().empty());
}

void FilesAtRiskTest::exports_never_replace_an_input() {
  Studio studio;
  const QString scan = studio.folder.filePath("scan.nx"), pipeline = studio.folder.filePath("p.json");
  test::write_disc_scan(scan.toStdString(), {});
  QVERIFY(studio.open());
  studio.drop(scan);
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  QVERIFY(studio.document.save(pipeline).ok());
  const std::string scan_before = content(scan), pipeline_before = content(pipeline);
  auto* views = studio.window.findChild<ViewsArea*>();
  const auto refused = [](const Result<void>& written) {
    return !written.ok() && QString::fromStdString(written.error().message()).contains(io::is_an_input);
  };
  for (const QString& input : {scan, pipeline}) {
    QVERIFY(refused(studio.window.reports().write(input)));
    QTRY_VERIFY_WITH_TIMEOUT(refused(views->export_png(input, Annotation::annotated)), patience_ms);
  }
  QVERIFY(refused(studio.document.save(scan)));  // a pipeline over its scan
  // The volume of a run.
  std::string save;
  for (const auto& [id, node] : studio.document.graph().nodes)
    if (node.type == "output.save_volume") save = id;
  QVERIFY(!save.empty());
  for (const QString& input : {scan, pipeline}) {
    // No volume is named like a pipeline; the scan's name fits HDF5.
    const QString why = input == scan ? QString(io::is_an_input) : QStringLiteral("does not end like");
    studio.document.edit("Output", [&](Graph& g) {
      g.nodes[save].params["file"] = input.toStdString();
      g.nodes[save].params["format"] = std::string("nxtomoproc");
    });
    studio.window.messages().clear();
    const Answer replace("Replace", {});
    QTest::keyClick(&studio.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(studio.has_message(why), patience_ms);
    QVERIFY(!studio.has_message("Wrote"));
  }
  QVERIFY(content(scan) == scan_before);
  QVERIFY(content(pipeline) == pipeline_before);
  QVERIFY(studio.document.save(pipeline).ok());
}

TL_TEST_CASE(FilesAtRiskTest)

}  // namespace tl::ui::files_at_risk_test

#include "files_at_risk.moc"
