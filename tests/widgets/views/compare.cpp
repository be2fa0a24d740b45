// CompareArea: shared camera, slice and window; swipe, flicker, difference, checkerboard; another parameter value.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <set>
#include <utility>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/variant_source.h"

namespace tl::ui::views_compare_test {

class ViewsCompareTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void both_show_the_same_slice_camera_and_window();
  void the_difference_of_equal_results_is_zero();
  void the_difference_of_others_is_theirs();
  void images_of_other_sizes_have_no_difference();
  void the_swipe_divider_is_dragged();
  void flicker_and_checkerboard();
  void another_value_is_computed_apart();
  void a_wrong_value_is_reported();
  void both_sides_say_what_they_are();
  void an_enumeration_is_chosen_from_its_choices();
  void an_emptied_pipeline_empties_both();
};

namespace {

// Two reconstructions of one scan; the second is brighter by 5.
class Two final : public PictureSource {
 public:
  Two() {
    graph_ = first_.graph_;
    graph_.nodes["sirt"] = GraphNode{"recon.fbp", 1, {}};
    graph_.links.push_back({"flat", "projections", "sirt", "projections"});
    for (test::FakePictures* one : {&first_, &second_}) {
      one->value = [](Vec3 p) { return static_cast<float>(p.x + 10 * p.y + 100 * p.z); };
      connect(one, &PictureSource::picture_ready, this, &PictureSource::picture_ready);
    }
  }
  [[nodiscard]] const Graph& graph() const override { return graph_; }
  [[nodiscard]] const Registry& registry() const override { return Registry::all(); }
  [[nodiscard]] const Info* info(const Output& output) const override {
    if (output.node != "sirt") return first_.info(output);
    return second_.info({"fbp", "volume"});
  }
  [[nodiscard]] live::NodeStatus status(const QString&) const override { return {}; }
  void request(const QString& view, const live::PictureRequest& request) override {
    (request.node == "sirt" ? second_ : first_).request(view, request);
  }
  void forget(const QString&) override {}
  test::FakePictures first_, second_;
  Graph graph_;
};

struct Compared {
  Compared() : state(source), area(source, state, {}) {
    state.set_crosshair(source.first_.grid().centre);
    area.resize(1000, 500);
    opened = test::open_window(area);
    area.compare_outputs({"fbp", "volume"}, {"sirt", "volume"});
  }
  [[nodiscard]] QRgb screen(QPoint at) { return area.left().grab().toImage().pixel(at); }
  // Whether A has the room of both, as in the modes that paint one over the other.
  [[nodiscard]] bool is_left_alone() { return area.left().width() > area.width() * 9 / 10; }
  void shoot(const QString& name) { test::keep_picture(area, "compare_" + name, 0); }
  Two source;
  ViewState state;
  CompareArea area;
  bool opened = false;
};

}  // namespace

void ViewsCompareTest::both_show_the_same_slice_camera_and_window() {
  Compared c;
  QVERIFY(c.opened);
  QVERIFY(c.area.left().isVisible() && c.area.right().isVisible());
  c.area.right().step(1);
  const auto of = [](ComparePane& pane) { return std::get<VolumeGrid>(pane.picture()->request.region); };
  QVERIFY(of(c.area.left()) == of(c.area.right()));
  QCOMPARE(c.area.left().picture()->request.node, std::string("fbp"));
  QCOMPARE(c.area.right().picture()->request.node, std::string("sirt"));
  QTest::keyClick(&c.area.right(), Qt::Key_X);
  QVERIFY(c.area.left().orientation() == Orientation::yz && of(c.area.left()) == of(c.area.right()));
  QTest::keyClick(&c.area.left(), Qt::Key_Z);
  QVERIFY(c.area.right().orientation() == Orientation::xy);
  c.area.left().zoom_by(3);
  // The splitter may give one of them a pixel more.
  QVERIFY(std::abs(c.area.left().scale().width() / c.area.right().scale().width() - 1) < 0.01);
  c.state.set_levels({"fbp", "volume"}, {0, 7}, LevelsMode::manual);
  QVERIFY(c.area.right().levels_output() == (Output{"fbp", "volume"}));
  c.shoot("side");
}

