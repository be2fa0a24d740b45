// Surfaces of classes and of chosen rows in 3D, and all tools for labels in a real window.
#include <QTableView>
#include <QUndoStack>
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/gui/volume_scene.h"
#include "tests/support/test_case.h"
#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui::label_tools_test {

class LabelToolsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void surfaces_of_classes_lie_in_the_volume();
  void a_person_segments_in_the_studio();
};

void LabelToolsTest::surfaces_of_classes_lie_in_the_volume() {
  test::VolumeScene s;
  Graph& g = s.source.graph_;
  g.nodes["threshold"] = {"segment.threshold", 1, {}};
  g.links.push_back({"fbp", "volume", "threshold", "volume"});
  s.source.infos["threshold.labels"] = LabelsInfo{s.source.grid(), {{{1, "ball", "#00ff00"}}, {}}};
  s.state.follow("threshold");
  // The volume itself is transparent.
  const std::vector<OpacityPoint> transparent(2);
  s.state.set_opacity(transparent);
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
  // They appear by themselves, and go and come by a key.
  QTRY_VERIFY(pane.scene().class_mesh != nullptr);
  QTRY_VERIFY(pane.is_settled() && green() > 500);
  pane.setFocus();
  QTest::keyClick(&pane, Qt::Key_V);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  QTest::keyClick(&pane, Qt::Key_V);
  QTRY_VERIFY(pane.scene().class_mesh != nullptr);
  QTRY_VERIFY2(pane.is_settled() && green() > 500, qPrintable(QString::number(green())));
  // The ball is where the voxels are: to the right, to the back, high up; and it is lit.
  const mesh::LabelSurface& ball = pane.scene().class_mesh->at(0);
  QVERIFY(mesh::is_closed(ball));
  QVERIFY(std::abs(mesh::enclosed_volume(ball) / (4.0 / 3 * pi * 0.216) - 1) < 0.05);
  test::keep_picture(pane, "class-surfaces");
  LabelView hidden = s.state.label_view();
  hidden.hidden = {1};
  s.state.set_label_view(hidden);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  s.state.set_label_view({});
  QTRY_VERIFY(pane.is_settled() && green() > 500);
  // A chosen row of a table: its object alone, although surfaces of classes are off.
  VolumeView without = s.state.volume_view();
  without.class_surfaces = false;
  s.state.set_volume_view(without);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  LabelView chosen = s.state.label_view();
  chosen.highlighted = {1};
  s.state.set_label_view(chosen);
  QTRY_VERIFY(pane.is_settled() && green() > 500);
  test::keep_picture(pane, "chosen-object-in-3d");
  chosen.highlighted = {2};
  s.state.set_label_view(chosen);
  QTRY_VERIFY(pane.is_settled() && green() == 0);
  s.state.set_label_view({});
  without.class_surfaces = true;
  s.state.set_volume_view(without);
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
  QAbstractButton* compute = nullptr;
  for (QAbstractButton* b : table->findChildren<QAbstractButton*>())
    if (b->text() == "Compute") compute = b;
  QVERIFY(compute != nullptr);
  QTRY_VERIFY(compute->isVisible() && compute->isEnabled() && test::is_every_view_sharp(studio.window));
  QTest::mouseClick(compute, Qt::LeftButton);
  QTRY_VERIFY(table->model().rowCount() > 1);
  table->table().setCurrentIndex(table->table().model()->index(1, 0));
  const Vec3 row_position{table->model().value(1, table->model().find("x")),
                          table->model().value(1, table->model().find("y")),
                          table->model().value(1, table->model().find("z"))};
  QVERIFY(norm(views->state().crosshair() - row_position) < 1e-6);

  VolumeView in_3d = views->state().volume_view();
  in_3d.class_surfaces = true;
  in_3d.slices = VolumeSlices::cut;
  views->state().set_volume_view(in_3d);
  // The largest object is the air around.
  LabelView labels = views->state().label_view();
  labels.hidden = {1};
  views->state().set_label_view(labels);
  QTRY_VERIFY(test::is_every_view_sharp(studio.window));
  classes->counter().count(views->state().labels());
  QTRY_VERIFY(classes->counter().counts().has_value());
  QVERIFY(classes->model().rowCount() > 1);
  for (const char* theme : {"light", "dark"}) {
    Theme::instance().set(QLatin1String(theme));
    test::keep_picture(studio.window, QStringLiteral("label-tools-") + QLatin1String(theme), 3000);
  }
}

TL_TEST_CASE(LabelToolsTest)

}  // namespace tl::ui::label_tools_test

#include "label_tools.moc"
