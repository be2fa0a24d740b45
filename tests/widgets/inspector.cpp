// Inspector: for every node, sets every field of its form through its widget to another valid and to an invalid value.
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/editors/array_editor.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>

#include "core/learn/learning.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/editors/drive_links.h"
#include "widgets/inspector/editors/per_view_dialog.h"
#include "widgets/inspector/editors/per_view_model.h"
#include "widgets/inspector/editors/slider_scale.h"
#include "widgets/inspector/learning_targets.h"
#include "widgets/inspector/node_form.h"
#include "widgets/theme/theme.h"

namespace tl::ui::inspector_test {

class InspectorTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void every_field_of_a_node_data();
  void every_field_of_a_node();
  void a_number_keeps_its_unit();
  void escape_gives_up();
  void a_slider_drag_is_one_step();
  void sliders_reach_the_ends_of_their_range();
  void learning_marks_keep_what_others_wrote();
  void a_parameter_is_driven_by_a_link();
  void per_view_values_come_from_a_file();
  void the_table_model_is_sound();
  void the_reference_page_is_there();
  void the_keyboard_walks_through_the_fields();
};

namespace {

// A document with one node of a type, its form in a window of its own.
struct Bench {
  Document document;
  Selection selection;
  LiveSession session{document};
  Inspector inspector{session, selection};

  explicit Bench(const std::string& type) {
    document.edit("Add", [&](Graph& g) { g.nodes["node"] = GraphNode{type, Registry::all().find(type)->version, {}}; });
    selection.set_one("node");
    inspector.resize(346, 900);
  }
  [[nodiscard]] bool open() { return test::open_window(inspector); }
  [[nodiscard]] ParamField& field(const std::string& name) {
    if (inspector.form() == nullptr) qFatal("no form");
    inspector.form()->show_advanced(true);
    ParamField* found = inspector.form()->field(QString::fromStdString(name));
    if (found == nullptr) qFatal("no field %s", name.c_str());
    inspector.ensureWidgetVisible(found);
    QCoreApplication::processEvents();
    return *found;
  }
  [[nodiscard]] QLineEdit& line(const std::string& name) { return *field(name).findChild<QLineEdit*>(); }
  [[nodiscard]] std::optional<ParamValue> value(const std::string& name) const {
    const auto& params = document.graph().nodes.at("node").params;
    const auto found = params.find(name);
    return found == params.end() ? std::nullopt : std::optional(found->second);
  }
};

void type_into(QLineEdit& line, const QString& text) {
  QTest::mouseClick(&line, Qt::LeftButton);
  line.selectAll();
  QTest::keyClicks(&line, text);
  QTest::keyClick(&line, Qt::Key_Return);
}

// Another valid number than the default.
double other_number(const ParamDecl& d) {
  const auto* number = std::get_if<Number>(&d.initial);
  const auto* whole = std::get_if<int64_t>(&d.initial);
  const double now = number != nullptr ? number->value : whole != nullptr ? static_cast<double>(*whole) : 0;
  const double low = d.low.value_or(now - 3), high = d.high.value_or(now + 3);
  return now + 1 <= high && now + 1 >= low ? now + 1 : (low != now ? low : high);
}
QString number_text(double v) { return QString::number(v, 'g', 12); }

// Sets the field to another valid value by mouse and keys; gives what the graph should hold then.
ParamValue set_valid(Bench& bench, const ParamDecl& d) {
  ParamField& field = bench.field(d.name);
  switch (d.kind) {
    case ParamKind::flag: {
      auto* box = field.findChild<QCheckBox*>();
      QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
      const auto* now = std::get_if<bool>(&d.initial);
      return ParamValue{now == nullptr || !*now};
    }
    case ParamKind::integer: {
      const double v = other_number(d);
      type_into(bench.line(d.name), number_text(v));
      return ParamValue{static_cast<int64_t>(v)};
    }
    case ParamKind::number: {
      const double v = other_number(d);
      type_into(bench.line(d.name), number_text(v));
      return ParamValue{Number{v, d.unit}};
    }
    case ParamKind::choice: {
      auto* box = field.findChild<QComboBox*>();
      box->setFocus();
      const int before = box->currentIndex();
      QTest::keyClick(box, before == 0 ? Qt::Key_Down : Qt::Key_Up);
      return ParamValue{box->currentData().toString().toStdString()};
    }
    case ParamKind::text:
    case ParamKind::path: type_into(bench.line(d.name), "some name"); return ParamValue{std::string("some name")};
    case ParamKind::array: {  // nobody types it: it comes from learning
      const NumberArray array = NumberArray::make({2, 3}, {0, 1, 2, 3, 4, -0.5F}, d.unit).or_throw();
      bench.document.edit("Learn", [&](Graph& g) { g.nodes["node"].params[d.name] = array; });
      QCoreApplication::processEvents();
      const QString text = field.findChild<ArrayEditor*>()->findChild<QLabel*>()->text();
      const QString unit =
          d.unit == Unit::none ? QString() : QLatin1Char(' ') + QString::fromStdString(std::string(symbol(d.unit)));
      if (text != QStringLiteral("2 × 3 values, -0.5 to 4") + unit) qFatal("%s", qPrintable(text));
      test::keep_picture(bench.inspector, "array-" + QString::fromStdString(d.name));
      return ParamValue{array};
    }
    case ParamKind::numbers: break;
  }
  const double v = d.low ? *d.low + 1 : 2;
  const NumberList list{{v, v}, d.unit};
  if (!d.per_view) {
    type_into(bench.line(d.name), number_text(v) + ", " + number_text(v));
    return ParamValue{list};
  }
  QTest::mouseClick(field.findChild<QPushButton*>(), Qt::LeftButton);
  auto* dialog = bench.inspector.findChild<PerViewDialog*>();
  auto* model = dialog->findChild<QTableView*>()->model();
  for (int row = 0; row < 2; ++row) model->setData(model->index(row, 0), v, Qt::EditRole);
  for (QPushButton* button : dialog->findChildren<QPushButton*>())
    if (button->text().contains("OK")) QTest::mouseClick(button, Qt::LeftButton);
  return ParamValue{list};
}

// What cannot be typed into this field; empty when every entry is valid.
QString invalid_text(const ParamDecl& d) {
  switch (d.kind) {
    case ParamKind::integer: return d.low ? number_text(*d.low - 1) : "1.5";
    case ParamKind::number: return d.low ? number_text(*d.low - 1 - std::abs(*d.low)) : "not a number";
    case ParamKind::numbers: return d.per_view ? QString() : "1, two";
    default: return {};
  }
}

}  // namespace

