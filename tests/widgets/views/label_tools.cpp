// What belongs to labels on screen: the table of classes, thresholds in the histogram, rows and objects, surfaces in
// 3D.
#include <QClipboard>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

#include "core/values/label_table_text.h"
#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/gui/volume_scene.h"
#include "tests/support/test_case.h"
#include "widgets/labels/class_names.h"
#include "widgets/labels/label_colors.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/histogram/threshold_handles.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::label_tools_test {

using test::patience_ms;

namespace {

const Output volume{QStringLiteral("fbp"), QStringLiteral("volume")};

// A threshold after the reconstruction of FakePictures, and a table of its objects. Labels: 1 where x > 0, else 0.
struct Labelled {
  Labelled() : state(source) {
    Graph& g = source.graph_;
    g.nodes["threshold"] = {"segment.threshold", 1, {}};
    g.nodes["cleaned"] = {"segment.remove_small", 1, {}};
    g.nodes["objects"] = {"segment.components", 1, {}};
    g.nodes["table"] = {"measure.regions", 1, {}};
    for (const Link& link :
         {Link{"fbp", "volume", "threshold", "volume"}, Link{"threshold", "labels", "cleaned", "labels"},
          Link{"cleaned", "labels", "objects", "labels"}, Link{"objects", "labels", "table", "labels"}})
      g.links.push_back(link);
    QObject::connect(&source, &PictureSource::graph_changed, &source, [this] { follow_names(); });
    follow_names();
    source.value = [](Vec3 p) { return p.x > 0 ? 1.0F : 0.0F; };
  }
  // The infos that the engine would report.
  void follow_names() {
    const auto& params = source.graph_.nodes.at("threshold").params;
    const auto text = params.find("class_names");
    const LabelTable table =
        text == params.end() ? LabelTable{} : label_table_from_text(std::get<std::string>(text->second)).or_throw();
    for (const char* key : {"threshold.labels", "cleaned.labels"})
      source.infos[key] = LabelsInfo{source.grid(), {table.classes, {}}};
    source.infos["objects.labels"] = LabelsInfo{source.grid(), {}};
    Q_EMIT source.infos_changed();
  }
  [[nodiscard]] std::string names() const {
    const auto& params = source.graph_.nodes.at("threshold").params;
    const auto text = params.find("class_names");
    return text == params.end() ? "" : std::get<std::string>(text->second);
  }
  test::FakePictures source;
  ViewState state;
};

struct ClassTable : Labelled {
  ClassTable() : panel(source, state) {
    state.follow("threshold");
    panel.resize(420, 320);
    opened = test::open_window(panel);
    panel.table().setFocus();
  }
  void key(int key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&panel.table(), static_cast<Qt::Key>(key), modifiers);
  }
  [[nodiscard]] QString at(int row, int column) {
    return panel.model().data(panel.model().index(row, column)).toString();
  }
  ClassTablePanel panel;
  bool opened = false;
};

}  // namespace

class LabelToolsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void classes_are_named_coloured_added_and_removed();
  void classes_are_hidden_locked_and_chosen();
  void classes_are_counted();
  void objects_have_no_names_and_say_so();
  void the_parameter_that_names_classes_is_found();
  void thresholds_of_the_shown_volume_are_lines();
  void a_dragged_line_states_the_threshold();
  void several_thresholds_become_a_list();
  void driven_thresholds_stay();
  void a_row_moves_the_crosshair_and_an_object_finds_its_row();
  void tables_are_sorted_copied_saved_and_counted();
  void surfaces_of_classes_stand_in_the_volume();
  void a_person_segments_in_the_studio();
};

