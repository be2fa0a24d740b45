// The table of classes: names, colours, visibility, locks and counts, by keys and by mouse.
#include <QLineEdit>
#include <QTableView>
#include "tests/support/gui/labelled_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/labels/class_names.h"
#include "widgets/views/labels/class_table_panel.h"

namespace tl::ui::class_table_test {

using test::Labelled;

namespace {

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

class ClassTableTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void classes_are_named_coloured_added_and_removed();
  void classes_are_hidden_locked_and_chosen();
  void classes_are_counted();
  void objects_have_no_names_and_say_so();
  void the_parameter_that_names_classes_is_found();
};

void ClassTableTest::classes_are_named_coloured_added_and_removed() {
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
  QTRY_COMPARE(t.source.steps.size(), steps + 1);
  QCOMPARE(t.at(0, ClassTableModel::name_column), QStringLiteral("enamel"));
  t.panel.set_colour(1, QColor(0x10, 0x20, 0x30));
  QCOMPARE(t.names(), std::string("1 enamel #102030; 2 class 2 #56b4e9"));
  const QModelIndex first = t.panel.model().index(0, ClassTableModel::number_column);
  const QIcon swatch = first.data(Qt::DecorationRole).value<QIcon>();
  for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected})
    QCOMPARE(swatch.pixmap({16, 16}, mode).toImage().pixelColor(8, 8), QColor(0x10, 0x20, 0x30));
  t.key(Qt::Key_2);
  t.key(Qt::Key_Delete);
  QCOMPARE(t.names(), std::string("1 enamel #102030"));
  QCOMPARE(t.panel.model().rowCount(), 1);
}

void ClassTableTest::classes_are_hidden_locked_and_chosen() {
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

void ClassTableTest::classes_are_counted() {
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

void ClassTableTest::objects_have_no_names_and_say_so() {
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

void ClassTableTest::the_parameter_that_names_classes_is_found() {
  const Labelled l;
  const Graph& g = l.source.graph_;
  const auto own = classes_param(g, Registry::all(), "threshold"),
             passed = classes_param(g, Registry::all(), "cleaned");
  QVERIFY(own && own->node == "threshold" && own->name == "class_names");
  QVERIFY(passed && passed->node == "threshold");
  QVERIFY(!classes_param(g, Registry::all(), "objects") && !classes_param(g, Registry::all(), "fbp"));
  QCOMPARE(next_free_number({{{1, "", ""}, {2, "", ""}, {4, "", ""}}, {}}), int64_t{3});
}

TL_TEST_CASE(ClassTableTest)

}  // namespace tl::ui::class_table_test

#include "class_table.moc"
