// The data dock: scans and volumes of the pipeline and those that are dropped, with shape, origin and state; from there
// scans go to the queue by key, button and dragging; a watched folder lists what arrives.
#include "widgets/window/files/data_dock.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>

#include <QCheckBox>
#include <QLabel>

#include "core/io/output/volume_writer.h"
#include "core/io/volumes/format.h"
#include "tests/support/gui/runs_studio.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"

namespace tl::ui::data_dock_test {
namespace {

struct DockStudio : test::RunsStudio {
  [[nodiscard]] DataTree& tree() { return window.data().tree(); }
  [[nodiscard]] QAbstractItemModel& model() { return *tree().model(); }
  [[nodiscard]] bool show() { return show_pipeline() && tree().isVisible(); }
  QString volume(const QString& name) const {
    io::VolumeTarget target;
    target.path = file(name).toStdString();
    target.grid = VolumeGrid::cubic(6, 20, 30, 0.5);
    target.rules = io::no_inputs(io::Overwrite::refuse);
    const auto writer = io::volume_format_by_name(target.path).or_throw()->write(target).or_throw();
    writer->write({0, 6}, at::ones({6, 20, 30})).or_throw();
    writer->finish().or_throw().commit().or_throw();
    return file(name);
  }
  [[nodiscard]] QModelIndex entry(const QString& name) {
    for (int row = 0; row < model().rowCount(); ++row)
      if (model().index(row, 0).data().toString() == name) return model().index(row, 0);
    return {};
  }
  [[nodiscard]] QString brief(const QString& name) { return entry(name).data(ScanModel::brief_role).toString(); }
  [[nodiscard]] QString state(const QString& name) { return entry(name).data(ScanModel::state_role).toString(); }
  // A value below an entry, with its origin.
  [[nodiscard]] QString value(const QString& name, const QString& row_name) {
    const QModelIndex top = entry(name);
    for (int row = 0; row < model().rowCount(top); ++row)
      if (model().index(row, ScanModel::name_column, top).data().toString() == row_name)
        return model().index(row, ScanModel::value_column, top).data().toString() + QLatin1Char('|') +
               model().index(row, ScanModel::origin_column, top).data().toString();
    return {};
  }
  void click(const QString& name, Qt::KeyboardModifiers keys = {}) {
    tree().scrollTo(entry(name));
    QTest::mouseClick(tree().viewport(), Qt::LeftButton, keys, tree().visualRect(entry(name)).center());
  }
};

}  // namespace

class DataDockTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }

  void data_of_the_pipeline_are_what_they_are() {
    DockStudio s;
    QVERIFY(s.show());
    const std::string volume = s.volume("v.nrrd").toStdString();
    {
      test::Hdf5Maker h5(s.file("own.h5").toStdString());
      h5.numbers<uint16_t>("/scan/images", {12, 4, 16}, std::vector<uint16_t>(12 * 4 * 16, 100));
    }
    s.document.reset([&] {
      Graph g;
      g.nodes["volume"] = {"input.load_volume", 1, {{"file", volume}}};
      g.nodes["number"] = {"input.number", 1, {}};
      g.nodes["own"] = {"input.load_scan",
                        1,
                        {{"file", s.file("own.h5").toStdString()},
                         {"data", std::string("/scan/images")},
                         {"angle_step", Number{15, Unit::deg}}}};
      return g;
    }());
    QTRY_COMPARE(s.model().rowCount(), 2);
    QTRY_VERIFY2(s.brief("v.nrrd").contains("volume · 6×20×30"), qPrintable(s.brief("v.nrrd")));
    QVERIFY2(s.value("v.nrrd", "voxel size").startsWith("500 µm|file") ||
                 s.value("v.nrrd", "voxel size").startsWith("0.5 mm|file"),
             qPrintable(s.value("v.nrrd", "voxel size")));
    QTRY_VERIFY2(s.brief("own.h5").contains("12×4×16"), qPrintable(s.brief("own.h5")));
    QVERIFY(s.value("own.h5", "cannot be read").isEmpty());
  }

  void dropped_data_are_listed_and_go_to_the_queue() {
    DockStudio s;
    QVERIFY(s.show());
    const QString a = s.scan("in/a.nx"), b = s.scan("in/b.nx"), c = s.scan("in/c.nx"), v = s.volume("v.nrrd");
    const int before = s.model().rowCount();
    QVERIFY(s.drop_on(s.window.data(), QStringList{s.file("in"), v}));
    QCOMPARE(s.model().rowCount(), before + 4);
    for (const char* name : {"a.nx", "b.nx", "c.nx"})
      QTRY_VERIFY2(s.brief(name).contains("60×8×64"), qPrintable(s.brief(name)));
    QTRY_VERIFY(s.brief("v.nrrd").contains("volume"));
    QVERIFY2(s.value("a.nx", "pixel size u").contains("guessed"), qPrintable(s.value("a.nx", "pixel size u")));
    QVERIFY(s.names().isEmpty());
    // By the keyboard.
    s.click("a.nx");
    QTest::keyClick(&s.tree(), Qt::Key_Q);
    QCOMPARE(s.names(), QStringList{"a"});
    QTRY_VERIFY2(s.state("a.nx").contains("waiting") || s.state("a.nx").contains("cannot run"),
                 qPrintable(s.state("a.nx")));
    QVERIFY(s.state("b.nx").isEmpty());
    // By the button, with a volume that is selected too.
    s.click("b.nx");
    s.click("v.nrrd", Qt::ControlModifier);
    QVERIFY(s.press("Queue"));
    QCOMPARE(s.names(), (QStringList{"a", "b"}));
    // By dragging: what the tree hands over is what the queue takes.
    QTest::keyClick(&s.window, Qt::Key_5, Qt::ControlModifier);
    QVERIFY(s.window.runs().isVisible() && s.tree().isVisible());
    s.click("c.nx");
    const std::unique_ptr<QMimeData> dragged(s.model().mimeData(s.tree().selectionModel()->selectedIndexes()));
    QCOMPARE(dragged->urls().size(), 1);
    QVERIFY(s.table().queue_model().dropMimeData(dragged.get(), Qt::CopyAction, -1, -1, {}));
    QCOMPARE(s.names(), (QStringList{"a", "b", "c"}));
    test::keep_picture(s.window, "data_dock");
    // What ran says so.
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(s.state("c.nx").contains("done"), 3 * test::patience_ms);
    // Removed from the list; the next window has the rest.
    s.click("b.nx");
    QTest::keyClick(&s.tree(), Qt::Key_Delete);
    QVERIFY(!s.entry("b.nx").isValid());
    QCOMPARE(s.settings.listed_data(), (QStringList{a, c, v}));
    // Enter opens.
    s.click("v.nrrd");
    QTest::keyClick(&s.tree(), Qt::Key_Return);
    QTRY_VERIFY(!s.document.graph().nodes.empty() &&
                s.document.graph().nodes.begin()->second.type == "input.load_volume");
    QTRY_COMPARE(s.model().rowCount(), 3);  // what the pipeline reads is shown once
  }

  void several_files_on_the_window_are_listed() {
    DockStudio s;
    QVERIFY(s.show());
    const Graph before = s.document.graph();
    QVERIFY(s.drop_on(s.window, QStringList{s.scan("a.nx"), s.scan("b.nx")}));
    QVERIFY(s.entry("a.nx").isValid() && s.entry("b.nx").isValid());
    QVERIFY(s.has_message("2 files are listed") && s.document.graph() == before);
  }

  void a_watched_folder_lists_what_arrives() {
    DockStudio s;
    QVERIFY(s.show());
    const QString watched = s.file("raw");
    QDir().mkpath(watched);
    s.window.queue().watch(watched, 0.3);
    auto* box = s.window.findChild<QCheckBox*>();
    for (QCheckBox* one : s.window.findChildren<QCheckBox*>())
      if (one->text().contains("automatically")) box = one;
    QVERIFY(box != nullptr && box->isVisible() && box->isChecked());
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QVERIFY(!box->isChecked());
    s.scan("raw/first.nx");
    QTRY_VERIFY_WITH_TIMEOUT(s.entry("first.nx").isValid(), test::patience_ms);
    QVERIFY(s.names().isEmpty());
    box->setChecked(true);
    s.scan("raw/second.nx");
    QTRY_COMPARE_WITH_TIMEOUT(s.names(), QStringList{"second"}, test::patience_ms);
    QTRY_VERIFY_WITH_TIMEOUT(s.state("second.nx").contains("done"), 3 * test::patience_ms);
    QVERIFY(s.press("Stop watching"));
    QVERIFY(!box->isVisible());
  }
};

TL_TEST_CASE(DataDockTest)

}  // namespace tl::ui::data_dock_test

#include "data_dock.moc"