void InspectorTest::every_field_of_a_node_data() {
  QTest::addColumn<QString>("type");
  for (const NodeType& type : Registry::all().types())
    QTest::newRow(type.id.c_str()) << QString::fromStdString(type.id);
}

void InspectorTest::every_field_of_a_node() {
  QFETCH(QString, type);
  Bench bench(type.toStdString());
  QVERIFY(bench.open());
  const NodeType* node = Registry::all().find(type.toStdString());
  test::keep_picture(bench.inspector, "form-" + type);
  for (const ParamDecl& d : node->params) {
    const QByteArray name = (d.name + " of " + node->id).c_str();
    ParamField& field = bench.field(d.name);
    QVERIFY2(field.toolTip().contains(QString::fromStdString(d.title).toHtmlEscaped()), name);
    QVERIFY2(field.toolTip().contains("Default"), name);
    auto* reset = [&]() -> QToolButton* {
      for (QToolButton* b : field.findChildren<QToolButton*>())
        if (b->accessibleName().startsWith("Back to the default")) return b;
      return nullptr;
    }();
    QVERIFY2(reset != nullptr && !reset->isVisible(), name);

    const ParamValue wanted = set_valid(bench, d);
    QVERIFY2(bench.value(d.name).has_value(), name);
    QVERIFY2(*bench.value(d.name) == wanted, name + ": " + to_text(*bench.value(d.name)).c_str());
    QVERIFY2(field.reason().isEmpty(), name + ": " + field.reason().toUtf8());
    QVERIFY2(reset->isVisible(), name);

    if (const QString wrong = invalid_text(d); !wrong.isEmpty()) {
      const Graph before = bench.document.graph();
      const int steps = bench.document.undo_stack().count();
      type_into(bench.line(d.name), wrong);
      QVERIFY2(bench.document.graph() == before, name);
      QCOMPARE(bench.document.undo_stack().count(), steps);
      QVERIFY2(!field.reason().isEmpty(), name + " took " + wrong.toUtf8());
      QVERIFY2(bench.line(d.name).property("invalid").toBool(), name);
      if (d.name == "cutoff" || d.name == "views") test::keep_picture(bench.inspector, "refused-" + type);
    }
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY2(!bench.value(d.name).has_value(), name);
    QVERIFY2(field.reason().isEmpty(), name);
    QVERIFY2(!reset->isVisible(), name);
  }
}

