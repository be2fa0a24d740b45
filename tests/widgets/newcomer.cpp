// The first hour of somebody who has mouse and keyboard alone: the example shown sharp, a measured tooth to a written
// volume, a pipeline from nothing. Clicks and keys are counted.
#include "tests/support/gui/newcomer.h"

#include <QFileInfo>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/views/views_area.h"
#include "widgets/window/notices.h"

namespace tl::ui::newcomer_test {
namespace {

using test::Budget;
using test::Newcomer;
using test::Studio;

constexpr Budget example_budget{1, 0};
constexpr Budget tooth_budget{1, 3};
constexpr Budget pipeline_budget{4, 50};

// The studio of somebody who has never opened it: no recent files, no unsaved pipeline, the first arrangement.
struct FirstStart : Studio {
  [[nodiscard]] ViewsArea& views() { return *window.findChild<ViewsArea*>(); }
  void wait_until_sharp() {
    Newcomer::wait_for("every view is sharp", [this] {
      return views().cell(0).image_pane() != nullptr && views().cell(0).image_pane()->picture() &&
             test::is_every_view_sharp(window);
    });
  }
  [[nodiscard]] QString node_of(const std::string& type) const {
    for (const auto& [id, node] : document.graph().nodes)
      if (node.type.starts_with(type)) return QString::fromStdString(id);
    throw test::Stuck{QStringLiteral("the pipeline has no node of the type ") + QString::fromStdString(type)};
  }
  // The position of the rotation axis that a node found, if it is resolved.
  [[nodiscard]] double found_axis() const {
    const live::NodeStatus status = session.status(node_of("axis."));
    Newcomer::expect(status.verdict == Verdict::resolved, "the axis is resolved");
    return std::stod(status.found.at("axis"));
  }
  // Bytes of the volume that the views show, as 32-bit numbers.
  [[nodiscard]] qint64 volume_bytes() {
    const Info* info = views().source().info(views().state().volume());
    Newcomer::expect(info != nullptr, "the size of the volume is known");
    const auto grid = std::get<VolumeGrid>(full_region(*info));
    return grid.nz * grid.ny * grid.nx * qint64{4};
  }
  // The volume and its record are written, and the window says so.
  void wait_until_written(const QString& file) {
    Newcomer::wait_for("the run ends",
                       [this] { return has_message("Done in") || window.notices().error().isVisible(); });
    Newcomer::expect(!window.notices().error().isVisible(), window.notices().error().text());
    constexpr qint64 max_of_a_head = 65536;
    const qint64 extra = QFileInfo(file).size() - volume_bytes();
    Newcomer::expect(extra > 0 && extra < max_of_a_head, "the file has the size of the volume");
    Newcomer::expect(QFileInfo::exists(file + ".json"), "the record lies next to it");
    Newcomer::expect(
        window.notices().done().isVisible() && window.notices().done().text().contains(QFileInfo(file).fileName()),
        "the window says what was written");
    Newcomer::expect(window.messages().count(LogLevel::error) == 0, "no error is in the messages");
  }
};

}  // namespace

class NewcomerTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;

 private Q_SLOTS:
  void initTestCase() { QVERIFY(home_.enter()); }
  void the_example_is_shown_sharp();
  void the_tooth_becomes_a_written_volume();
  void a_pipeline_is_made_from_nothing();
};

void NewcomerTest::the_example_is_shown_sharp() {
  constexpr double axis = 6.3, tolerance = 0.3;  // px: of the simulated scan
  FirstStart studio;
  QVERIFY(studio.open());
  test::do_task("1-example", example_budget, studio.window, [&](Newcomer& user) {
    user.press("Try the example");
    studio.wait_until_sharp();
    user.expect(studio.views().cell(0).image_pane()->is_sharp(), "the slice has all of its pixels");
    user.expect(test::cell_of(studio.views(), PaneKind::volume) != nullptr, "the volume is shown in 3D");
    user.expect(std::abs(studio.found_axis() - axis) < tolerance, "the axis is where it is in the scan");
    user.expect(studio.window.messages().count(LogLevel::error) == 0, "no error is in the messages");
  });
}

