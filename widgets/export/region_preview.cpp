// RegionPreview: maps voxels to pixels, with the largest index along `up` in the top row.
#include "widgets/export/region_preview.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/theme/theme.h"

namespace tl::ui {

RegionPreview::RegionPreview(const QString& plane, const QString& name, QWidget* parent)
    : QWidget(parent), plane_(plane) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(96, 96);
  setAccessibleName(name);
  setToolTip(
      tr("Drag the edges of the frame.\nKeys: arrows move an edge, with Shift by ten voxels; Space takes the next "
         "one."));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RegionPreview::show_slice(const QImage& image) {
  image_ = image;
  update();
}
void RegionPreview::show_region(Range across, Range up, int64_t all_across, int64_t all_up) {
  across_ = across;
  up_ = up;
  all_across_ = all_across;
  all_up_ = all_up;
  update();
}

QRectF RegionPreview::picture_area() const {
  const QRectF inside = QRectF(rect()).adjusted(4, 4, -4, -4);
  if (all_across_ <= 0 || all_up_ <= 0) return inside;
  const double scale =
      std::min(inside.width() / static_cast<double>(all_across_), inside.height() / static_cast<double>(all_up_));
  QRectF area(0, 0, scale * static_cast<double>(all_across_), scale * static_cast<double>(all_up_));
  area.moveCenter(inside.center());
  return area;
}

QRectF RegionPreview::frame() const {
  const QRectF area = picture_area();
  if (all_across_ <= 0 || all_up_ <= 0) return area;
  const double sx = area.width() / static_cast<double>(all_across_), sy = area.height() / static_cast<double>(all_up_);
  return {
      QPointF(area.left() + sx * static_cast<double>(across_.begin), area.bottom() - sy * static_cast<double>(up_.end)),
      QPointF(area.left() + sx * static_cast<double>(across_.end),
              area.bottom() - sy * static_cast<double>(up_.begin))};
}

int64_t RegionPreview::voxel_at(QPointF at) const {
  const QRectF area = picture_area();
  if (edge_ == Edge::left || edge_ == Edge::right)
    return std::llround((at.x() - area.left()) / std::max(area.width(), 1.0) * static_cast<double>(all_across_));
  return std::llround((area.bottom() - at.y()) / std::max(area.height(), 1.0) * static_cast<double>(all_up_));
}

void RegionPreview::move_edge(int64_t to) {
  Range across = across_, up = up_;
  switch (edge_) {
    case Edge::left: across.begin = std::clamp<int64_t>(to, 0, across.end - 1); break;
    case Edge::right: across.end = std::clamp<int64_t>(to, across.begin + 1, all_across_); break;
    case Edge::bottom: up.begin = std::clamp<int64_t>(to, 0, up.end - 1); break;
    case Edge::top: up.end = std::clamp<int64_t>(to, up.begin + 1, all_up_); break;
  }
  if (!(across == across_) || !(up == up_)) Q_EMIT region_moved(across, up);
}

void RegionPreview::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || all_across_ <= 0) return;
  const QRectF f = frame();
  const QPointF at = event->position();
  const std::array<std::pair<double, Edge>, 4> away{{{std::abs(at.x() - f.left()), Edge::left},
                                                     {std::abs(at.x() - f.right()), Edge::right},
                                                     {std::abs(at.y() - f.bottom()), Edge::bottom},
                                                     {std::abs(at.y() - f.top()), Edge::top}}};
  edge_ = std::min_element(away.begin(), away.end())->second;
  update();
}

void RegionPreview::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0 && all_across_ > 0) move_edge(voxel_at(event->position()));
}

void RegionPreview::keyPressEvent(QKeyEvent* event) {
  const int64_t by = (event->modifiers() & Qt::ShiftModifier) != 0 ? 10 : 1;
  const bool is_across = edge_ == Edge::left || edge_ == Edge::right;
  const int64_t now = edge_ == Edge::left     ? across_.begin
                      : edge_ == Edge::right  ? across_.end
                      : edge_ == Edge::bottom ? up_.begin
                                              : up_.end;
  const int key = event->key();
  if (key == Qt::Key_Space) {
    edge_ = static_cast<Edge>((static_cast<int>(edge_) + 1) % 4);
    update();
  } else if (all_across_ > 0 && key == (is_across ? Qt::Key_Right : Qt::Key_Up)) {
    move_edge(now + by);
  } else if (all_across_ > 0 && key == (is_across ? Qt::Key_Left : Qt::Key_Down)) {
    move_edge(now - by);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void RegionPreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  const Theme& theme = Theme::instance();
  painter.setPen(theme.color(hasFocus() ? Token::accent : Token::border));
  painter.setBrush(theme.picture_color(Token::background));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Theme::button_radius, Theme::button_radius);
  const QRectF area = picture_area(), kept = frame();
  if (!image_.isNull()) painter.drawImage(area, image_);
  QColor outside = theme.picture_color(Token::background);
  outside.setAlphaF(0.6F);
  QPainterPath dimmed;
  dimmed.addRect(area);
  QPainterPath hole;
  hole.addRect(kept);
  painter.fillPath(dimmed.subtracted(hole), outside);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.picture_color(Token::accent), 1.5));
  painter.drawRect(kept);
  const std::array<QPointF, 4> grips{QPointF(kept.left(), kept.center().y()), QPointF(kept.right(), kept.center().y()),
                                     QPointF(kept.center().x(), kept.bottom()), QPointF(kept.center().x(), kept.top())};
  painter.setPen(Qt::NoPen);
  for (std::size_t i = 0; i < grips.size(); ++i) {
    const bool is_active = hasFocus() && static_cast<std::size_t>(edge_) == i;
    painter.setBrush(theme.picture_color(is_active ? Token::text : Token::accent));
    painter.drawRect(QRectF(grips.at(i) - QPointF(3, 3), QSizeF(6, 6)));
  }
  painter.setPen(theme.picture_color(Token::text));
  painter.drawText(rect().adjusted(8, 0, 0, -6), Qt::AlignLeft | Qt::AlignBottom, plane_);
}

}  // namespace tl::ui
