// The palette at the canvas: what is offered first, and what is said of a node that cannot be linked to the selected
// one.
#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/hint_label.h"
#include "widgets/theme/theme.h"

namespace tl::ui::palette_test {
namespace {

using test::CanvasWindow;

const NodeType* find_node_type(const QString& title) {
  for (const NodeType& type : Registry::all().types())
    if (QString::fromStdString(type.title) == title) return &type;
  return nullptr;
}
// The line of the first node for which this holds; -1 without one.
template <class Condition>
qsizetype first_line(const QStringList& titles, const Condition& holds) {
  for (qsizetype i = 0; i < titles.size(); ++i)
    if (const NodeType* type = find_node_type(titles[i]); type != nullptr && holds(*type)) return i;
  return -1;
}

bool is_objective(const NodeType& type) { return type.category == "Learning"; }
bool finds_axis(const NodeType& type) { return type.id.starts_with("axis.") && static_cast<bool>(type.measure); }

// Opens the palette behind the flat-field node: by Tab, or by a link that is dropped on the empty canvas.
void open_after_flat_field(CanvasWindow& w, bool by_link) {
  if (by_link) {
    const QPoint port = w.port("flat_field", "projections", Side::output);
    w.drag(port, port + QPoint(30, 250));
  } else {
    QTest::mouseClick(w.viewport(), Qt::LeftButton, {}, w.card("flat_field"));
    w.key(Qt::Key_Tab);
  }
}

const HintLabel& notice(const CanvasWindow& w) {
  return *w.canvas.findChild<HintLabel*>(QString(), Qt::FindDirectChildrenOnly);
}

}  // namespace

class PaletteTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void what_finds_the_axis_comes_before_objectives_data();
  void what_finds_the_axis_comes_before_objectives();
  void an_objective_is_found_by_its_name();
  void a_node_without_a_link_says_what_to_do();
};

void PaletteTest::what_finds_the_axis_comes_before_objectives_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<bool>("by_link");
  for (const char* typed : {"axis", "rotation axis", "rotation", "center", "centre", "center of rotation", "cor"})
    for (const bool by_link : {true, false})
      QTest::addRow("%s, %s", typed, by_link ? "link" : "Tab") << QString(typed) << by_link;
}
void PaletteTest::what_finds_the_axis_comes_before_objectives() {
  QFETCH(QString, typed);
  QFETCH(bool, by_link);
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  for (const char* used : {"objective.wedge", "objective.entropy"}) remember_node(used);
  open_after_flat_field(w, by_link);
  QVERIFY(w.canvas.palette_popup().isVisible());
  QTest::keyClicks(w.palette_line(), typed);
  const QStringList offered = w.offered();
  const QByteArray words = offered.join(QStringLiteral(", ")).toUtf8();
  const auto objective = first_line(offered, is_objective);
  QVERIFY2(first_line(offered, finds_axis) >= 0, words);
  if (objective < 0) return;
  for (qsizetype i = objective; i < offered.size(); ++i) QVERIFY2(!finds_axis(*find_node_type(offered[i])), words);
  test::keep_picture(w.canvas.palette_popup(), QStringLiteral("palette_%1_%2").arg(typed).arg(by_link), 0);
}

void PaletteTest::an_objective_is_found_by_its_name() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  open_after_flat_field(w, false);
  for (const char* title : {"Wedge consistency", "Consistency of moments"}) {
    w.palette_line()->clear();
    QTest::keyClicks(w.palette_line(), title);
    QCOMPARE(w.offered().front(), QString(title));
  }
  w.palette_line()->clear();
  QTest::keyClicks(w.palette_line(), "objective");
  QVERIFY2(is_objective(*find_node_type(w.offered().front())), qPrintable(w.offered().front()));
}

void PaletteTest::a_node_without_a_link_says_what_to_do() {
  CanvasWindow w;
  w.document.reset(test::volume_chain());
  QVERIFY(w.open());
  QSignalSpy refused(&w.canvas, &Canvas::refused);
  // What fits is added without a word; so is what takes nothing from any node.
  w.selection.set_one("fbp");
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("gaussian filter"));
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("simulate scan"));
  QCOMPARE(refused.count(), 0);
  QVERIFY(!notice(w).isVisible());
  // An output node gives nothing.
  w.selection.set_one("save_volume");
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("fbp"));
  QCOMPARE(w.document.graph().nodes.count("fbp_2"), std::size_t{1});
  QVERIFY(w.document.graph().link_into("fbp_2", "projections") == nullptr);
  QVERIFY(notice(w).isVisible());
  QVERIFY(w.canvas.rect().contains(notice(w).geometry()));
  QCOMPARE(notice(w).text(),
           QString("FBP is not linked: Save volume has no output of type projections. Drag a link to it from "
                   "Flat-field."));
  QCOMPARE(refused.count(), 1);
  QCOMPARE(refused.front().front().toString(), notice(w).text());
  test::keep_picture(w.canvas, "palette_unlinked", 0);
  // In a box of its own, not over the canvas.
  const QRect box = notice(w).geometry();
  const QPoint inside = box.topLeft() + QPoint(4, box.height() / 2);
  QCOMPARE(w.canvas.grab().toImage().pixelColor(inside), Theme::instance().color(Token::raised));
  // A volume cannot be reconstructed either.
  w.selection.set_one("gaussian");
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("fbp"));
  QVERIFY2(notice(w).text().contains("Gaussian filter has no output of type projections"),
           qPrintable(notice(w).text()));
  // Nothing in this pipeline gives projections.
  Graph alone;
  (void)edit::add_node(alone, Registry::all(), "output.save_volume");
  w.document.reset(alone);
  w.selection.set_one("save_volume");
  w.key(Qt::Key_Tab);
  QVERIFY(w.type_in_palette("fbp"));
  QVERIFY2(notice(w).text().endsWith("Add a node with such an output, and drag a link from there."),
           qPrintable(notice(w).text()));
}

TL_TEST_CASE(PaletteTest)

}  // namespace tl::ui::palette_test

#include "palette.moc"