void ViewsCompareTest::the_difference_of_equal_results_is_zero() {
  Compared c;
  c.area.set_mode(CompareMode::difference);
  QVERIFY(c.area.left().has_stand_in());
  for (const float v : c.area.left().picture()->image->pixels) QCOMPARE(v, 0.0F);
  QVERIFY(!c.area.right().isVisible());
  // The next slice, too: the hidden partner keeps up.
  c.area.left().step(1);
  for (const float v : c.area.left().picture()->image->pixels) QCOMPARE(v, 0.0F);
  c.shoot("difference_zero");
  c.area.set_mode(CompareMode::side_by_side);
  QVERIFY(!c.area.left().has_stand_in());
}

void ViewsCompareTest::the_difference_of_others_is_theirs() {
  Compared c;
  c.source.second_.value = [](Vec3 p) { return static_cast<float>(p.x + 10 * p.y + 100 * p.z + 5); };
  c.area.right().refresh();
  c.area.set_mode(CompareMode::difference);
  for (const float v : c.area.left().picture()->image->pixels) QVERIFY(std::abs(v + 5) < 1e-3F);
}

void ViewsCompareTest::images_of_other_sizes_have_no_difference() {
  Compared c;
  c.source.second_.set_grid(VolumeGrid::cubic(6, 4, 5, 1.0));
  c.area.right().refresh();
  c.area.set_mode(CompareMode::difference);
  QVERIFY(!c.area.left().has_stand_in());
  QVERIFY(!c.area.left().obstacle().isEmpty());
}

void ViewsCompareTest::the_swipe_divider_is_dragged() {
  Compared c;
  c.source.first_.value = [](Vec3) { return 0.0F; };
  c.source.second_.value = [](Vec3) { return 1.0F; };
  c.area.left().refresh();
  c.area.right().refresh();
  c.state.set_levels({"fbp", "volume"}, {0, 1}, LevelsMode::manual);
  c.area.set_mode(CompareMode::swipe);
  QTRY_VERIFY(c.is_left_alone());
  ComparePane& pane = c.area.left();
  const int middle = pane.width() / 2, y = pane.height() / 2 - 60;
  QCOMPARE(qGray(c.screen({middle - 40, y})), 0);
  QCOMPARE(qGray(c.screen({middle + 40, y})), 255);
  const Vec3 crosshair = c.state.crosshair();
  QTest::mousePress(&pane, Qt::LeftButton, {}, {middle, y});
  const QPointF to(middle + 80, y);
  QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&pane, &move);
  QTest::mouseRelease(&pane, Qt::LeftButton, {}, to.toPoint());
  QVERIFY(c.state.crosshair() == crosshair);
  QCOMPARE(qGray(c.screen({middle + 40, y})), 0);
  QCOMPARE(qGray(c.screen({middle + 120, y})), 255);
  c.shoot("swipe");
  const double before = pane.divider();
  QTest::keyClick(&pane, Qt::Key_BracketLeft);
  QVERIFY(pane.divider() < before);
}

void ViewsCompareTest::flicker_and_checkerboard() {
  Compared c;
  c.source.first_.value = [](Vec3) { return 0.0F; };
  c.source.second_.value = [](Vec3) { return 1.0F; };
  c.area.left().refresh();
  c.area.right().refresh();
  c.state.set_levels({"fbp", "volume"}, {0, 1}, LevelsMode::manual);
  c.area.set_mode(CompareMode::flicker);
  QTRY_VERIFY(c.is_left_alone());
  const QPoint at(c.area.left().width() / 2 + 30, c.area.left().height() / 2 - 40);
  const int first = qGray(c.screen(at));
  QTest::keyClick(&c.area.left(), Qt::Key_Space);
  QCOMPARE(qGray(c.screen(at)), 255 - first);
  c.area.set_mode(CompareMode::checkerboard);
  const QImage image = c.area.left().grab().toImage();
  std::set<int> greys;
  for (int i = 0; i < 96; i += 8) greys.insert(qGray(image.pixel(at + QPoint(i, 0))));
  QVERIFY(greys.count(0) == 1 && greys.count(255) == 1);
  c.shoot("checkerboard");
}

