// Thresholds in the histogram: which are shown, and what dragging them does to the pipeline.
#include "tests/support/gui/labelled_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/histogram/threshold_handles.h"

namespace tl::ui::threshold_lines_test {

using test::Labelled;

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
    plot.set_picture(source.answer(request).image, test::shown_volume);
    handles.follow(test::shown_volume);
  }
  GraphNode& node() { return source.graph_.nodes["threshold"]; }
  [[nodiscard]] QPoint pixel_at(double value) const { return QPoint(qRound(plot.x_of(value)), plot.height() / 2); }
  void drag(double from, double to) {
    QTest::mousePress(&plot, Qt::LeftButton, {}, pixel_at(from));
    for (const double part : {0.5, 1.0}) {
      const QPointF at = pixel_at(from + part * (to - from));
      QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&plot, &move);
    }
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, pixel_at(to));
  }
  HistogramPlot plot;
  ThresholdHandles handles;
  bool opened = false;
};

bool is_near(double a, double b) { return std::abs(a - b) < 0.02; }  // some px of the histogram

}  // namespace

class ThresholdLinesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void thresholds_of_the_shown_volume_are_lines();
  void a_dragged_line_states_the_threshold();
  void several_thresholds_become_a_list();
  void driven_thresholds_stay();
};

void ThresholdLinesTest::thresholds_of_the_shown_volume_are_lines() {
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
  h.handles.follow(test::shown_volume);
  QCOMPARE(h.plot.lines(), std::vector<double>{0.25});
  h.state.follow("fbp");
  QVERIFY(h.plot.lines().empty());
}

void ThresholdLinesTest::a_dragged_line_states_the_threshold() {
  Histogram h;
  h.source.values["threshold.thresholds"] = {{"threshold", "1/mm", {0.25}}};
  Q_EMIT h.source.status_changed("threshold");
  const auto window = h.state.levels(test::shown_volume);
  h.drag(0.25, 1);
  QVERIFY(h.state.levels(test::shown_volume) == window);
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
  QVERIFY(h.state.levels(test::shown_volume) != window);
  // Away from lines the window is dragged.
  const auto lines = h.plot.lines();
  h.drag(-2, -1.5);
  QCOMPARE(h.plot.lines(), lines);
}

void ThresholdLinesTest::several_thresholds_become_a_list() {
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

void ThresholdLinesTest::driven_thresholds_stay() {
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

TL_TEST_CASE(ThresholdLinesTest)

}  // namespace tl::ui::threshold_lines_test

#include "threshold_lines.moc"
