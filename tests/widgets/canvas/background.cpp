// The canvas keeps its background, with frames and links, as an image while it is panned: whatever is done, it looks
// as if it had been painted again.
#include <QPainter>

#include "tests/support/gui/canvas_window.h"
#include "tests/support/test_case.h"
#include "widgets/theme/theme.h"

namespace tl::ui::canvas_background_test {
namespace {

using test::CanvasWindow;

// Rows of filters; each is also linked to one two rows below, so that long links cross the view.
Graph woven() {
  Graph g;
  constexpr std::size_t rows = 6, columns = 5;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < rows * columns; ++i)
    ids.push_back(edit::add_node(g, Registry::all(), "filter.gaussian").or_throw());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 1; column < columns; ++column) {
      const std::size_t at = row * columns + column;
      const std::size_t from = row >= 2 && column % 2 == 0 ? at - 2 * columns - 1 : at - 1;
      g.links.push_back({ids[from], "volume", ids[at], "volume"});
    }
  return g;
}

// A thin line is clipped to the strip that became visible before it is drawn, which moves it by a fraction of a pixel.
constexpr int rounding_of_clipped_lines = 4;  // grey levels of 255

int largest_difference(const QImage& a, const QImage& b) {
  int largest = a.size() == b.size() ? 0 : 255;
  for (int y = 0; y < a.height() && largest < 255; ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      largest = std::max(
          {largest, std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
    }
  return largest;
}

int link_pixels(const QImage& picture) {
  const QColor color = Theme::instance().port_color(PortType::volume);
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) count += picture.pixelColor(x, y) == color ? 1 : 0;
  return count;
}

}  // namespace

class CanvasBackgroundTest final : public QObject {
  Q_OBJECT
  void zoom_to(double zoom);  // and waits until cards are painted sharply again
  // The image as it is, and painted again; both once no card is waiting to be painted.
  void expect_as_new(const char* after);
  std::unique_ptr<CanvasWindow> w_;

 private Q_SLOTS:
  void init();
  void panning_shows_what_painting_again_does_data();
  void panning_shows_what_painting_again_does();
  void edits_are_shown();
  void themes_are_shown();
  void marked_links_stand_out();
  void a_drawing_of_all_has_links_and_frames();
};

void CanvasBackgroundTest::init() {
  Theme::instance().set(Theme::names().front());
  w_ = std::make_unique<CanvasWindow>(QSize(1200, 700));
  w_->document.reset(woven());
  QVERIFY(w_->open());
  w_->canvas.editor().arrange();
}

void CanvasBackgroundTest::zoom_to(double zoom) {
  w_->canvas.view().zoom_by(zoom / w_->canvas.view().transform().m11(), w_->viewport()->rect().center());
  const auto nodes = w_->canvas.scene().nodes();
  QTRY_VERIFY(std::all_of(nodes.begin(), nodes.end(), [](const NodeItem* n) { return n->is_sharp(); }));
}

void CanvasBackgroundTest::expect_as_new(const char* after) {
  const auto quiet = [&] {
    w_->viewport()->repaint();
    const QRectF shown = w_->canvas.view().shown_area();
    const auto nodes = w_->canvas.scene().nodes();
    return std::none_of(nodes.begin(), nodes.end(),
                        [&](const NodeItem* n) { return n->is_late() && n->sceneBoundingRect().intersects(shown); });
  };
  QTRY_VERIFY2(quiet(), after);
  const QImage kept = w_->viewport()->grab().toImage();
  w_->canvas.view().resetCachedContent();
  w_->viewport()->update();
  QTRY_VERIFY2(quiet(), after);
  const QImage repainted = w_->viewport()->grab().toImage();
  QVERIFY2(link_pixels(repainted) > 100, after);
  QVERIFY2(largest_difference(kept, repainted) <= rounding_of_clipped_lines, after);
}

void CanvasBackgroundTest::panning_shows_what_painting_again_does_data() {
  QTest::addColumn<double>("zoom");
  for (const double zoom : {1.0, 0.7, 0.35}) QTest::addRow("%g", zoom) << zoom;
}
void CanvasBackgroundTest::panning_shows_what_painting_again_does() {
  QFETCH(double, zoom);
  CanvasView& view = w_->canvas.view();
  w_->canvas.fit_all();
  zoom_to(zoom);
  expect_as_new("zooming");
  for (const QPoint& step : {QPoint(9, 5), QPoint(-31, 0), QPoint(0, 17), QPoint(-3, -44), QPoint(61, 1)}) {
    view.pan_by(step);
    QCoreApplication::processEvents();
    view.pan_by(step);  // two steps before the second is painted
    view.pan_by({-step.y(), step.x()});
    QCoreApplication::processEvents();
  }
  expect_as_new("panning");
}