void LabelToolsTest::classes_are_named_coloured_added_and_removed() {
  ClassTable t;
  QVERIFY(t.opened);
  QCOMPARE(t.panel.model().rowCount(), 0);
  QVERIFY(!t.panel.message().isEmpty());
  QTest::keyClicks(&t.panel.table(), QStringLiteral("+"));
  QCOMPARE(t.names(), std::string("1 class 1 #e69f00"));
  QCOMPARE(t.state.label_view().current, int64_t{1});
  QTest::keyClicks(&t.panel.table(), QStringLiteral("+"));
  QCOMPARE(t.panel.model().rowCount(), 2);
  // Named in place, as one step.
  const std::size_t steps = t.source.steps.size();
  t.key(Qt::Key_1);
  t.key(Qt::Key_F2);
  auto* editor = t.panel.table().findChild<QLineEdit*>();
  QVERIFY(editor != nullptr);
  editor->selectAll();
  QTest::keyClicks(editor, QStringLiteral("enamel"));
  QTest::keyClick(editor, Qt::Key_Return);
  QCOMPARE(t.source.steps.size(), steps + 1);
  QCOMPARE(t.at(0, ClassTableModel::name_column), QStringLiteral("enamel"));
  t.panel.set_colour(1, QColor(0x10, 0x20, 0x30));
  QCOMPARE(t.names(), std::string("1 enamel #102030; 2 class 2 #56b4e9"));
  QCOMPARE(t.panel.model().data(t.panel.model().index(0, 0), Qt::DecorationRole).value<QColor>(),
           QColor(0x10, 0x20, 0x30));
  t.key(Qt::Key_2);
  t.key(Qt::Key_Delete);
  QCOMPARE(t.names(), std::string("1 enamel #102030"));
  QCOMPARE(t.panel.model().rowCount(), 1);
}

void LabelToolsTest::classes_are_hidden_locked_and_chosen() {
  ClassTable t;
  t.source.graph_.nodes["threshold"].params["class_names"] = std::string("1 a; 2 b; 7 c");
  Q_EMIT t.source.graph_changed();
  QCOMPARE(t.panel.model().rowCount(), 3);
  t.key(Qt::Key_7);
  QCOMPARE(t.state.label_view().current, int64_t{7});
  QCOMPARE(t.panel.table().selectionModel()->selectedRows().value(0).row(), 2);
  t.key(Qt::Key_Space);
  QVERIFY(t.state.label_view().hidden == std::set<int64_t>{7});
  t.key(Qt::Key_Space);
  QVERIFY(t.state.label_view().hidden.empty());
  const QModelIndex lock = t.panel.model().index(1, ClassTableModel::locked_column);
  QVERIFY(t.panel.model().setData(lock, Qt::Checked, Qt::CheckStateRole));
  QVERIFY(t.state.label_view().locked == std::set<int64_t>{2});
  QCOMPARE(lock.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
  // A row that is clicked is chosen; what painting chooses is selected.
  QTest::mouseClick(t.panel.table().viewport(), Qt::LeftButton, {},
                    t.panel.table().visualRect(t.panel.model().index(0, ClassTableModel::voxels_column)).center());
  QCOMPARE(t.state.label_view().current, int64_t{1});
  LabelView view = t.state.label_view();
  view.current = 2;
  t.state.set_label_view(view);
  QCOMPARE(t.panel.table().selectionModel()->selectedRows().value(0).row(), 1);
}

void LabelToolsTest::classes_are_counted() {
  ClassTable t;
  t.source.graph_.nodes["threshold"].params["class_names"] = std::string("1 bone; 2 none");
  Q_EMIT t.source.graph_changed();
  QCOMPARE(t.at(0, ClassTableModel::voxels_column), QStringLiteral("–"));
  QVERIFY(!t.panel.counter().counts());
  t.panel.counter().count(t.state.labels());
  QTRY_VERIFY(t.panel.counter().counts().has_value());
  // Half of 6 x 8 x 10 voxels of 0.5 mm.
  QCOMPARE(t.at(0, ClassTableModel::voxels_column), QStringLiteral("240"));
  QCOMPARE(t.at(0, ClassTableModel::volume_column), QStringLiteral("30"));
  QCOMPARE(t.at(1, ClassTableModel::voxels_column), QStringLiteral("0"));
  QVERIFY(t.source.forgotten.back() == "label-counter");
  test::keep_picture(t.panel, "class-table");
  // A name is none of what was counted, a threshold is.
  t.panel.set_colour(1, Qt::red);
  QVERIFY(t.panel.counter().counts().has_value());
  t.source.edit_graph("value", [](Graph& g) { g.nodes["threshold"].params["value"] = Number{3, Unit::none}; }, {});
  QVERIFY(!t.panel.counter().counts().has_value());
  QCOMPARE(t.at(0, ClassTableModel::voxels_column), QStringLiteral("–"));
}

void LabelToolsTest::objects_have_no_names_and_say_so() {
  ClassTable t;
  t.state.follow("objects");
  t.panel.counter().count(t.state.labels());
  QTRY_COMPARE(t.panel.model().rowCount(), 1);
  QVERIFY2(t.panel.message().contains("objects"), qPrintable(t.panel.message()));
  const std::size_t steps = t.source.steps.size();
  QTest::keyClicks(&t.panel.table(), QStringLiteral("+"));
  t.key(Qt::Key_F2);
  QCOMPARE(t.source.steps.size(), steps);
  t.state.follow("fbp");
  QVERIFY2(t.panel.message().contains("No labels"), qPrintable(t.panel.message()));
}

void LabelToolsTest::the_parameter_that_names_classes_is_found() {
  const Labelled l;
  const Graph& g = l.source.graph_;
  const auto own = classes_param(g, Registry::all(), "threshold"),
             passed = classes_param(g, Registry::all(), "cleaned");
  QVERIFY(own && own->node == "threshold" && own->name == "class_names");
  QVERIFY(passed && passed->node == "threshold");
  QVERIFY(!classes_param(g, Registry::all(), "objects") && !classes_param(g, Registry::all(), "fbp"));
  QCOMPARE(next_free_number({{{1, "", ""}, {2, "", ""}, {4, "", ""}}, {}}), int64_t{3});
}

namespace {

struct Histogram : Labelled {
  Histogram() : plot(state), handles(source, state, plot) {
    source.value = [](Vec3 p) { return static_cast<float>(p.x); };
    state.follow("threshold");
    plot.resize(400, 160);
    opened = test::open_window(plot);
    show_picture();
  }
  void show_picture() {
    live::PictureRequest request;
    request.region = source.grid().slab({2, 3});
    plot.set_picture(source.answer(request).image, volume);
    handles.follow(volume);
  }
  GraphNode& node() { return source.graph_.nodes["threshold"]; }
  [[nodiscard]] QPoint place(double value) const { return QPoint(qRound(plot.x_of(value)), plot.height() / 2); }
  void drag(double from, double to) {
    QTest::mousePress(&plot, Qt::LeftButton, {}, place(from));
    for (const double part : {0.5, 1.0}) {
      const QPointF at = place(from + part * (to - from));
      QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&plot, &move);
    }
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, place(to));
  }
  HistogramPlot plot;
  ThresholdHandles handles;
  bool opened = false;
};

