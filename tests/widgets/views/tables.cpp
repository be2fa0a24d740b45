// Tables: rows and objects, order, filter, histogram, copies, a window of their own, and a hundred thousand rows.
#include "widgets/views/table/table_panel.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/support/gui/labelled_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/labels/label_picture.h"
#include "widgets/plot/plot_panel.h"

namespace tl::ui::tables_test {

using test::Labelled;

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
  [[nodiscard]] static bool press(const QWidget& where, const QString& text) {
    for (QAbstractButton* b : where.findChildren<QAbstractButton*>())
      if (b->text() == text && b->isVisible()) {
        QTest::mouseClick(b, Qt::LeftButton);
        return true;
      }
    return false;
  }
  TablePanel panel;
  bool opened = false;
};

}  // namespace

class TablesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_row_moves_the_crosshair_and_an_object_finds_its_row();
  void tables_are_sorted_copied_saved_and_counted();
  void a_table_has_a_window_with_a_filter();
  void objects_of_chosen_rows_are_highlighted();
  void many_rows_stay_fluid();
};

void TablesTest::a_row_moves_the_crosshair_and_an_object_finds_its_row() {
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

void TablesTest::tables_are_sorted_copied_saved_and_counted() {
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

void TablesTest::a_table_has_a_window_with_a_filter() {
  Rows r;
  QVERIFY(r.opened);
  QVERIFY(r.press(r.panel, "Window"));
  auto* own = r.panel.findChild<TablePanel*>();
  QVERIFY(own != nullptr && own->isWindow());
  QVERIFY(QTest::qWaitForWindowExposed(own));
  QCOMPARE(own->model().rowCount(), 3);
  QVERIFY(own->histogram().isVisible());
  auto* filter = own->findChild<QLineEdit*>();
  QVERIFY(filter->isVisible() && !r.panel.findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->isVisible());
  QTest::keyClicks(filter, "voxels > 15 and x > 0");
  QTRY_COMPARE(own->model().rowCount(), 2);
  own->table().sortByColumn(1, Qt::AscendingOrder);
  QCOMPARE(own->csv(),
           QStringLiteral("number,voxels,x [mm],y [mm],z [mm]\n3,20,0.25,-0.75,0.75\n1,30,1.25,0.25,0.25\n"));
  // A histogram of the column with the cursor, of the rows that are shown.
  own->table().setCurrentIndex(own->table().model()->index(0, 3));
  QCOMPARE(own->histogram().content().x.title, QStringLiteral("y"));
  double counted = 0;
  const std::vector<double>& y = own->histogram().content().series.at(0).y;
  for (std::size_t i = 0; i < y.size(); i += 2) counted += y[i];
  QCOMPARE(counted, 2.0);
  test::keep_picture(*own, "table-window");
  QCOMPARE(r.panel.model().rowCount(), 3);  // the dock is not filtered
  filter->selectAll();
  QTest::keyClicks(filter, "volum > 3");
  QTRY_COMPARE(own->model().rowCount(), 3);  // all, and the mistake is said
  const auto says = [own](const QString& words) {
    for (const QLabel* label : own->findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  };
  QVERIFY(says(QStringLiteral("there is no column")));
  // It stays with its node.
  r.state.follow("threshold");
  QVERIFY(!r.panel.has_table() && own->has_table());
  own->close();
  QTRY_VERIFY(r.panel.findChild<TablePanel*>() == nullptr);
}

void TablesTest::objects_of_chosen_rows_are_highlighted() {
  Rows r;
  QVERIFY(r.opened);
  QAbstractItemView& table = r.panel.table();
  const auto click = [&table](int row, Qt::KeyboardModifiers keys) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, keys, table.visualRect(table.model()->index(row, 0)).center());
  };
  const auto& highlighted = r.state.label_view().highlighted;
  click(1, {});
  QCOMPARE(highlighted, (std::set<int64_t>{2}));
  click(2, Qt::ControlModifier);
  QCOMPARE(highlighted, (std::set<int64_t>{2, 3}));
  r.panel.table().sortByColumn(1, Qt::DescendingOrder);  // the same objects, whatever their rows
  QCOMPARE(highlighted, (std::set<int64_t>{2, 3}));
  test::keep_picture(r.panel, "table-rows-chosen");
  // In slices: opaque, the others fainter than before.
  picture::Image labels{1, 3, {1, 2, 3}};
  LabelView plain = r.state.label_view();
  plain.highlighted.clear();
  const QImage before = render_labels(labels, {}, plain), now = render_labels(labels, {}, r.state.label_view());
  QVERIFY(qAlpha(now.pixel(1, 0)) == 255 && qAlpha(now.pixel(2, 0)) == 255);
  QVERIFY(qAlpha(now.pixel(0, 0)) > 0 && qAlpha(now.pixel(0, 0)) < qAlpha(before.pixel(0, 0)));
  // A click on an object in a slice finds its row, and leaves the images as they are.
  r.state.set_crosshair({1.75, 0.25, 0.25});
  QVERIFY(highlighted.empty());
  click(0, {});
  QVERIFY(!highlighted.empty());
  r.panel.hide();
  QVERIFY(highlighted.empty());
}

// A hundred thousand rows: no step of a person holds the window.
void TablesTest::many_rows_stay_fluid() {
  Rows r;
  QVERIFY(r.opened);
  constexpr int count = 100'000;
  std::vector<live::PlainColumn> columns = {{"number", "", {}}, {"voxels", "", {}}, {"mean", "1/mm", {}}};
  for (int i = 0; i < count; ++i) {
    columns[0].values.push_back(i + 1);
    columns[1].values.push_back((i * 7919LL) % 100'003);
    columns[2].values.push_back(i % 10 == 0 ? std::nan("") : std::sin(i));
  }
  r.source.values["table.regions"] = columns;
  Q_EMIT r.source.graph_changed();
  QCOMPARE(r.panel.model().rowCount(), count);
  TablePanel* const own = r.panel.open_window();
  QVERIFY(QTest::qWaitForWindowExposed(own));
  QElapsedTimer clock;
  const auto is_quick = [&clock](const char* what) {
    constexpr qint64 most_ms = 1000;  // far above what it takes alone: tests share the machine
    const qint64 took = clock.elapsed();
    if (took > most_ms) qWarning("%s took %lld ms", what, static_cast<long long>(took));
    return took <= most_ms;
  };
  for (const int column : {1, 2}) {
    clock.start();
    own->table().sortByColumn(column, Qt::DescendingOrder);
    QCoreApplication::processEvents();
    QVERIFY(is_quick("sorting"));
  }
  QVERIFY(own->table().model()->index(count - 1, 2).data().toString().isEmpty());  // no number: last
  QCOMPARE(own->model().value(0, 2) > 0.999, true);
  clock.start();
  own->table().selectAll();
  QCoreApplication::processEvents();
  QVERIFY(is_quick("choosing all"));
  QCOMPARE(r.state.label_view().highlighted.size(), static_cast<std::size_t>(count));
  clock.start();
  own->findChild<QLineEdit*>()->setText(QStringLiteral("voxels < 1000"));
  QTRY_VERIFY(own->model().rowCount() < count);
  QVERIFY(is_quick("filtering"));
  for (int row = 0; row < own->model().rowCount(); ++row) QVERIFY(own->model().value(row, 1) < 1000);
}

TL_TEST_CASE(TablesTest)

}  // namespace tl::ui::tables_test

#include "tables.moc"
