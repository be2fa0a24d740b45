// RegionView: paints a box on an image, and lets mouse and arrow keys change it.
#include "widgets/inspector/dialogs/region_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/theme/theme.h"
#include "widgets/views/pictures/picture_render.h"

namespace tl::ui {
namespace {

constexpr double reach = 8;         // px, around an edge
constexpr double margin = 8;        // px, around the image
constexpr double min_height = 160;  // px

// The range shifted by `by` pixels, or by fewer, so that it stays within [0, size).
Range moved(Range range, int64_t by, int64_t size) {
  const int64_t most = size - range.end, least = -range.begin;
  const int64_t shift = std::clamp(by, least, most);
  return {range.begin + shift, range.end + shift};
}

}  // namespace

RegionView::RegionView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(240, 160);
  setAccessibleName(tr("Region on the image"));
  setAccessibleDescription(tr("Arrow keys move the box, with Shift its lower right corner, with Ctrl by ten pixels."));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RegionView::show_picture(const QImage& picture) {
  picture_ = picture;
  update();
}
void RegionView::set_size(int64_t rows, int64_t cols) {
  rows_ = std::max<int64_t>(rows, 1);
  cols_ = std::max<int64_t>(cols, 1);
  update();
}
void RegionView::set_box(const PictureBox& box) {
  box_ = box;
  setAccessibleDescription(tr("Rows %1 to %2, columns %3 to %4")
                               .arg(box.rows.begin)
                               .arg(box.rows.end - 1)
                               .arg(box.cols.begin)
                               .arg(box.cols.end - 1));
  update();
}
void RegionView::set_message(const QString& text) {
  message_ = text;
  update();
}

QRectF RegionView::picture_area() const {
  const QSizeF room = QSizeF(size()) - QSizeF(2 * margin, 2 * margin);
  QSizeF fitting = QSizeF(static_cast<double>(cols_), static_cast<double>(rows_)).scaled(room, Qt::KeepAspectRatio);
  // If there are only a few rows, the image is stretched vertically, so that both edges can be grabbed.
  fitting.setHeight(std::max(fitting.height(), std::min(min_height, room.height())));
  QRectF area(QPointF(), fitting);
  area.moveCenter(QRectF(rect()).center());
  return area;
}
QPointF RegionView::to_widget(double row, double col) const {
  const QRectF area = picture_area();
  return {area.left() + area.width() * col / static_cast<double>(cols_),
          area.top() + area.height() * row / static_cast<double>(rows_)};
}
QPointF RegionView::to_pixels(QPointF widget) const {
  const QRectF area = picture_area();
  return {(widget.x() - area.left()) / area.width() * static_cast<double>(cols_),
          (widget.y() - area.top()) / area.height() * static_cast<double>(rows_)};
}

RegionView::Grip RegionView::grip_at(QPointF at) const {
  const QRectF box(to_widget(static_cast<double>(box_.rows.begin), static_cast<double>(box_.cols.begin)),
                   to_widget(static_cast<double>(box_.rows.end), static_cast<double>(box_.cols.end)));
  Grip grip;
  if (!box.adjusted(-reach, -reach, reach, reach).contains(at)) {
    grip.draws = true;
    return grip;
  }
  grip.left = std::abs(at.x() - box.left()) <= reach;
  grip.right = !grip.left && std::abs(at.x() - box.right()) <= reach;
  grip.top = std::abs(at.y() - box.top()) <= reach;
  grip.bottom = !grip.top && std::abs(at.y() - box.bottom()) <= reach;
  // If the box is the whole image it cannot be moved; dragging inside draws a new one.
  const bool whole = box_ == PictureBox{{0, rows_}, {0, cols_}};
  if (!grip.any() && whole) grip.draws = true;
  if (!grip.any()) grip.left = grip.right = grip.top = grip.bottom = true;
  return grip;
}

void RegionView::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Token::background));
  const QRectF area = picture_area();
  if (picture_.isNull()) {
    painter.setPen(theme.color(Token::text_second));
    painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, message_);
    return;
  }
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(area, shrunk_for(picture_, area.width() / picture_.width()));
  const QRectF box(to_widget(static_cast<double>(box_.rows.begin), static_cast<double>(box_.cols.begin)),
                   to_widget(static_cast<double>(box_.rows.end), static_cast<double>(box_.cols.end)));
  QPainterPath outside;
  outside.addRect(area);
  outside.addRect(box);
  QColor shade = theme.color(Token::background);
  shade.setAlphaF(0.6F);
  painter.fillPath(outside, shade);
  painter.setPen(QPen(theme.color(Token::accent), hasFocus() ? 2 : 1.3));
  painter.drawRect(box);
  painter.setBrush(theme.color(Token::accent));
  painter.setPen(Qt::NoPen);
  for (const double y : {box.top(), box.center().y(), box.bottom()})
    for (const double x : {box.left(), box.center().x(), box.right()})
      if (QPointF(x, y) != box.center()) painter.drawRect(QRectF(x - 3.5, y - 3.5, 7, 7));
}