bool is_near(double a, double b) { return std::abs(a - b) < 0.02; }  // some px of the histogram

}  // namespace

void LabelToolsTest::thresholds_of_the_shown_volume_are_lines() {
  Histogram h;
  QVERIFY(h.opened);
  QVERIFY(h.plot.lines().empty());  // not found yet
  h.source.values["threshold.thresholds"] = {{"threshold", "1/mm", {0.25}}};
  Q_EMIT h.source.status_changed("threshold");
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  // Also where labels come from it by way of others, and not for the values of another node.
  h.state.follow("objects");
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  h.handles.follow({"other", "volume"});
  QVERIFY(h.plot.lines().empty());
  h.handles.follow(volume);
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  h.state.follow("fbp");
  QVERIFY(h.plot.lines().empty());
}

void LabelToolsTest::a_dragged_line_states_the_threshold() {
  Histogram h;
  h.source.values["threshold.thresholds"] = {{"threshold", "1/mm", {0.25}}};
  Q_EMIT h.source.status_changed("threshold");
  const auto window = h.state.levels(volume);
  h.drag(0.25, 1);
  QVERIFY(h.state.levels(volume) == window);
  QCOMPARE(std::get<std::string>(h.node().params.at("method")), std::string("manual"));
  QVERIFY(is_near(std::get<Number>(h.node().params.at("value")).value, 1));
  QVERIFY(h.plot.lines().size() == 1 && is_near(h.plot.lines()[0], 1));
  h.plot.setFocus();
  QTest::keyClick(&h.plot, Qt::Key_T);
  const double before = h.plot.lines()[0];
  QTest::keyClick(&h.plot, Qt::Key_Left);
  QVERIFY(h.plot.lines()[0] < before);
  QTest::keyClick(&h.plot, Qt::Key_Escape);
  QTest::keyClick(&h.plot, Qt::Key_Left);  // the window again
  QVERIFY(h.state.levels(volume) != window);
  // Away from lines the window is dragged.
  const auto lines = h.plot.lines();
  h.drag(-2, -1.5);
  QCOMPARE(h.plot.lines(), lines);
}

