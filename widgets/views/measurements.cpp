// Measurements (profiles, boxes, distances, probes) in a slice: hit tests, dragging, numbers and painting.
#include "widgets/views/measurements.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <ranges>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double grip_reach = 8;  // px

QString tr(const char* text) { return QCoreApplication::translate("Measurements", text); }
QString with_unit(double value, const QString& unit) {
  return unit.isEmpty() ? number_text(value) : number_text(value) + QLatin1Char(' ') + unit;
}
double distance_to_segment(QPointF p, QLineF line) {
  const QPointF along = line.p2() - line.p1();
  const double length2 = QPointF::dotProduct(along, along);
  const double t = length2 == 0 ? 0 : std::clamp(QPointF::dotProduct(p - line.p1(), along) / length2, 0.0, 1.0);
  return QLineF(p, line.p1() + t * along).length();
}
bool is_over(QPointF widget, const Measurement& m, QPointF a, QPointF b) {
  if (m.kind == MeasureKind::probe) return QLineF(widget, a).length() <= grip_reach;
  if (m.kind == MeasureKind::region) {
    const QRectF outside = QRectF(a, b).normalized().adjusted(-4, -4, 4, 4);
    const QRectF inside = QRectF(a, b).normalized().adjusted(4, 4, -4, -4);
    return outside.contains(widget) && !inside.contains(widget);
  }
  return distance_to_segment(widget, {a, b}) <= grip_reach / 2;
}

}  // namespace

QString number_text(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  const double size = std::abs(value);
  QString text;
  if (size != 0 && (size < 1e-5 || size >= 1e7))
    text = QString::number(value, 'e', 3);
  else if (size >= 1e4)
    text = QString::number(value, 'f', 0);
  else {
    const int digits = size == 0 ? 0 : std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 8);
    text = QString::number(value, 'f', digits);
    if (text.contains(QLatin1Char('.'))) {
      while (text.endsWith(QLatin1Char('0'))) text.chop(1);
      if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    }
  }
  return text.replace(QLatin1Char('-'), QStringLiteral("−"));
}

QString length_text(double mm) {
  const double size = std::abs(mm);
  if (size >= 100) return number_text(mm / 10) + QStringLiteral(" cm");
  if (size >= 1 || size == 0) return number_text(mm) + QStringLiteral(" mm");
  if (size >= 1e-3) return number_text(mm * 1e3) + QStringLiteral(" µm");
  return number_text(mm * 1e6) + QStringLiteral(" nm");
}

PixelBox pixels_in(const Measurement& region, const MeasureContext& context) {
  const picture::PixelPoint a = context.to_pixel(region.a), b = context.to_pixel(region.b);
  const auto covered = [](double from, double to) {
    const auto first = static_cast<int64_t>(std::ceil(std::min(from, to) - 1e-9));
    const auto last = static_cast<int64_t>(std::floor(std::max(from, to) + 1e-9));
    return last < first ? Range{last, last + 1} : Range{first, last + 1};
  };
  return {covered(a.row, b.row), covered(a.col, b.col)};
}

const Measurement* Measurements::selected_one() const { return selected_ ? &all_[*selected_] : nullptr; }
const Measurement* Measurements::shown_profile() const {
  if (const Measurement* one = selected_one(); one != nullptr && one->kind == MeasureKind::profile) return one;
  for (const Measurement& m : std::views::reverse(all_))
    if (m.kind == MeasureKind::profile) return &m;
  return nullptr;
}
void Measurements::add(const Measurement& measurement) {
  all_.push_back(measurement);
  selected_ = all_.size() - 1;
}
bool Measurements::remove_selected() {
  if (!selected_) return false;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(*selected_));
  selected_.reset();
  return true;
}
void Measurements::remove(const Measurement* one) {
  selected_ = static_cast<std::size_t>(one - all_.data());
  remove_selected();
}
void Measurements::clear() {
  all_.clear();
  selected_.reset();
}

bool Measurements::grab(QPointF widget, const MeasureContext& context) {
  // The measurement drawn last is on top.
  for (std::size_t i = all_.size(); i-- > 0;) {
    const QPointF a = context.to_widget(all_[i].a), b = context.to_widget(all_[i].b);
    if (QLineF(widget, b).length() <= grip_reach)
      grip_ = Grip::end;
    else if (QLineF(widget, a).length() <= grip_reach)
      grip_ = Grip::start;
    else if (is_over(widget, all_[i], a, b))
      grip_ = Grip::whole;
    else
      continue;
    selected_ = i;
    grabbed_ = {};
    return true;
  }
  return false;
}

