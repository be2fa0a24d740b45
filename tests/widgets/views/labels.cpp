// Labels over slices: which are shown for a node, what is asked, their colours on the screen, keys, and what is kept.
#include <set>

#include "core/values/label_colours.h"
#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/labels/label_colors.h"
#include "widgets/labels/label_picture.h"
#include "widgets/views/panes/compare_pane.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/pictures/output_finder.h"

namespace tl::ui::views_labels_test {

namespace {

// The scan of FakePictures with a threshold after the reconstruction: label 1 where x > 0, else 0; 2 where y > 1 mm
// too.
class Labelled final : public PictureSource {
 public:
  Labelled() {
    Graph& g = pictures_.graph_;
    g.nodes["threshold"] = {"segment.threshold", 1, {}};
    g.nodes["objects"] = {"segment.components", 1, {}};
    g.nodes["table"] = {"measure.regions", 1, {}};
    for (const Link& link :
         {Link{"fbp", "volume", "threshold", "volume"}, Link{"threshold", "labels", "objects", "labels"},
          Link{"objects", "labels", "table", "labels"}})
      g.links.push_back(link);
    pictures_.infos["threshold.labels"] = LabelsInfo{pictures_.grid(), {{{1, "bone", "#ff0000"}, {2, "", ""}}, {}}};
    pictures_.infos["objects.labels"] = LabelsInfo{pictures_.grid(), {}};
    connect(&pictures_, &PictureSource::picture_ready, this, &PictureSource::picture_ready);
  }
  [[nodiscard]] const Graph& graph() const override { return pictures_.graph(); }
  [[nodiscard]] const Registry& registry() const override { return pictures_.registry(); }
  [[nodiscard]] const Info* info(const Output& output) const override { return pictures_.info(output); }
  [[nodiscard]] live::NodeStatus status(const QString& node) const override { return pictures_.status(node); }
  void forget(const QString& view) override { pictures_.forget(view); }
  void request(const QString& view, const live::PictureRequest& request) override {
    const auto grey = pictures_.value;
    if (request.port == "labels") pictures_.value = [](Vec3 p) { return p.x > 0 ? (p.y > 1 ? 2.0F : 1.0F) : 0.0F; };
    pictures_.request(view, request);
    pictures_.value = grey;
  }
  test::FakePictures pictures_;
};

ShownOutputs shown(const Labelled& source, const char* node) {
  return shown_for(source.graph(), source.registry(), QString::fromLatin1(node));
}
const Output fbp{"fbp", "volume"}, threshold{"threshold", "labels"}, objects{"objects", "labels"};

struct Screen {
  explicit Screen(Orientation orientation = Orientation::xy) : state(source), pane(source, state, "pane", orientation) {
    state.set_color_map(ColorMap::grey);
    state.set_crosshair(source.pictures_.grid().centre);
    pane.resize(500, 400);
    opened = test::open_window(pane);
  }
  // The colour on the screen at a position [mm].
  [[nodiscard]] QColor at(Vec3 place) const {
    const QPointF point = pane.to_widget(pane.plane()->to_pane(place));
    return const_cast<SlicePane&>(pane).grab().toImage().pixelColor(point.toPoint());
  }
  [[nodiscard]] static bool is_grey(QColor c) { return c.red() == c.green() && c.green() == c.blue(); }
  Labelled source;
  ViewState state;
  SlicePane pane;
  bool opened = false;
};
constexpr Vec3 in_bone{1.25, -0.75, 0}, in_second{1.25, 1.25, 0}, outside{-1.25, -0.75, 0};

}  // namespace

class ViewsLabelsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_volume_below_is_what_was_segmented() {
    const Labelled source;
    QVERIFY((shown(source, "fbp") == ShownOutputs{fbp, {}}));
    QVERIFY((shown(source, "threshold") == ShownOutputs{fbp, threshold}));
    QVERIFY((shown(source, "objects") == ShownOutputs{fbp, objects}));
    QVERIFY((shown(source, "table") == ShownOutputs{fbp, objects}));  // what it measures
    // What a classifier is unsure of is not what it segmented.
    Labelled learned;
    Graph& g = learned.pictures_.graph_;
    g.nodes["classifier"] = {"segment.pixel_classifier", 1, {}};
    g.nodes["parts"] = {"segment.components", 1, {}};
    g.links.push_back({"fbp", "volume", "classifier", "volume"});
    g.links.push_back({"classifier", "labels", "parts", "labels"});
    QVERIFY((shown(learned, "classifier") == ShownOutputs{fbp, {"classifier", "labels"}}));
    QVERIFY((shown(learned, "parts") == ShownOutputs{fbp, {"parts", "labels"}}));
    Labelled alone;
    alone.pictures_.graph_ = {};
    alone.pictures_.graph_.nodes["file"] = {"input.load_labels", 1, {}};
    const Output loaded{"file", "labels"};
    QVERIFY((shown(alone, "file") == ShownOutputs{loaded, loaded}));
  }

