// A scan that has moved: the error offers to locate it, what moved with it follows, and the next pipeline of the same
// folder is offered the new place.
#include <QDir>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/session/missing_inputs.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/pipeline_templates.h"
#include "widgets/window/files/scan_banner.h"
#include "widgets/window/notices.h"

namespace tl::ui::missing_input_test {

using test::patience_ms;
using test::Studio;

Graph two_scans(const QString& first, const QString& second) {
  Graph g;
  g.nodes["first"] = {"input.load_scan", 1, {{"file", first.toStdString()}}};
  g.nodes["second"] = {"input.load_scan", 1, {{"file", second.toStdString()}}};
  return g;
}
QString file_of(const Studio& studio, const char* node) {
  return QString::fromStdString(std::get<std::string>(studio.document.graph().nodes.at(node).params.at("file")));
}

class MissingInputTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void folders_that_moved_are_found_from_one_file();
  void a_scan_is_located_and_remembered();
  void a_template_asks_for_its_scan();
};

void MissingInputTest::folders_that_moved_are_found_from_one_file() {
  QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkpath("new/night"));
  QFile(folder.filePath("new/night/b.h5")).open(QIODevice::WriteOnly);
  const MovedFolder moved = MovedFolder::between("/data/old/night/a.h5", folder.filePath("new/night/a.h5"));
  QCOMPARE(moved.from, QString("/data/old"));
  QCOMPARE(moved.to, folder.filePath("new"));
  QCOMPARE(moved.place_of("/data/old/night/b.h5"), folder.filePath("new/night/b.h5"));
  QCOMPARE(moved.place_of("/data/old/night/c.h5"), QString());
  QCOMPARE(moved.place_of("/data/older/night/b.h5"), QString());
  // Renamed, not moved: only this file.
  const MovedFolder renamed = MovedFolder::between("/data/a.h5", "/data/b.h5");
  QCOMPARE(renamed.from, QString("/data/a.h5"));
}

void MissingInputTest::a_scan_is_located_and_remembered() {
  Studio studio;
  QVERIFY(studio.open());
  QVERIFY(QDir(studio.folder.path()).mkpath("new"));
  const auto here = [&](const char* name) { return studio.folder.filePath(QString("new/%1.h5").arg(name)); };
  const auto earlier = [&](const char* name) { return studio.folder.filePath(QString("old/%1.h5").arg(name)); };
  for (const char* name : {"a", "b", "c"}) test::write_disc_scan(here(name).toStdString(), {});
  studio.document.reset(two_scans(earlier("a"), earlier("b")));
  auto* notices = studio.window.findChild<Notices*>();
  QTRY_VERIFY_WITH_TIMEOUT(notices->error().isVisible(), patience_ms);
  test::keep_picture(studio.window, "missing-input");
  const QString asked = notices->node() == "first" ? "a" : "b";
  QVERIFY(test::answer_file_dialog(studio.window, studio.folder.filePath("new/" + asked + ".h5"),
                                   [&] { QVERIFY(studio.press("Locate…")); }));
  QCOMPARE(file_of(studio, "first"), here("a"));
  QCOMPARE(file_of(studio, "second"), here("b"));  // moved with it
  test::keep_picture(studio.window, "missing-input-located");
  QTRY_VERIFY_WITH_TIMEOUT(!notices->error().isVisible(), patience_ms);
  studio.document.undo_stack().undo();
  QCOMPARE(file_of(studio, "first"), earlier("a"));
  // Another pipeline of the same folder.
  studio.document.reset(two_scans(here("a"), earlier("c")));
  const QString use = "Use " + QDir::toNativeSeparators(here("c"));
  test::keep_picture(studio.window, "missing-input-use", 1500);
  QVERIFY(QTest::qWaitFor([&] { return studio.press(use); }, patience_ms));
  QCOMPARE(file_of(studio, "second"), here("c"));
  QVERIFY(missing_inputs(studio.document).empty());
}

void MissingInputTest::a_template_asks_for_its_scan() {
  Studio studio;
  QVERIFY(studio.open());
  const QString scan = studio.folder.filePath("scan.h5");
  test::write_disc_scan(scan.toStdString(), {});
  studio.window.files().open_template("parallel");
  const auto* banner = studio.window.findChild<ScanBanner*>();
  QTRY_VERIFY(banner->isVisible());
  QVERIFY(banner->text().startsWith(QString::fromStdString(studio.document.graph().title)));
  // A picture of what it does, of a node that is special to it.
  QStringList without;
  std::set<QString> titles;
  for (const PipelineTemplate& t : pipeline_templates()) {
    const NodePicture picture = telling_picture(template_graph(t.name, Registry::all()).or_throw(), Registry::all());
    if (picture.image.isNull()) without << t.name;
    titles.insert(picture.title);
  }
  // Two volumes of the user's: nothing that is simulated shows what is done with them.
  QCOMPARE(without, QStringList{"register"});
  QVERIFY(titles.size() >= 6);
  QVERIFY(!banner->findChildren<QLabel*>().isEmpty() && !banner->findChildren<QLabel*>().first()->pixmap().isNull());
  // One pane says that there is nothing to show; three more would say it again.
  auto* views = studio.window.findChild<ViewsArea*>();
  const auto shown = [&] {
    int n = 0;
    for (std::size_t i = 0; i < ViewsArea::cells; ++i) n += views->cell(i).isHidden() ? 0 : 1;
    return n;
  };
  QTRY_COMPARE(shown(), 1);
  test::keep_picture(studio.window, "template-without-scan");
  QVERIFY(test::answer_file_dialog(studio.window, scan, [&] { QVERIFY(studio.press("Choose a scan…")); }));
  QCOMPARE(file_of(studio, "load"), scan);
  QVERIFY(!banner->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(shown() > 1, patience_ms);
  studio.document.undo_stack().undo();
  QVERIFY(banner->isVisible());
}

TL_TEST_CASE(MissingInputTest)

}  // namespace tl::ui::missing_input_test

#include "missing_input.moc"