void LabelToolsTest::several_thresholds_become_a_list() {
  Histogram h;
  h.node().params["method"] = std::string("multi_otsu");
  h.source.values["threshold.thresholds"] = {{"threshold", "1/mm", {-1, 0.5}}};
  Q_EMIT h.source.graph_changed();
  QCOMPARE(h.plot.lines(), (std::vector<double>{-1, 0.5}));
  h.drag(0.5, 1);
  const auto& list = std::get<NumberList>(h.node().params.at("values")).values;
  QVERIFY(list.size() == 2 && list[0] == -1 && is_near(list[1], 1));
  h.drag(1, -2);  // does not pass the other one
  QCOMPARE(h.plot.lines()[1], -1.0);
  // Two of a hysteresis threshold.
  h.source.graph_.nodes["threshold"] = {"segment.hysteresis", 1, {{"low", Number{-1, {}}}, {"high", Number{1, {}}}}};
  Q_EMIT h.source.graph_changed();
  QCOMPARE(h.plot.lines(), (std::vector<double>{-1, 1}));
  h.drag(1, 1.5);
  QVERIFY(is_near(std::get<Number>(h.node().params.at("high")).value, 1.5));
  QCOMPARE(std::get<Number>(h.node().params.at("low")).value, -1.0);
}

void LabelToolsTest::driven_thresholds_stay() {
  Histogram h;
  h.source.graph_.links.push_back({"somewhere", "mean", "threshold", "value"});
  h.node().params["method"] = std::string("manual");
  h.source.values["threshold.thresholds"] = {{"threshold", "1/mm", {0.25}}};
  Q_EMIT h.source.graph_changed();
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  const std::size_t steps = h.source.steps.size();
  h.drag(0.25, 1);
  QCOMPARE(h.source.steps.size(), steps);
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  QVERIFY(!why_thresholds_stay(h.source.graph_, "threshold").isEmpty());
}

namespace {

struct Rows : Labelled {
  Rows() : panel(source, state) {
    source.values["table.regions"] = {{"number", "", {1, 2, 3}},
                                      {"voxels", "", {30, 10, 20}},
                                      {"x", "mm", {1.25, -1.25, 0.25}},
                                      {"y", "mm", {0.25, 0.75, -0.75}},
                                      {"z", "mm", {0.25, -0.25, 0.75}}};
    // Object 1 where x > 0, else 2.
    source.value = [](Vec3 p) { return p.x > 0 ? 1.0F : 2.0F; };
    state.follow("table");
    panel.resize(460, 420);
    opened = test::open_window(panel);
  }
  [[nodiscard]] QString first(int row) { return panel.table().model()->index(row, 0).data().toString(); }
  TablePanel panel;
  bool opened = false;
};

}  // namespace

void LabelToolsTest::a_row_moves_the_crosshair_and_an_object_finds_its_row() {
  Rows r;
  QVERIFY(r.opened && r.panel.has_table());
  QCOMPARE(r.panel.model().rowCount(), 3);
  r.panel.table().setCurrentIndex(r.panel.table().model()->index(1, 0));
  QVERIFY((r.state.crosshair() == Vec3{-1.25, 0.75, -0.25}));
  // A centroid may lie in another object: the row that was chosen stays.
  r.panel.table().setCurrentIndex(r.panel.table().model()->index(2, 0));
  QVERIFY((r.state.crosshair() == Vec3{0.25, -0.75, 0.75}));
  QCOMPARE(r.panel.table().currentIndex().row(), 2);
  // A click into a slice does what this does.
  r.state.set_crosshair({1.75, 0.25, 0.25});
  QCOMPARE(r.panel.table().currentIndex().row(), 0);
  QVERIFY((r.state.crosshair() == Vec3{1.75, 0.25, 0.25}));
  r.panel.table().sortByColumn(1, Qt::AscendingOrder);
  r.state.set_crosshair({-1.75, 0.25, 0.25});
  QCOMPARE(r.first(r.panel.table().currentIndex().row()), QStringLiteral("2"));
  r.panel.hide();
  r.state.set_crosshair({1.25, 0.25, 0.25});
  QCOMPARE(r.first(r.panel.table().currentIndex().row()), QStringLiteral("2"));
}