void InspectorTest::a_number_keeps_its_unit() {
  Bench bench("input.simulate_scan");
  QVERIFY(bench.open());
  type_into(bench.line("pixel_size"), "1.1 mm");
  QVERIFY(bench.value("pixel_size") == ParamValue(Number{1.1, Unit::mm}));
  QCOMPARE(bench.line("pixel_size").text(), QString("1.1"));
  // A number alone means the unit that is shown behind it.
  type_into(bench.line("pixel_size"), "2");
  QVERIFY(bench.value("pixel_size") == ParamValue(Number{2, Unit::mm}));
  type_into(bench.line("pixel_size"), "700 um");
  QVERIFY(bench.value("pixel_size") == ParamValue(Number{700, Unit::um}));
  type_into(bench.line("pixel_size"), "3 keV");
  QVERIFY(bench.field("pixel_size").reason().contains("keV"));
  QVERIFY(bench.value("pixel_size") == ParamValue(Number{700, Unit::um}));
  bench.document.undo_stack().undo();
  QCOMPARE(bench.line("pixel_size").text(), QString("2"));
  QVERIFY(bench.field("pixel_size").reason().isEmpty());
}

void InspectorTest::escape_gives_up() {
  Bench bench("input.simulate_scan");
  QVERIFY(bench.open());
  QLineEdit& line = bench.line("views");
  type_into(line, "-3");
  QVERIFY(!bench.field("views").reason().isEmpty());
  QTest::keyClick(&line, Qt::Key_Escape);
  QVERIFY(bench.field("views").reason().isEmpty());
  QCOMPARE(line.text(), QString("180"));
}

void InspectorTest::a_slider_drag_is_one_step() {
  Bench bench("input.simulate_scan");
  QVERIFY(bench.open());
  auto* slider = bench.field("unevenness").findChild<QSlider*>();
  const int steps = bench.document.undo_stack().count();
  const QPoint at(slider->width() / 4, slider->height() / 2);
  QTest::mousePress(slider, Qt::LeftButton, {}, at);
  for (int x = 1; x <= 10; ++x) QTest::mouseMove(slider, at + QPoint(4 * x, 0));
  QTest::mouseRelease(slider, Qt::LeftButton, {}, at + QPoint(40, 0));
  QCOMPARE(bench.document.undo_stack().count(), steps + 1);
  const auto value = std::get<Number>(bench.value("unevenness").value());
  QVERIFY(value.value > 0.2 && value.value < 0.9);
  QCOMPARE(bench.line("unevenness").text().toDouble(), value.value);
}

void InspectorTest::sliders_reach_the_ends_of_their_range() {
  int scales = 0;
  for (const NodeType& type : Registry::all().types())
    for (const ParamDecl& d : type.params) {
      const auto scale = SliderScale::of(d);
      if (!scale) continue;
      ++scales;
      QCOMPARE(scale->to_value(0), *d.low);
      QCOMPARE(scale->to_value(1), *d.high);
      for (const double place : {0.1, 0.5, 0.9}) {
        const double value = scale->to_value(place);
        const ParamValue entered = d.kind == ParamKind::integer ? ParamValue{static_cast<int64_t>(std::llround(value))}
                                                                : ParamValue{Number{value, d.unit}};
        QVERIFY2(d.validate(entered).ok(), (d.name + " of " + type.id).c_str());
        QVERIFY(scale->to_value(place + 0.1) > value || d.kind == ParamKind::integer);
      }
    }
  QVERIFY(scales > 20);
}

void InspectorTest::learning_marks_keep_what_others_wrote() {
  Graph graph;
  graph.learning = R"({"targets":[{"node":"b","parameter":"tilt","low":"-1 deg"}],"restarts":3,"runs":[{"loss":1}]})";
  const Graph marked = with_learned(graph, "axis", "axis");
  QVERIFY(is_learned(marked, "axis", "axis"));
  QVERIFY(is_learned(marked, "b", "tilt"));
  QVERIFY(!is_learned(marked, "axis", "tilt"));
  const Graph back = without_learned(marked, "axis", "axis");
  QVERIFY(learn::settings_of(back).value() == learn::settings_of(graph).value());
  QCOMPARE(learn::runs_of(back).size(), std::size_t{1});
  QVERIFY(without_learned(with_learned(Graph{}, "axis", "axis"), "axis", "axis").learning.empty());

  Bench bench("geometry.set");
  QVERIFY(bench.open());
  for (QToolButton* b : bench.field("axis").findChildren<QToolButton*>())
    if (b->isCheckable()) QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(is_learned(bench.document.graph(), "node", "axis"));
  bench.document.undo_stack().undo();
  QVERIFY(!is_learned(bench.document.graph(), "node", "axis"));
}

