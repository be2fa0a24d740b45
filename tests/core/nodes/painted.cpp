// The node segment.painted: labels at a stroke in the pipeline, by position, without the voxels of its volume, and what
// it says where the strokes are missing.
#include <QTemporaryDir>

#include "core/run/executor.h"
#include "core/strokes/painted_labels.h"
#include "core/strokes/volume_shapes.h"
#include "tests/support/test_case.h"

namespace tl::painted_test {

namespace {

const VolumeGrid grid = VolumeGrid::cubic(24, 32, 32, 0.5);

struct Pipeline {
  QTemporaryDir folder;
  std::string file = folder.filePath(QStringLiteral("p.strokes")).toStdString();
  Graph graph;
  struct Said : EventSink {
    std::string all;
    int64_t started = 0, painted = 0;
    void message(LogLevel, std::string_view, std::string_view text) override { all += std::string(text) + "\n"; }
    void node_started(std::string_view node) override {
      if (node == "volume") ++started;
      if (node == "paint") ++painted;
    }
  } said;

  Pipeline() {
    graph.nodes["volume"] = {"input.labelled_phantom",
                             1,
                             {{"width", int64_t{32}}, {"height", int64_t{24}}, {"voxel_size", Number{500, Unit::um}}}};
    graph.nodes["paint"] = {"segment.painted", 1, {}};
    graph.links.push_back({"volume", "volume", "paint", "volume"});
    paint(0, {0, 0, 0}, 3, 1);
    paint(1, {2, 1, 0}, 2, 2);
  }
  void paint(int64_t parent, Vec3 at, double radius, uint16_t number, const VolumeGrid& on = grid) {
    const auto labels = strokes::PaintedLabels::open_or_create(file, on).or_throw();
    strokes::VoxelSet ball(on);
    strokes::add_ball(ball, on, at, at, radius);
    (void)labels->append(parent, strokes::painted(*labels->at(parent).or_throw(), ball, number, {})).or_throw();
  }
  void set(int64_t stroke, const std::string& classes = "1 enamel #e69f00; 2 dentine #56b4e9") {
    graph.nodes["paint"].params = {{"file", file}, {"stroke", stroke}, {"classes", classes}};
  }
  Result<at::Tensor> pull(const Region& region) {
    RunOptions options;
    options.events = &said;
    Executor e(Registry::all(), options);
    TL_TRY(const Value value, e.pull(graph, "paint", "labels", region));
    return std::get<Labels>(value).data;
  }
};

int64_t expected(Vec3 p, int64_t stroke) {
  if (stroke > 1 && norm(p - Vec3{2, 1, 0}) <= 2) return 2;
  return stroke > 0 && norm(p) <= 3 ? 1 : 0;
}
// How many points of a region differ from the balls at their positions.
int64_t wrong(const at::Tensor& labels, const VolumeGrid& region, int64_t stroke) {
  int64_t count = 0;
  const auto at = labels.accessor<int32_t, 3>();
  for (int64_t k = 0; k < region.nz; ++k)
    for (int64_t j = 0; j < region.ny; ++j)
      for (int64_t i = 0; i < region.nx; ++i) {
        const Vec3 p = region.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        if (at[k][j][i] != expected(p, stroke)) ++count;
      }
  return count;
}

}  // namespace

class PaintedTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_stroke_says_which_labels() {
    Pipeline p;
    for (const int64_t stroke : {2, 0, 1, 2}) {
      p.set(stroke);
      QCOMPARE(wrong(p.pull(grid).or_throw(), grid, stroke), int64_t{0});
    }
    QCOMPARE(p.said.started, int64_t{0});  // the volume itself was never computed
  }

  void regions_are_parts_of_the_whole() {
    Pipeline p;
    p.set(2);
    const at::Tensor whole = p.pull(grid).or_throw();
    const VolumeGrid part = grid.sub({10, 15}, {4, 30}, {7, 21});
    QVERIFY(p.pull(part).or_throw().equal(whole.slice(0, 10, 15).slice(1, 4, 30).slice(2, 7, 21)));
    const VolumeGrid turned = VolumeGrid::plane(40, 40, 0.25, {0, 0, 0.1}, {1, 1, 0}, {0, 0, 1});
    const at::Tensor plane = p.pull(turned).or_throw();
    QVERIFY(plane.eq(1).any().item<bool>() && plane.eq(2).any().item<bool>());
    QVERIFY(wrong(plane, turned, 2) < 120);  // at the edges of the balls, within a voxel
  }