void Measurements::start_dragging_end(QPointF pane) {
  grip_ = Grip::end;
  drag_to(pane);
}

void Measurements::move_selected(QPointF by, Grip grip) {
  if (!selected_) return;
  Measurement& m = all_[*selected_];
  if (grip != Grip::end || m.kind == MeasureKind::probe) m.a += by;
  m.b += by;
}

void Measurements::drag_to(QPointF pane) {
  if (!selected_) return;
  Measurement& m = all_[*selected_];
  if (m.kind == MeasureKind::probe) {
    m.a = m.b = pane;
  } else if (grip_ == Grip::start) {
    m.a = pane;
  } else if (grip_ == Grip::end) {
    m.b = pane;
  } else {
    const QPointF middle = (m.a + m.b) / 2;
    if (grabbed_.isNull()) grabbed_ = pane - middle;
    const QPointF move = pane - grabbed_ - middle;
    m.a += move;
    m.b += move;
  }
}

QStringList Measurements::texts(const Measurement& m, const MeasureContext& context) {
  if (context.image == nullptr) return {};
  const QLineF line(m.a, m.b);
  const QString length = context.mm_per_unit > 0 ? length_text(line.length() * context.mm_per_unit)
                                                 : number_text(line.length()) + tr(" px");
  switch (m.kind) {
    case MeasureKind::profile:
    case MeasureKind::distance:
      return {length};
    case MeasureKind::probe: {
      const picture::PixelPoint at = context.to_pixel(m.a);
      const float value = picture::value_at(*context.image, std::lround(at.row), std::lround(at.col));
      return {with_unit(value, context.unit)};
    }
    case MeasureKind::region: {
      const PixelBox box = pixels_in(m, context);
      const picture::Statistics s = picture::statistics(*context.image, box.rows, box.cols);
      QStringList lines{tr("mean %1").arg(with_unit(s.mean, context.unit)), tr("sd %1").arg(number_text(s.deviation)),
                        tr("min %1").arg(number_text(s.min)), tr("max %1").arg(number_text(s.max)),
                        tr("n %1").arg(s.count)};
      if (s.bad > 0) lines << tr("NaN %1").arg(s.bad);
      return lines;
    }
  }
  return {};
}

namespace {

void paint_label(QPainter& painter, QPointF at, const QStringList& lines) {
  const QFontMetrics metrics(painter.font());
  int width = 0;
  for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
  QRectF box(at + QPointF(10, 8), QSizeF(width + 12, static_cast<double>(lines.size()) * metrics.height() + 8));
  const QRectF inside = QRectF(painter.viewport()).adjusted(4, 4, -4, -4);
  if (box.right() > inside.right()) box.moveRight(at.x() - 10);
  if (box.bottom() > inside.bottom()) box.moveBottom(at.y() - 8);
  QColor back = Theme::instance().picture_color(Token::background);
  back.setAlphaF(0.85F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(back);
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(Theme::instance().picture_color(Token::text));
  painter.drawText(box.adjusted(6, 4, -6, -4), Qt::AlignLeft | Qt::AlignVCenter, lines.join(QLatin1Char('\n')));
}

}  // namespace

void Measurements::paint(QPainter& painter, const MeasureContext& context) const {
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Measurement& m = all_[i];
    const bool chosen = selected_ == i;
    const QPointF a = context.to_widget(m.a), b = context.to_widget(m.b);
    const QColor color = theme.picture_color(m.kind == MeasureKind::profile ? Token::learnable : Token::accent);
    painter.setBrush(Qt::NoBrush);
    // A dark line below keeps it visible on white pictures.
    for (const QPen& pen : {QPen(theme.picture_color(Token::background), 3.5), QPen(color, chosen ? 2 : 1.5)}) {
      painter.setPen(pen);
      if (m.kind == MeasureKind::region)
        painter.drawRect(QRectF(a, b).normalized());
      else if (m.kind != MeasureKind::probe)
        painter.drawLine(a, b);
    }
    painter.setBrush(chosen ? color : theme.picture_color(Token::background));
    painter.setPen(QPen(color, 1.5));
    painter.drawEllipse(a, 3.5, 3.5);
    if (m.kind != MeasureKind::probe) painter.drawEllipse(b, 3.5, 3.5);
    paint_label(painter, m.kind == MeasureKind::region ? QRectF(a, b).normalized().bottomRight() : b,
                texts(m, context));
  }
}

}  // namespace tl::ui