void InspectorTest::a_parameter_is_driven_by_a_link() {
  Bench bench("geometry.set");
  QVERIFY(bench.open());
  bench.document.edit("Add", [](Graph& g) {
    g.nodes["finder"] = GraphNode{"axis.wedge", 1, {}};
    g.nodes["after"] = GraphNode{"axis.wedge", 1, {}};
    g.links.push_back({"node", "projections", "after", "projections"});
  });
  // What follows the node cannot drive it.
  QCOMPARE(drive_sources(bench.document.graph(), Registry::all(), "node"), (QStringList{"finder.axis", "finder.tilt"}));
  Q_EMIT bench.field("axis").drive_wanted("finder.axis");
  const Link wanted{"finder", "axis", "node", "axis"};
  QVERIFY(bench.document.graph().link_into("node", "axis") != nullptr);
  QVERIFY(*bench.document.graph().link_into("node", "axis") == wanted);
  QVERIFY(!bench.line("axis").isVisible());
  for (QToolButton* b : bench.field("axis").findChildren<QToolButton*>())
    if (b->isVisible() && b->accessibleName().contains("Remove the driving link")) QTest::mouseClick(b, Qt::LeftButton);
  QVERIFY(bench.document.graph().link_into("node", "axis") == nullptr);
  QVERIFY(bench.line("axis").isVisible());
}

void InspectorTest::per_view_values_come_from_a_file() {
  const QTemporaryDir folder;
  const auto write = [&](const QString& name, const QByteArray& text) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
    file.write(text);
    return file.fileName();
  };
  const ParamDecl* decl = Registry::all().find("geometry.set")->param("shift_u");
  PerViewDialog dialog(*decl, {}, nullptr);
  QSignalSpy chosen(&dialog, &PerViewDialog::chosen);
  dialog.load(write("good.txt", "0.5\n-1\n2e-1\n"));
  auto* model = dialog.findChild<PerViewModel*>();
  QCOMPARE(model->list().values, (std::vector<double>{0.5, -1, 0.2}));
  dialog.load(write("bad.txt", "0.5\nhalf\n"));
  QCOMPARE(model->list().values.size(), std::size_t{3});
  dialog.load(write("far.txt", "1e9\n"));  // a number, but out of range: refused when it is accepted
  for (QPushButton* button : dialog.findChildren<QPushButton*>())
    if (button->text().contains("OK")) button->click();
  QCOMPARE(chosen.count(), 0);
}

void InspectorTest::the_table_model_is_sound() {
  const ParamDecl* decl = Registry::all().find("geometry.set")->param("shift_u");
  PerViewModel model(*decl, {{1, 2, 3}, Unit::px});
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(model.rowCount(), 4);
  QVERIFY(model.setData(model.index(3, 0), "4.5", Qt::EditRole));
  QCOMPARE(model.rowCount(), 5);
  QVERIFY(!model.setData(model.index(0, 0), "x", Qt::EditRole));
  QVERIFY(model.setData(model.index(0, 0), "", Qt::EditRole));
  QCOMPARE(model.list().values, (std::vector<double>{2, 3, 4.5}));
}

void InspectorTest::the_reference_page_is_there() {
  Bench bench("recon.fbp");
  QVERIFY(bench.open());
  for (QToolButton* b : bench.inspector.findChildren<QToolButton*>())
    if (b->text().contains("About this node")) QTest::mouseClick(b, Qt::LeftButton);
  auto* page = bench.inspector.findChild<QTextBrowser*>();
  QVERIFY(page->isVisible());
  QVERIFY(page->toPlainText().contains("recon.fbp"));
}

void InspectorTest::the_keyboard_walks_through_the_fields() {
  Bench bench("recon.fbp");
  QVERIFY(bench.open());
  bench.inspector.focus_form();
  const auto& params = bench.inspector.form()->type().params;
  QVERIFY(bench.field(params.front().name).isAncestorOf(QApplication::focusWidget()));
  QStringList visited;
  for (int i = 0; i < 30; ++i) {
    for (const ParamDecl& d : params) {
      const QString name = QString::fromStdString(d.name);
      if (bench.field(d.name).isAncestorOf(QApplication::focusWidget()) && !visited.contains(name)) visited << name;
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  QStringList wanted;
  for (const ParamLevel level : {ParamLevel::basic, ParamLevel::advanced})
    for (const ParamDecl& d : params)
      if (d.level == level) wanted << QString::fromStdString(d.name);
  QCOMPARE(visited, wanted);
}

TL_TEST_CASE(InspectorTest)

}  // namespace tl::ui::inspector_test

#include "inspector.moc"