void LabelToolsTest::tables_are_sorted_copied_saved_and_counted() {
  Rows r;
  QCOMPARE(r.panel.model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("x [mm]"));
  r.panel.table().sortByColumn(1, Qt::AscendingOrder);
  QVERIFY(r.first(0) == "2" && r.first(1) == "3" && r.first(2) == "1");
  const QString csv = r.panel.csv();
  QCOMPARE(csv.section('\n', 0, 1), QStringLiteral("number,voxels,x [mm],y [mm],z [mm]\n2,10,-1.25,0.75,-0.25"));
  r.panel.table().setFocus();
  QTest::keyClick(&r.panel.table(), Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QString(csv).replace(',', '\t'));
  const QTemporaryDir folder;
  QVERIFY(r.panel.save_csv(folder.filePath("t.csv")).ok());
  QFile file(folder.filePath("t.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll() == csv.toUtf8());
  QVERIFY(!r.panel.save_csv(folder.filePath("missing/t.csv")).ok());
  r.panel.table().setCurrentIndex(r.panel.table().model()->index(0, 1));
  for (QAbstractButton* b : r.panel.findChildren<QAbstractButton*>())
    if (b->text() == "Histogram") QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(r.panel.histogram().isVisible());
  const PlotContent& shown = r.panel.histogram().content();
  QCOMPARE(shown.x.title, QStringLiteral("voxels"));
  double rows = 0;
  for (std::size_t i = 0; i < shown.series[0].y.size(); i += 2) rows += shown.series[0].y[i];
  QCOMPARE(rows, 3.0);
  test::keep_picture(r.panel, "table-of-objects");
  // Not computed for new settings: the rows stay, and are said to be old.
  r.source.values_are_cached = false;
  Q_EMIT r.source.graph_changed();
  QCOMPARE(r.panel.model().rowCount(), 3);
  bool pressed = false;
  for (QAbstractButton* b : r.panel.findChildren<QAbstractButton*>())
    if (b->text() == "Compute" && b->isVisible()) {
      r.source.values_are_cached = true;
      QTest::mouseClick(b, Qt::LeftButton);
      pressed = true;
    }
  QVERIFY(pressed);
  QSignalSpy spy(&r.panel, &TablePanel::tables_changed);
  r.state.follow("threshold");  // its tables are shown by the inspector
  QVERIFY(!r.panel.has_table() && spy.count() == 1);
}

void LabelToolsTest::surfaces_of_classes_stand_in_the_volume() {
  test::VolumeScene s;
  Graph& g = s.source.graph_;
  g.nodes["threshold"] = {"segment.threshold", 1, {}};
  g.links.push_back({"fbp", "volume", "threshold", "volume"});
  s.source.infos["threshold.labels"] = LabelsInfo{s.source.grid(), {{{1, "ball", "#00ff00"}}, {}}};
  s.state.follow("threshold");
  // The volume itself is transparent.
  s.state.set_opacity({{0, 0}, {1, 0}});
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const auto green = [&pane] {
    int64_t count = 0;
    const QImage image = pane.image();
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QRgb c = image.pixel(x, y);
        if (qGreen(c) > 2 * qRed(c) && qGreen(c) > 2 * qBlue(c) && qGreen(c) > 60) ++count;
      }
    return count;
  };
  QCOMPARE(green(), int64_t{0});
  pane.setFocus();
  QTest::keyClick(&pane, Qt::Key_V);
  QTRY_VERIFY(pane.scene().class_mesh != nullptr);
  QTRY_VERIFY2(pane.is_settled() && green() > 500, qPrintable(QString::number(green())));
  // The ball is where the voxels are: to the right, to the back, high up; and it is lit.
  const mesh::Part& ball = pane.scene().class_mesh->at(0);
  QVERIFY(mesh::is_closed(ball));
  QVERIFY(std::abs(mesh::enclosed_volume(ball) / (4.0 / 3 * pi * 0.216) - 1) < 0.05);
  test::keep_picture(pane, "class-surfaces");
  LabelView hidden = s.state.label_view();
  hidden.hidden = {1};
  s.state.set_label_view(hidden);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  s.state.set_label_view({});
  QTRY_VERIFY(pane.is_settled() && green() > 500);
  // The clipping box cuts the volume, not the surfaces.
  const int64_t before = green();
  pane.set_clip({0, 0.5, 0, 1, 0, 1});
  QTRY_VERIFY(pane.is_settled() && std::abs(green() - before) < before / 10);
  QTest::keyClick(&pane, Qt::Key_V);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  QVERIFY(!s.source.forgotten.empty());
}

// A real window with a real session: foam is segmented, its threshold dragged, its pores named, counted and looked at.
void LabelToolsTest::a_person_segments_in_the_studio() {
  test::Studio studio;
  Graph g;
  g.nodes["phantom"] = {
      "input.labelled_phantom", 1, {{"width", int64_t{64}}, {"height", int64_t{48}}, {"bodies", int64_t{20}}}};
  g.nodes["threshold"] = {"segment.threshold", 1, {{"keep", std::string("dark")}}};
  g.nodes["objects"] = {"segment.components", 1, {}};
  g.nodes["table"] = {"measure.regions", 1, {}};
  g.links = {{"phantom", "volume", "threshold", "volume"},
             {"threshold", "labels", "objects", "labels"},
             {"objects", "labels", "table", "labels"}};
  Document made;
  made.reset(g);
  const QString pipeline = studio.folder.filePath("foam.json");
  QVERIFY(made.save(pipeline).ok());
  studio.window.resize(1440, 1000);
  QVERIFY(studio.open());
  studio.window.files().open(pipeline);
  QTRY_VERIFY(studio.session.info("threshold", "labels") != nullptr);
  studio.window.workspaces().show(Workspace::see);
  studio.selection.set_one("threshold");
  auto* views = studio.window.findChild<ViewsArea*>();
  auto* classes = studio.window.findChild<ClassTablePanel*>();
  auto* plot = studio.window.findChild<HistogramPlot*>();
  QVERIFY(classes->isVisible());
  QVERIFY(!studio.window.findChild<TablePanel*>()->isVisible());
  QTRY_VERIFY(test::is_every_view_sharp(studio.window));
  QTRY_COMPARE(plot->lines().size(), std::size_t{1});

  classes->counter().count(views->state().labels());
  QTRY_VERIFY(classes->counter().counts().has_value());
  const int64_t dark = classes->counter().counts()->voxels.at(1);
  // Dragging to the right labels more of the dark voxels: one step, which undo takes back.
  const double found = plot->lines()[0], wanted = 0.5 * (found + plot->counts().range.high);
  const int steps = studio.document.undo_stack().count();
  const auto place = [plot](double value) { return QPoint(qRound(plot->x_of(value)), plot->height() / 2); };
  QTest::mousePress(plot, Qt::LeftButton, {}, place(found));
  for (const double part : {0.3, 0.6, 1.0}) {
    const QPointF at = place(found + part * (wanted - found));
    QMouseEvent move(QEvent::MouseMove, at, plot->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(plot, &move);
  }
  QTest::mouseRelease(plot, Qt::LeftButton, {}, place(wanted));
  QCOMPARE(studio.document.undo_stack().count(), steps + 1);
  QVERIFY(plot->lines()[0] > found);
  QVERIFY(!classes->counter().counts().has_value());
  classes->counter().count(views->state().labels());
  QTRY_VERIFY(classes->counter().counts().has_value());
  QVERIFY(classes->counter().counts()->voxels.at(1) > dark);
  studio.document.undo_stack().undo();
  QTRY_VERIFY(plot->lines().size() == 1 && plot->lines()[0] == found);
  classes->counter().count(views->state().labels());
  QTRY_VERIFY(classes->counter().counts().has_value());
  QCOMPARE(classes->counter().counts()->voxels.at(1), dark);

  // A name changes no result: the labels stay computed, and the views have the new colour.
  classes->add_class();
  classes->set_colour(1, QColor(0xcc, 0x00, 0x66));
  QTRY_VERIFY(std::get<LabelsInfo>(*studio.session.info("threshold", "labels")).table.classes.size() == 1);
  QVERIFY(classes->counter().counts().has_value());

  // Rows and objects.
  studio.selection.set_one("table");
  auto* table = studio.window.findChild<TablePanel*>();
  QTRY_VERIFY(table->isVisible());
  for (QAbstractButton* b : table->findChildren<QAbstractButton*>())
    if (b->text() == "Compute" && b->isVisible()) QTest::mouseClick(b, Qt::LeftButton);
  QTRY_VERIFY(table->model().rowCount() > 1);
  table->table().setCurrentIndex(table->table().model()->index(1, 0));
  const Vec3 place_of_row{table->model().value(1, table->model().find("x")),
                          table->model().value(1, table->model().find("y")),
                          table->model().value(1, table->model().find("z"))};
  QVERIFY(norm(views->state().crosshair() - place_of_row) < 1e-6);

  VolumeView in_3d = views->state().volume_view();
  in_3d.class_surfaces = true;
  in_3d.slices = VolumeSlices::cut;
  views->state().set_volume_view(in_3d);
  QTRY_VERIFY(test::is_every_view_sharp(studio.window));
  for (const char* theme : {"light", "dark"}) {
    Theme::instance().set(QLatin1String(theme));
    test::keep_picture(studio.window, QStringLiteral("label-tools-") + QLatin1String(theme), 3000);
  }
}

TL_TEST_CASE(LabelToolsTest)

}  // namespace tl::ui::label_tools_test

#include "label_tools.moc"