void ViewsCompareTest::another_value_is_computed_apart() {
  test::FakePictures base;
  base.graph_ = {};
  base.graph_.nodes["scan"] =
      GraphNode{"input.simulate_scan", 1, {{"views", int64_t{24}}, {"rows", int64_t{4}}, {"cols", int64_t{32}}}};
  base.graph_.nodes["flat"] = GraphNode{"correct.flat_field", 1, {}};
  base.graph_.nodes["fbp"] = GraphNode{"recon.fbp", 1, {}};
  base.graph_.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "fbp", "projections"}};
  VariantSource variant(base, {});
  QVERIFY(variant.set("scan", "cols", "48").ok());
  QTRY_VERIFY_WITH_TIMEOUT(variant.info({"fbp", "volume"}) != nullptr, 10000);
  QCOMPARE(std::get<VolumeInfo>(*variant.info({"fbp", "volume"})).grid.nx, int64_t{48});
  QVERIFY(variant.set("scan", "cols", "40").ok());
  QTRY_COMPARE_WITH_TIMEOUT(std::get<VolumeInfo>(*variant.info({"fbp", "volume"})).grid.nx, int64_t{40}, 10000);
  // What else changes in the pipeline changes in the variant, too.
  base.graph_.nodes["scan"].params["rows"] = int64_t{6};
  Q_EMIT base.graph_changed();
  QTRY_COMPARE_WITH_TIMEOUT(std::get<VolumeInfo>(*variant.info({"fbp", "volume"})).grid.nz, int64_t{6}, 10000);
  std::optional<live::Picture> picture;
  connect(&variant, &PictureSource::picture_ready, this, [&](const QString&, const live::Picture& p) { picture = p; });
  const VolumeGrid grid = std::get<VolumeInfo>(*variant.info({"fbp", "volume"})).grid;
  live::PictureRequest request;
  request.node = "fbp";
  request.port = "volume";
  request.region = grid.slab({3, 4});
  variant.request("v", request);
  QTRY_VERIFY_WITH_TIMEOUT(picture && picture->final && picture->image, 20000);
  QCOMPARE(picture->image->cols, int64_t{40});
  const auto greatest = std::max_element(picture->image->pixels.begin(), picture->image->pixels.end());
  QVERIFY(*greatest > 0.0F);
}

void ViewsCompareTest::a_wrong_value_is_reported() {
  Compared c;
  const auto wrong = c.area.compare_value({"fbp", "volume"}, "scan", "cols", "-3");
  QVERIFY(!wrong.ok());
  QCOMPARE(c.area.right().output(), (Output{"sirt", "volume"}));  // as it was
  QVERIFY(!c.area.compare_value({"fbp", "volume"}, "scan", "no_such", "1").ok());
  // The same through the bar.
  auto* b = c.area.findChild<QComboBox*>();
  for (QComboBox* box : c.area.findChildren<QComboBox*>())
    if (box->accessibleName() == "Result B") b = box;
  b->setCurrentIndex(0);
  Q_EMIT b->activated(0);
  for (QComboBox* box : c.area.findChildren<QComboBox*>())
    if (box->accessibleName() == "Parameter that differs in B") {
      box->setCurrentIndex(box->findText("FBP (fbp) · Cutoff"));
      Q_EMIT box->activated(box->currentIndex());
    }
  auto* value = c.area.findChild<QLineEdit*>();
  QVERIFY(value->isVisible());
  value->setText("many");
  Q_EMIT value->editingFinished();
  bool reported = false;
  for (QLabel* label : c.area.findChildren<QLabel*>()) reported = reported || label->text().contains("many");
  QVERIFY(reported);
}