  void classes_are_in_the_infos() {
    Pipeline p;
    p.set(2);
    Executor e(Registry::all(), {});
    const auto looks = e.look(p.graph);
    const auto& info = std::get<LabelsInfo>(looks.at("paint").outputs.at("labels"));
    QVERIFY(info.grid == grid);
    QVERIFY((info.table == LabelTable{{{1, "enamel", "#e69f00"}, {2, "dentine", "#56b4e9"}}, 0}));
    p.set(2, "enamel");
    const auto wrong_table = p.pull(grid);
    QVERIFY(!wrong_table.ok());
    const std::string message = wrong_table.error().message();
    QVERIFY2(message.find("paint") != std::string::npos && message.find("1 enamel #e69f00") != std::string::npos,
             message.c_str());
  }

  // Painted on other voxels, the labels stay where they are, and that is said.
  void other_voxels_count_by_position() {
    Pipeline p;
    p.set(2);
    p.graph.nodes["volume"].params["width"] = int64_t{48};
    p.graph.nodes["volume"].params["height"] = int64_t{36};
    p.graph.nodes["volume"].params["voxel_size"] = Number{400, Unit::um};
    const VolumeGrid other = VolumeGrid::cubic(36, 48, 48, 0.4);
    const at::Tensor labels = p.pull(other).or_throw();
    const double ball = labels.ne(0).sum().item<double>() * 0.4 * 0.4 * 0.4;
    const double truth = p.pull(grid).or_throw().ne(0).sum().item<double>() * 0.5 * 0.5 * 0.5;
    QVERIFY(std::abs(ball - truth) < 0.05 * truth);
    QVERIFY2(p.said.all.find("other voxels") != std::string::npos, p.said.all.c_str());
  }

  void what_is_missing_is_named_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<qint64>("stroke");
    QTest::addColumn<QString>("part");
    QTest::newRow("no file") << "" << qint64{1} << "no file of strokes is named";
    QTest::newRow("gone") << "gone.strokes" << qint64{1} << "gone.strokes";
    QTest::newRow("later stroke") << "p.strokes" << qint64{9} << "which has 2";
  }
  void what_is_missing_is_named() {
    QFETCH(QString, file);
    QFETCH(qint64, stroke);
    QFETCH(QString, part);
    Pipeline p;
    p.set(stroke);
    if (file != QStringLiteral("p.strokes"))
      p.graph.nodes["paint"].params["file"] = file.isEmpty() ? std::string() : p.folder.filePath(file).toStdString();
    const auto pulled = p.pull(grid);
    QVERIFY(!pulled.ok());
    const std::string message = pulled.error().message();
    QVERIFY2(message.find("paint") != std::string::npos && message.find(part.toStdString()) != std::string::npos &&
                 !pulled.error().hint.empty(),
             message.c_str());
  }

  // Nothing is computed again because something was painted later.
  void results_are_those_of_the_strokes() {
    Pipeline p;
    p.set(1);
    RunOptions options;
    options.events = &p.said;
    Executor e(Registry::all(), options);
    const auto pull = [&] {
      const int64_t before = p.said.painted;
      (void)e.pull(p.graph, "paint", "labels", grid).or_throw();
      return p.said.painted - before;
    };
    QCOMPARE(pull(), int64_t{1});
    p.paint(2, {0, 2, 0}, 1, 3);
    QCOMPARE(pull(), int64_t{0});
    p.set(2);
    QCOMPARE(pull(), int64_t{1});
    p.set(1);
    QCOMPARE(pull(), int64_t{0});
  }
};

TL_TEST_CASE(PaintedTest)

}  // namespace tl::painted_test

#include "painted.moc"