  void labels_lie_over_the_slice() {
    Screen s;
    QVERIFY(s.opened);
    s.state.follow("fbp");
    QVERIFY(Screen::is_grey(s.at(in_bone)));
    const auto& asked = s.source.pictures_.asked["pane.labels"];
    const std::size_t before = asked.size();
    s.state.follow("threshold");
    QCOMPARE(asked.size(), before + 1);
    QCOMPARE(asked.back().node, std::string("threshold"));
    QVERIFY(asked.back().region == s.source.pictures_.asked["pane"].back().region);
    const QColor bone = s.at(in_bone), second = s.at(in_second);
    QVERIFY2(bone.red() > bone.green() + 40 && bone.red() > bone.blue() + 40, qPrintable(bone.name()));
    QVERIFY(!Screen::is_grey(second) && second != bone);
    QVERIFY(Screen::is_grey(s.at(outside)));
    // The grey values shine through.
    QVERIFY(bone != QColor(label_rgb({{{1, "bone", "#ff0000"}}, {}}, 1)));
    s.state.follow("fbp");
    QVERIFY(Screen::is_grey(s.at(in_bone)));
  }

  void the_labels_of_another_slice_are_not_shown() {
    Screen s;
    s.state.follow("threshold");
    s.source.pictures_.answers = false;
    s.pane.step(1);
    live::Picture next = s.source.pictures_.answer(s.source.pictures_.asked["pane"].back());
    Q_EMIT s.source.picture_ready("pane", next);
    QVERIFY(Screen::is_grey(s.at(in_bone + Vec3{0, 0, 0.5})));
    const auto grey = s.source.pictures_.value;
    s.source.pictures_.value = [](Vec3) { return 1.0F; };
    next = s.source.pictures_.answer(s.source.pictures_.asked["pane.labels"].back());
    s.source.pictures_.value = grey;
    Q_EMIT s.source.picture_ready("pane.labels", next);
    QVERIFY(!Screen::is_grey(s.at(in_bone + Vec3{0, 0, 0.5})));
  }

  void keys_show_hide_and_outline() {
    Screen s;
    s.state.follow("threshold");
    s.pane.setFocus();
    const QColor filled = s.at(in_bone);
    QTest::keyClick(&s.pane, Qt::Key_V);
    QVERIFY(Screen::is_grey(s.at(in_bone)));
    QTest::keyClick(&s.pane, Qt::Key_V);
    QCOMPARE(s.at(in_bone), filled);
    QTest::keyClick(&s.pane, Qt::Key_Period);
    QVERIFY(s.at(in_bone).green() < filled.green());
    QTest::keyClick(&s.pane, Qt::Key_Comma);
    QCOMPARE(s.at(in_bone), filled);
    QTest::keyClick(&s.pane, Qt::Key_V, Qt::ShiftModifier);
    QVERIFY(Screen::is_grey(s.at(in_bone)));                     // inside
    QCOMPARE(s.at({0.25, -0.75, 0}), QColor(QRgb(0xffff0000)));  // next to the edge at x = 0
    for (int i = 0; i < 20; ++i) QTest::keyClick(&s.pane, Qt::Key_Comma);
    QVERIFY(s.state.label_view().opacity > 0);
  }

