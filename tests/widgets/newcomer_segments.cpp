// The first hour, continued: somebody with mouse and keyboard alone paints a few strokes, looks at what the classifier
// makes of them, measures the objects, and writes their table and surfaces.
#include <QFile>
#include <QTableView>

#include "core/run/executor.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/items/node_item.h"
#include "widgets/labels/class_table_model.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/views_area.h"

namespace tl::ui::newcomer_segments_test {
namespace {

using test::Budget;
using test::Newcomer;
using test::Studio;

constexpr Budget segment_budget{15, 16};
constexpr int64_t width = 96, height = 32;
constexpr double voxel = 0.01;  // mm

// Foam, an empty painting, and all that comes after it.
Graph foam() {
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", width}, {"height", height}, {"bodies", int64_t{60}}}};
  g.nodes["smooth"] = {"filter.gaussian", 1, {}};
  g.nodes["strokes"] = {"segment.painted", 1, {{"classes", std::string("1 foam #e69f00; 2 air #56b4e9")}}};
  g.nodes["classifier"] = {"segment.pixel_classifier", 1, {}};
  g.nodes["objects"] = {"segment.components", 1, {}};
  g.nodes["table"] = {"measure.regions", 1, {}};
  g.nodes["mesh"] = {"output.save_mesh", 1, {{"file", std::string("foam.ply")}}};
  g.nodes["csv"] = {"output.save_table", 1, {{"file", std::string("objects.csv")}}};
  g.links = {{"phantom", "volume", "smooth", "volume"},     {"smooth", "volume", "strokes", "volume"},
             {"smooth", "volume", "classifier", "volume"},  {"strokes", "labels", "classifier", "strokes"},
             {"classifier", "labels", "objects", "labels"}, {"objects", "labels", "table", "labels"},
             {"classifier", "labels", "mesh", "labels"},    {"table", "regions", "csv", "table"}};
  return g;
}

// A row of voxels of one class in the middle slice, with the same class two voxels around it, from `first` upward; from
// the middle of the slice, in voxels.
struct Row {
  Vec3 from, to;
};
Row object_row(const at::Tensor& truth, int64_t number, int64_t length, int64_t first) {
  const auto numbers = truth.accessor<int32_t, 2>();
  const auto all_of = [&](int64_t y, int64_t x) {
    for (int64_t j = y - 2; j <= y + 2; ++j)
      for (int64_t i = x - 2; i < x + length + 2; ++i)
        if (numbers[j][i] != number) return false;
    return true;
  };
  for (int64_t y = first; y + 2 < width; ++y)
    for (int64_t x = 2; x + length + 2 < width; ++x)
      if (all_of(y, x)) {
        const double middle = 0.5 * static_cast<double>(width - 1);
        const auto place = [&](int64_t i) {
          return Vec3{static_cast<double>(i) - middle, static_cast<double>(y) - middle, 0};
        };
        return {place(x), place(x + length - 1)};
      }
  throw test::Stuck{QStringLiteral("no row of class %1 in the middle slice").arg(number)};
}

}  // namespace

class NewcomerSegmentsTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;

 private Q_SLOTS:
  void initTestCase() { QVERIFY(home_.enter()); }
  void strokes_become_objects_a_table_and_surfaces();
};

