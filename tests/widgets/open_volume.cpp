// Volumes in the studio: dropped on the window they are shown at once; results open as the pipeline that they embed,
// and pipelines of other programs as new ones, with a banner that says what was lost.
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include "core/io/output/volume_writer.h"
#include "core/io/volumes/format.h"
#include "tests/core/graph/foreign_samples.h"
#include "tests/support/file_tree.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/view_cell.h"
#include "widgets/views/views_area.h"
#include "widgets/window/notices.h"

namespace tl::ui::open_volume_test {
namespace {

// 6 x 20 x 30 voxels of 0.5 mm: a ramp along x.
QString volume_file(const QTemporaryDir& folder, const char* name, const std::string& description = {}) {
  const QString path = folder.filePath(QString::fromLatin1(name));
  io::VolumeTarget target;
  target.path = path.toStdString();
  target.grid = VolumeGrid::cubic(6, 20, 30, 0.5);
  target.rules = io::no_inputs(io::Overwrite::refuse);
  target.description = description;
  const auto writer = io::volume_format_by_name(target.path).or_throw()->write(target).or_throw();
  const at::Tensor ramp = at::arange(30, at::kFloat).expand({6, 20, 30}).contiguous();
  writer->write({0, 6}, ramp).or_throw();
  writer->finish().or_throw().commit().or_throw();
  return path;
}

}  // namespace

class OpenVolumeTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void a_dropped_volume_is_shown_data();
  void a_dropped_volume_is_shown();
  void a_result_opens_as_its_pipeline();
  void a_tomoloom_file_opens_as_a_pipeline_that_save_writes();
  void a_pipeline_of_another_program_opens_as_a_new_one();
};

void OpenVolumeTest::a_dropped_volume_is_shown_data() {
  QTest::addColumn<QByteArray>("name");
  for (const char* name : {"v.nrrd", "v.mha", "v.nii", "v.h5"}) QTest::newRow(name) << QByteArray(name);
}

void OpenVolumeTest::a_dropped_volume_is_shown() {
  QFETCH(QByteArray, name);
  test::Studio studio;
  QVERIFY(studio.open());
  const QString path = volume_file(studio.folder, name.constData());
  studio.drop(path);
  QTRY_COMPARE(studio.document.graph().nodes.size(), std::size_t{1});
  const auto& [id, node] = *studio.document.graph().nodes.begin();
  QCOMPARE(node.type, std::string("input.load_volume"));
  QCOMPARE(std::get<std::string>(node.params.at("file")), path.toStdString());
  auto* views = studio.window.findChild<ViewsArea*>();
  QVERIFY(views != nullptr);
  QTRY_VERIFY(views->cell(0).image_pane() != nullptr && views->cell(0).image_pane()->is_current() &&
              views->cell(0).image_pane()->is_sharp());
  // No pane is there for projections, of which there are none.
  for (std::size_t i = 0; i < ViewsArea::cells; ++i)
    QVERIFY(views->cell(i).isHidden() ||
            (views->cell(i).kind() != PaneKind::sinogram && views->cell(i).kind() != PaneKind::projections));
  test::keep_picture(studio.window, "open-volume");
  studio.document.undo_stack().setClean();
}

void OpenVolumeTest::a_result_opens_as_its_pipeline() {
  test::Studio studio;
  QVERIFY(studio.open());
  const std::string pipeline =
      R"({"pipeline": {"format": "tomoloom-pipeline", "schema_version": 1, "title": "", "nodes": {"simulate":
          {"type": "input.simulate_scan", "version": 1, "parameters": {"rows": 2, "cols": 16, "views": 8}}},
          "links": []}, "provenance": {}})";
  studio.drop(volume_file(studio.folder, "result.h5", pipeline));
  QTRY_COMPARE(studio.document.graph().nodes.count("simulate"), std::size_t{1});
  studio.document.undo_stack().setClean();
}

// .tomoloom is what the desktop opens with the studio (installer/*.mime.xml).
void OpenVolumeTest::a_tomoloom_file_opens_as_a_pipeline_that_save_writes() {
  test::Studio studio;
  QVERIFY(studio.open());
  const QString path = studio.folder.filePath(QStringLiteral("mine.tomoloom"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"({"format": "tomoloom-pipeline", "schema_version": 1, "title": "", "nodes": {"simulate":
                 {"type": "input.simulate_scan", "version": 1, "parameters": {"rows": 2, "cols": 16, "views": 8}}},
                 "links": []})");
  file.close();
  studio.drop(path);
  QTRY_COMPARE(studio.document.path(), QFileInfo(path).absoluteFilePath());
  QCOMPARE(studio.document.graph().nodes.size(), std::size_t{1});
}

void OpenVolumeTest::a_pipeline_of_another_program_opens_as_a_new_one() {
  test::Studio studio;
  QVERIFY(studio.open());
  for (const auto& [name, text, word] : {std::tuple("list.yaml", test::httomo_list, "remove_stripe_ti"),
                                         std::tuple("bone.conf", test::nabu_conf, "tilt")}) {
    const QString path = studio.folder.filePath(QString::fromLatin1(name));
    test::put(path.toStdString(), text);
    studio.drop(path);
    QTRY_COMPARE(studio.document.graph().nodes.count("fbp"), std::size_t{1});
    QVERIFY(studio.document.path().isEmpty());
    const Notice* banner = nullptr;
    QTRY_VERIFY([&] {
      for (const Notice* n : studio.window.findChildren<Notice*>())
        if (n->isVisible() && n->text().contains(QLatin1String(word))) banner = n;
      return banner != nullptr;
    }());
    test::keep_picture(studio.window, "open-foreign");
    studio.document.reset({});
  }
}

TL_TEST_CASE(OpenVolumeTest)

}  // namespace tl::ui::open_volume_test

#include "open_volume.moc"