  void the_value_names_the_label() {
    Screen s;
    s.state.follow("threshold");
    const auto text = [&s](Vec3 place) { return s.pane.value_text(s.pane.to_widget(s.pane.plane()->to_pane(place))); };
    QVERIFY2(text(in_bone).startsWith("bone · "), qPrintable(text(in_bone)));
    QVERIFY2(text(in_second).startsWith("label 2 · "), qPrintable(text(in_second)));
    QVERIFY(!text(outside).contains("·"));
    s.state.set_label_view(changed({}, LabelChange::show_or_hide));
    QVERIFY(!text(in_bone).contains("bone"));
  }

  // On an oblique plane too: no colour that belongs to no label.
  void no_colours_are_mixed() {
    const picture::Image image{2, 3, {0, 1, 2, 1, 2, std::numeric_limits<float>::quiet_NaN()}};
    LabelView opaque;
    opaque.opacity = 1;
    const QImage out = render_labels(image, {}, opaque);
    QCOMPARE(out.pixel(0, 0), qRgba(0, 0, 0, 0));
    QCOMPARE(out.pixel(1, 0), label_rgb({}, 1));
    QCOMPARE(out.pixel(2, 1), qRgba(0, 0, 0, 0));
    Screen s(Orientation::oblique);
    s.state.set_label_view(opaque);
    s.state.follow("threshold");
    std::set<QRgb> colours;
    const QImage screen = s.pane.grab().toImage();
    const QRect inner = screen.rect().adjusted(0, 60, 0, -60);  // between the captions
    for (int y = inner.top(); y <= inner.bottom(); ++y)
      for (int x = 0; x < screen.width(); ++x) {
        const QRgb c = screen.pixel(x, y);
        if (qRed(c) > 250 && qGreen(c) < 5) colours.insert(c);
        if (c == label_rgb({}, 2)) colours.insert(c);
      }
    QVERIFY(colours.count(0xffff0000) == 1);
    QVERIFY(colours.size() <= 2);
  }

  void colours_differ_and_are_kept() {
    std::set<QRgb> colours;
    for (int64_t n = 1; n <= 21; ++n) colours.insert(label_rgb({}, n));
    QCOMPARE(colours.size(), std::size_t(21));
    const LabelTable table{{{0, "air", "#000000"}, {3, "", ""}}, 3};
    QVERIFY(is_labelled(table, 0) && is_labelled(table, 1) && !is_labelled(table, 3) && !is_labelled({}, 0));
    ViewSettings settings;
    settings.labels = {false, true, 0.75, 3, {1, 7}, {65535}};
    QVERIFY(read_view_settings(with_view_settings("{}", settings)) == settings);
    QVERIFY(read_view_settings(R"({"view_settings":{"labels":{"opacity":7,"visible":3}}})") == ViewSettings());
  }

  void hidden_classes_are_not_painted() {
    const picture::Image image{1, 3, {0, 1, 2}};
    LabelView view;
    view.opacity = 1;
    view.hidden = {1};
    const QImage out = render_labels(image, {}, view);
    QCOMPARE(out.pixel(1, 0), qRgba(0, 0, 0, 0));
    QCOMPARE(out.pixel(2, 0), label_rgb({}, 2));
  }

  void compared_labels_have_their_colours() {
    Labelled source;
    ViewState state(source);
    state.set_crosshair(source.pictures_.grid().centre);
    ComparePane a(source, state, "a", "A"), b(source, state, "b", "B");
    a.set_partner(&b);
    a.set_outputs(threshold, threshold);
    b.set_outputs(objects, threshold);
    a.resize(500, 400);
    b.resize(500, 400);
    QVERIFY(test::open_window(a));
    b.set_needed_by_partner();
    b.refresh();
    const auto at = [&a](Vec3 place) {
      return a.grab().toImage().pixelColor(a.to_widget(a.plane()->to_pane(place)).toPoint());
    };
    QVERIFY(!Screen::is_grey(at(in_bone)));
    a.set_mode(CompareMode::swipe);  // the divider is in the middle: x > 0 shows the other one
    const QColor other = at(in_bone);
    QVERIFY(!Screen::is_grey(other) && other.red() < 255);
  }
};

TL_TEST_CASE(ViewsLabelsTest)
}  // namespace tl::ui::views_labels_test

#include "labels.moc"