void NewcomerTest::the_tooth_becomes_a_written_volume() {
  const QString data = qEnvironmentVariable("TL_SHARED_DATA", TL_SOURCE_DIR "/../shared/data");
  const QString source = data + "/aps_tooth.h5";
  if (!QFile::exists(source)) QSKIP("the shared data folder is not here");
  constexpr double axis = -23.6, tolerance = 0.5;  // px: column 295.9 of 640
  FirstStart studio;
  const QString scan = studio.folder.filePath("aps_tooth.h5");
  QVERIFY(QFile::copy(source, scan));  // its volume is written next to it
  QVERIFY(studio.open());
  test::do_task("2-tooth", tooth_budget, studio.window, [&](Newcomer& user) {
    user.name_a_file([&] { user.press("Open a scan"); }, scan);
    user.wait_for("the scan is open", [&] { return !studio.document.graph().nodes.empty(); });
    studio.wait_until_sharp();
    user.expect(std::abs(studio.found_axis() - axis) < tolerance, "the axis is where other programs find it");
    user.key(Qt::Key_F5);
    studio.wait_until_written(studio.folder.filePath("aps_tooth_volume.tif"));
  });
}

void NewcomerTest::a_pipeline_is_made_from_nothing() {
  constexpr double tolerance = 0.1;  // of the attenuation: 90 views of 64 columns and a filter
  const test::DiscScan discs;
  FirstStart studio;
  const QString scan = studio.folder.filePath("discs.nx"), volume = studio.folder.filePath("discs.tif");
  test::write_disc_scan(scan.toStdString(), discs);
  QVERIFY(studio.open());
  Canvas& canvas = studio.window.canvas();
  QWidget& surface = *canvas.view().viewport();
  const auto card = [&](const std::string& type) {
    const NodeItem* item = canvas.scene().node(studio.node_of(type));
    return canvas.view().mapFromScene(item->mapToScene(item->card().title_area().center()));
  };
  test::do_task("3-pipeline", pipeline_budget, studio.window, [&](Newcomer& user) {
    const auto add = [&](const QString& words) {
      user.key(Qt::Key_Tab);
      user.expect(canvas.palette_popup().isVisible(), "Tab offers nodes; " + test::keyboard_state());
      user.type(words);
      user.key(Qt::Key_Return);
    };
    user.press("New pipeline");
    add("load");
    // Enter opens the form of the new node, with the keyboard in its first field.
    user.key(Qt::Key_Return);
    user.type_file_name(scan);
    user.key(Qt::Key_Return);
    user.click(surface, card("input.load_scan"));
    add("flat-field");
    add("axis by wedge");
    add("fbp");
    // The last link is drawn by hand: from the volume to empty canvas, where what fits is offered.
    const NodeItem* fbp = canvas.scene().node(studio.node_of("recon.fbp"));
    const QPoint port = canvas.view().mapFromScene(fbp->port_at_scene(*fbp->card().port("volume", Side::output)));
    QPoint empty(port.x(), surface.height() - 24);
    user.expect(canvas.scene().node_at(canvas.view().mapToScene(empty)) == nullptr, "there is empty canvas below FBP");
    user.drag(surface, port, empty);
    user.expect(canvas.palette_popup().isVisible(), "a link dropped on empty canvas offers nodes");
    user.type("save");
    user.key(Qt::Key_Return);
    user.key(Qt::Key_Return);
    user.type_file_name(volume);
    user.key(Qt::Key_Return);
    user.expect(studio.document.problems().empty(), "the pipeline is complete");
    user.expect(studio.document.graph().links.size() == 4, "the nodes are linked");
    user.key(Qt::Key_F5);
    studio.wait_until_written(volume);
    studio.wait_until_sharp();
    const double mean = test::disc_mean(*studio.views().cell(0).image_pane()->picture());
    user.expect(std::abs(mean - discs.attenuation) < tolerance * discs.attenuation, "the disc has its attenuation");
  });
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

TL_TEST_CASE(NewcomerTest)

}  // namespace tl::ui::newcomer_test

#include "newcomer.moc"