void CanvasBackgroundTest::edits_are_shown() {
  CanvasScene& scene = w_->canvas.scene();
  GraphEditor& editor = w_->canvas.editor();
  w_->canvas.fit_all();
  expect_as_new("fitting");
  const QString moved = scene.nodes().at(7)->id();
  QTest::mousePress(w_->viewport(), Qt::LeftButton, {}, w_->card(moved));
  for (int i = 1; i <= 3; ++i) QTest::mouseMove(w_->viewport(), w_->card(moved) + QPoint(25, 10));
  QVERIFY(w_->canvas.view().is_dragging());
  expect_as_new("dragging a card");
  QTest::mouseRelease(w_->viewport(), Qt::LeftButton, {}, w_->card(moved));
  expect_as_new("dropping it");
  w_->selection.set({moved, scene.nodes().at(8)->id()}, moved);
  editor.add_frame();
  expect_as_new("adding a frame");
  editor.move_frame(0, scene.frames().front()->frame().area.translated(90, 60).adjusted(0, 0, 40, 30), {});
  expect_as_new("moving and resizing it");
  editor.set_comment(0, "three words more");
  expect_as_new("its comment");
  editor.toggle(NodeUse::muted);  // its links are dashed
  expect_as_new("muting nodes");
  editor.unlink(w_->document.graph().links.at(4));
  expect_as_new("cutting a link");
  editor.remove_frame(0);
  expect_as_new("removing the frame");
  w_->selection.set_one(scene.nodes().at(12)->id());
  editor.remove(edit::Gap::open);
  expect_as_new("removing a node");
  while (w_->document.undo_stack().canUndo()) w_->document.undo_stack().undo();
  expect_as_new("undoing all of it");
}

void CanvasBackgroundTest::themes_are_shown() {
  w_->canvas.fit_all();
  for (const QString& theme : Theme::names()) {
    Theme::instance().set(theme);
    QCoreApplication::processEvents();
    expect_as_new(qPrintable(theme));
  }
}

// A link under the mouse is wider and a selected one has a rim; both go back to what they were.
void CanvasBackgroundTest::marked_links_stand_out() {
  CanvasScene& scene = w_->canvas.scene();
  w_->canvas.fit_all();
  zoom_to(1);
  expect_as_new("zooming");
  const QImage plain = w_->viewport()->grab().toImage();
  const QRectF shown = w_->canvas.view().shown_area();
  const auto found = std::find_if(scene.links().begin(), scene.links().end(),
                                  [&](const LinkItem* link) { return shown.contains(link->sceneBoundingRect()); });
  QVERIFY(found != scene.links().end());
  LinkItem* const link = *found;
  scene.hover(link);
  QCoreApplication::processEvents();
  expect_as_new("hovering");
  QVERIFY(largest_difference(w_->viewport()->grab().toImage(), plain) > rounding_of_clipped_lines);
  scene.hover(nullptr);
  scene.choose_link(link);
  expect_as_new("selecting");
  QVERIFY(largest_difference(w_->viewport()->grab().toImage(), plain) > rounding_of_clipped_lines);
  scene.choose_link(nullptr);
  expect_as_new("letting go");
  QCOMPARE(w_->viewport()->grab().toImage(), plain);
}

// As reports draw it: without the view, which has the ground, but with all that lies behind the cards.
void CanvasBackgroundTest::a_drawing_of_all_has_links_and_frames() {
  CanvasScene& scene = w_->canvas.scene();
  const auto drawing = [&] {
    const QRectF area = scene.all_cards();
    QImage image(area.size().toSize(), QImage::Format_RGB32);
    image.fill(Theme::instance().color(Token::background));
    QPainter painter(&image);
    scene.render(&painter, QRectF(image.rect()), area);
    return image;
  };
  const QImage linked = drawing();
  w_->selection.set({scene.nodes().at(7)->id(), scene.nodes().at(8)->id()}, scene.nodes().at(8)->id());
  w_->canvas.editor().add_frame();
  w_->selection.clear();  // only the frame is new
  QVERIFY(largest_difference(drawing(), linked) > 0);
  w_->canvas.editor().remove_frame(0);
  QCOMPARE(drawing(), linked);
  while (!w_->document.graph().links.empty()) w_->canvas.editor().unlink(w_->document.graph().links.front());
  // Ports have the colour of links, too.
  QVERIFY(link_pixels(linked) > link_pixels(drawing()) + 1000);
}

TL_TEST_CASE(CanvasBackgroundTest)

}  // namespace tl::ui::canvas_background_test

#include "background.moc"