void NewcomerSegmentsTest::strokes_become_objects_a_table_and_surfaces() {
  Executor truth(Registry::all(), RunOptions{});
  Graph phantom = foam();
  VolumeGrid middle = VolumeGrid::cubic(height, width, width, voxel);
  middle = middle.slab({height / 2, height / 2 + 1});
  const auto classes = std::get<Labels>(truth.pull(phantom, "phantom", "labels", middle).or_throw()).data[0];

  Studio studio;
  const QString pipeline = studio.folder.filePath("foam.json"), table = studio.folder.filePath("seen.csv");
  Document made;
  made.reset(phantom);
  QVERIFY(made.save(pipeline).ok());
  studio.window.resize(1680, 1050);
  QVERIFY(studio.open());
  Canvas& canvas = studio.window.canvas();
  QWidget& surface = *canvas.view().viewport();
  const auto card = [&](const char* node) {
    const NodeItem* item = canvas.scene().node(node);
    return canvas.view().mapFromScene(item->mapToScene(item->card().title_area().center()));
  };
  test::do_task("9-segment", segment_budget, studio.window, [&](Newcomer& user) {
    user.name_a_file([&] { user.key(Qt::Key_O, Qt::ControlModifier); }, pipeline);
    user.wait_for("the pipeline is open", [&] { return studio.session.info("smooth", "volume") != nullptr; });
    user.press("See");
    user.click(surface, card("strokes"));
    auto* views = studio.window.findChild<ViewsArea*>();
    auto& slice = *qobject_cast<SlicePane*>(views->cell(0).pane());
    user.wait_for("the slice is sharp", [&] { return slice.is_current() && slice.is_sharp(); });
    const auto at = [&](Vec3 voxels) { return slice.to_widget(slice.plane()->to_pane(voxel * voxels)).toPoint(); };
    const auto label_at = [&](Vec3 voxels) { return slice.value_text(QPointF(at(voxels))); };

    // Two strokes in the middle slice.
    // Away from the bar of tools and from messages, which lie over the ends of the view.
    constexpr int64_t a_third = width / 3;
    const Row bright = object_row(classes, 1, 8, a_third), pore = object_row(classes, 2, 6, a_third);
    const Row other_pore = object_row(classes, 2, 4, 2), corner = object_row(classes, 0, 4, 2);
    user.point_at(slice, at({0, 0, 0}));
    user.press_in(slice, "Paint labels");
    user.press_in(slice, "Brush on this slice");
    for (int size = views->state().painter().settings().size; size > 3; --size) user.key(Qt::Key_BracketLeft);
    user.drag(slice, at(bright.from), at(bright.to));
    auto* list = studio.window.findChild<ClassTablePanel*>();
    user.wait_for("the classes are listed", [&] { return list->isVisible() && list->model().rowCount() == 2; });
    const QModelIndex air = list->table().model()->index(1, ClassTableModel::voxels_column);
    user.click(*list->table().viewport(), list->table().visualRect(air).center());
    user.expect(views->state().label_view().current == 2, "air is the current class");
    user.drag(slice, at(pore.from), at(pore.to));
    user.wait_for("the strokes are there",
                  [&] { return label_at(bright.from).startsWith("foam") && label_at(pore.to).startsWith("air"); });

    // What the classifier makes of them: other pores and the corners, where nobody painted, are air.
    user.click(surface, card("classifier"));
    user.wait_for("the classes of all voxels are shown", [&] {
      return label_at(bright.to).startsWith("foam") && label_at(other_pore.from).startsWith("air") &&
             label_at(corner.from).startsWith("air");
    });
    test::keep_picture(studio.window, "newcomer-9-classified");

    // Objects and their table: a row moves the crosshair.
    user.click(surface, card("table"));
    auto* rows = studio.window.findChild<TablePanel*>();
    user.press_in(*rows, "Compute");
    user.wait_for("the table is there", [&] { return rows->isVisible() && rows->model().rowCount() > 5; });
    const Vec3 before = views->state().crosshair();
    user.click(*rows->table().viewport(), rows->table().visualRect(rows->table().model()->index(1, 0)).center());
    user.wait_for("the crosshair goes to the object", [&] { return !(views->state().crosshair() == before); });
    user.name_a_file([&] { user.press_in(*rows, "CSV…"); }, table);

    user.press("Run all");
    const QString mesh = studio.folder.filePath("foam.ply"), objects = studio.folder.filePath("objects.csv");
    user.wait_for("surfaces and table are written", [&] { return QFile::exists(mesh) && QFile::exists(objects); });
    QFile ply(mesh), csv(objects), shown_rows(table);
    user.expect(ply.open(QIODevice::ReadOnly) && ply.readLine() == "ply\n", "the surfaces are a PLY file");
    user.expect(csv.open(QIODevice::ReadOnly) && csv.readAll().count('\n') > 5, "the table has a row for each object");
    user.expect(shown_rows.open(QIODevice::ReadOnly) && shown_rows.readAll().count('\n') > 5, "so has what was shown");
    user.expect(studio.window.messages().count(LogLevel::error) == 0, "no error is in the messages");
  });
  QVERIFY(studio.document.save(pipeline).ok());
}

TL_TEST_CASE(NewcomerSegmentsTest)

}  // namespace tl::ui::newcomer_segments_test

#include "newcomer_segments.moc"