void RegionView::change(const PictureBox& box) {
  const auto within = [](Range r, int64_t size) {
    Range sorted{std::min(r.begin, r.end), std::max(r.begin, r.end)};
    sorted = sorted.clamp({0, size});
    if (sorted.empty()) sorted.begin = std::min(sorted.begin, size - 1), sorted.end = sorted.begin + 1;
    return sorted;
  };
  const PictureBox next{within(box.rows, rows_), within(box.cols, cols_)};
  if (next == box_) return;
  set_box(next);
  Q_EMIT box_dragged(next);
}

void RegionView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || picture_.isNull()) return;
  grip_ = grip_at(event->position());
  pressed_ = event->position();
  pressed_box_ = box_;
}

void RegionView::mouseMoveEvent(QMouseEvent* event) {
  const Grip hover = grip_.any() ? grip_ : grip_at(event->position());
  const bool all = hover.left && hover.right;
  setCursor(all           ? Qt::SizeAllCursor
            : hover.draws ? Qt::CrossCursor
            : (hover.left || hover.right) && (hover.top || hover.bottom)
                ? (hover.left == hover.top ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor)
            : hover.left || hover.right ? Qt::SizeHorCursor
                                        : Qt::SizeVerCursor);
  if (!grip_.any()) return;
  const QPointF at = to_pixels(event->position()), from = to_pixels(pressed_);
  const int64_t x = std::llround(at.x()), y = std::llround(at.y());
  PictureBox box = pressed_box_;
  if (grip_.draws) {
    box = {{std::llround(from.y()), y}, {std::llround(from.x()), x}};
  } else if (all) {
    box.rows = moved(box.rows, std::llround(at.y() - from.y()), rows_);
    box.cols = moved(box.cols, std::llround(at.x() - from.x()), cols_);
  } else {
    if (grip_.top) box.rows.begin = std::min(y, box.rows.end - 1);
    if (grip_.bottom) box.rows.end = std::max(y, box.rows.begin + 1);
    if (grip_.left) box.cols.begin = std::min(x, box.cols.end - 1);
    if (grip_.right) box.cols.end = std::max(x, box.cols.begin + 1);
  }
  change(box);
}
void RegionView::mouseReleaseEvent(QMouseEvent* /*event*/) { grip_ = {}; }

void RegionView::keyPressEvent(QKeyEvent* event) {
  const int64_t by = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
  const bool corner = event->modifiers().testFlag(Qt::ShiftModifier);
  const int64_t right = event->key() == Qt::Key_Right ? by : event->key() == Qt::Key_Left ? -by : 0;
  const int64_t down = event->key() == Qt::Key_Down ? by : event->key() == Qt::Key_Up ? -by : 0;
  if (right == 0 && down == 0) return QWidget::keyPressEvent(event);
  PictureBox box = box_;
  if (corner) {
    box.rows.end = std::max(box.rows.end + down, box.rows.begin + 1);
    box.cols.end = std::max(box.cols.end + right, box.cols.begin + 1);
  } else {
    box.rows = moved(box.rows, down, rows_);
    box.cols = moved(box.cols, right, cols_);
  }
  change(box);
}

}  // namespace tl::ui