void ViewsCompareTest::both_sides_say_what_they_are() {
  Compared c;
  QVERIFY(c.opened);
  // Two nodes of one type are distinguished by their names in the pipeline.
  QCOMPARE(c.area.left().kind_text(), QStringLiteral("A · FBP (fbp)"));
  QCOMPARE(c.area.right().kind_text(), QStringLiteral("B · FBP (sirt)"));
  c.area.set_mode(CompareMode::flicker);
  const QString before = c.area.left().kind_text();
  QTest::keyClick(&c.area.left(), Qt::Key_Space);
  QVERIFY(c.area.left().kind_text() != before);
  c.area.set_mode(CompareMode::side_by_side);
  // Another value, not given through the bar: the bar shows it, and so do both captions.
  c.source.graph_.nodes.erase("sirt");
  std::erase_if(c.source.graph_.links, [](const Link& l) { return l.to_node == "sirt"; });
  Q_EMIT c.source.graph_changed();
  QVERIFY(c.area.compare_value({"fbp", "volume"}, "fbp", "cutoff", "0.2 Nyquist").ok());
  QCOMPARE(c.area.left().kind_text(), QStringLiteral("A · FBP · Cutoff 1 Nyquist"));
  QCOMPARE(c.area.right().kind_text(), QStringLiteral("B · FBP · Cutoff 0.2 Nyquist"));
  QComboBox* param = nullptr;
  for (QComboBox* box : c.area.findChildren<QComboBox*>())
    if (box->accessibleName() == "Parameter that differs in B") param = box;
  auto* value = c.area.findChild<QLineEdit*>();
  QVERIFY(param != nullptr && param->isVisible());
  QCOMPARE(param->currentText(), QStringLiteral("FBP · Cutoff"));
  QCOMPARE(value->text(), QStringLiteral("0.2 Nyquist"));
  test::keep_picture(c.area, "compare-named");
  // Another parameter begins without a value, and says what it is now; the image keeps its own name until then.
  const auto choose_param = [param](const char* text) {
    const int at = param->findText(text);
    param->setCurrentIndex(at);
    Q_EMIT param->activated(at);
    return at >= 0;
  };
  QVERIFY(choose_param("FBP · Voxel size"));
  QVERIFY(value->text().isEmpty() && value->placeholderText().startsWith("now "));
  QCOMPARE(c.area.right().kind_text(), QStringLiteral("B · FBP · Cutoff 0.2 Nyquist"));
  // A follows the pipeline.
  c.source.graph_.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist};
  Q_EMIT c.source.graph_changed();
  QCOMPARE(c.area.left().kind_text(), QStringLiteral("A · FBP · Cutoff 0.5 Nyquist"));
}

// Nobody has to know how the choices are written in files.
void ViewsCompareTest::an_enumeration_is_chosen_from_its_choices() {
  Compared c;
  QVERIFY(c.opened);
  const auto box = [&c](const char* name) -> QComboBox* {
    for (QComboBox* b : c.area.findChildren<QComboBox*>())
      if (b->accessibleName() == name) return b;
    return nullptr;
  };
  const auto choose = [](QComboBox* b, int at) {
    b->setCurrentIndex(at);
    Q_EMIT b->activated(at);
  };
  choose(box("Result B"), 0);
  QComboBox* param = box("Parameter that differs in B");
  choose(param, param->findText("FBP (fbp) · Filter"));
  QComboBox* value = box("Value of the parameter in B");
  QVERIFY(value->isVisible() && !c.area.findChild<QLineEdit*>()->isVisible());
  QCOMPARE(value->currentIndex(), -1);
  QVERIFY(value->placeholderText().startsWith("now "));
  const ParamDecl* filter = c.source.registry().find("recon.fbp")->param("filter");
  QCOMPARE(value->count(), static_cast<int>(filter->choices.size()));
  QCOMPARE(value->itemText(1), QString::fromStdString(filter->choices[1].title));
  test::keep_picture(c.area, "compare-choice", 0);
  choose(value, 1);
  QVERIFY2(c.area.right().kind_text().endsWith(value->currentText()), qPrintable(c.area.right().kind_text()));
  // The choice stays when the pipeline changes elsewhere.
  c.source.graph_.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist};
  Q_EMIT c.source.graph_changed();
  QCOMPARE(value->currentIndex(), 1);
  // A parameter with numbers is typed.
  choose(param, param->findText("FBP (fbp) · Cutoff"));
  QVERIFY(!value->isVisible() && c.area.findChild<QLineEdit*>()->isVisible());
}

// Ctrl+N: nothing of the pipeline before stays on screen; the next one is shown without a choice.
void ViewsCompareTest::an_emptied_pipeline_empties_both() {
  Compared c;
  QVERIFY(c.opened && c.area.left().picture() && c.area.right().picture());
  const Graph before = std::exchange(c.source.graph_, {});
  Q_EMIT c.source.graph_changed();
  QVERIFY(c.area.left().output().empty() && !c.area.left().picture());
  QVERIFY(c.area.right().output().empty() && !c.area.right().picture());
  c.source.graph_ = before;
  Q_EMIT c.source.graph_changed();
  QVERIFY(!c.area.left().output().empty() && c.area.left().picture());
}

TL_TEST_CASE(ViewsCompareTest)

}  // namespace tl::ui::views_compare_test

#include "compare.moc"
