// Measurements (profiles, boxes, distances, angles, probes) in a slice: hit tests, dragging, numbers and painting.
#include "widgets/views/measure/measurements.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>

#include "core/base/units.h"
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
bool is_over(QPointF widget, const Measurement& m, QPointF a, QPointF b, QPointF c) {
  if (m.kind == MeasureKind::probe) return QLineF(widget, a).length() <= grip_reach;
  if (m.kind == MeasureKind::region) {
    const QRectF outside = QRectF(a, b).normalized().adjusted(-4, -4, 4, 4);
    const QRectF inside = QRectF(a, b).normalized().adjusted(4, 4, -4, -4);
    return outside.contains(widget) && !inside.contains(widget);
  }
  if (m.kind == MeasureKind::angle && distance_to_segment(widget, {a, c}) <= grip_reach / 2) return true;
  return distance_to_segment(widget, {a, b}) <= grip_reach / 2;
}

QString length_words(double length, const MeasureContext& context) {
  return context.mm_per_unit > 0 ? length_text(length) : number_text(length) + tr(" px");
}

}  // namespace

const std::vector<MeasureKind>& all_measure_kinds() {
  using enum MeasureKind;
  static const std::vector<MeasureKind> all{profile, region, distance, angle, probe};
  return all;
}
const char* measure_kind_key(MeasureKind kind) {
  constexpr std::array<const char*, 5> keys{"profile", "region", "distance", "angle", "probe"};
  return keys.at(static_cast<std::size_t>(kind));
}
QString measure_kind_name(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::profile: return tr("Profile");
    case MeasureKind::region: return tr("Region");
    case MeasureKind::distance: return tr("Distance");
    case MeasureKind::angle: return tr("Angle");
    case MeasureKind::probe: return tr("Probe");
  }
  return {};
}

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
void Measurements::set_all(std::vector<Measurement> all) {
  all_ = std::move(all);
  selected_.reset();
}

bool Measurements::grab(QPointF widget, const MeasureContext& context) {
  // The measurement drawn last is on top.
  for (std::size_t i = all_.size(); i-- > 0;) {
    const QPointF a = context.to_widget(all_[i].a), b = context.to_widget(all_[i].b);
    const QPointF c = context.to_widget(all_[i].c);
    if (all_[i].kind == MeasureKind::angle && QLineF(widget, c).length() <= grip_reach)
      grip_ = Grip::second_end;
    else if (QLineF(widget, b).length() <= grip_reach)
      grip_ = Grip::end;
    else if (QLineF(widget, a).length() <= grip_reach)
      grip_ = Grip::start;
    else if (is_over(widget, all_[i], a, b, c))
      grip_ = Grip::whole;
    else
      continue;
    selected_ = i;
    grabbed_ = {};
    is_new_ = false;
    return true;
  }
  return false;
}

void Measurements::start_dragging_end(QPointF pane) {
  grip_ = Grip::end;
  is_new_ = true;
  drag_to(pane);
}

void Measurements::move_selected(QPointF by, Grip grip) {
  if (!selected_) return;
  Measurement& m = all_[*selected_];
  if (grip != Grip::end || m.kind == MeasureKind::probe) {
    m.a += by;
    if (m.kind == MeasureKind::angle) m.c += by;
  }
  m.b += by;
}

void Measurements::drag_to(QPointF pane) {
  if (!selected_) return;
  Measurement& m = all_[*selected_];
  if (m.kind == MeasureKind::probe) {
    m.a = m.b = pane;
  } else if (grip_ == Grip::start) {
    m.a = pane;
  } else if (grip_ == Grip::second_end) {
    m.c = pane;
  } else if (grip_ == Grip::end) {
    m.b = pane;
    // A new angle is a right angle until its second direction is dragged.
    if (is_new_ && m.kind == MeasureKind::angle) m.c = m.a + QPointF(m.b.y() - m.a.y(), m.a.x() - m.b.x());
  } else {
    const QPointF middle = (m.a + m.b) / 2;
    if (grabbed_.isNull()) grabbed_ = pane - middle;
    const QPointF move = pane - grabbed_ - middle;
    m.a += move;
    m.b += move;
    if (m.kind == MeasureKind::angle) m.c += move;
  }
}

MeasureNumbers measure_numbers(const Measurement& m, const MeasureContext& context) {
  MeasureNumbers numbers;
  const QLineF line(m.a, m.b);
  if (m.kind == MeasureKind::profile || m.kind == MeasureKind::distance)
    numbers.length = line.length() * (context.mm_per_unit > 0 ? context.mm_per_unit : 1);
  if (m.kind == MeasureKind::angle) {
    const QPointF u = m.b - m.a, v = m.c - m.a;
    numbers.degrees =
        convert(std::atan2(std::abs(u.x() * v.y() - u.y() * v.x()), QPointF::dotProduct(u, v)), Unit::rad, Unit::deg);
  }
  if (context.image == nullptr) return numbers;
  if (m.kind == MeasureKind::probe) {
    const picture::PixelPoint at = context.to_pixel(m.a);
    numbers.value = static_cast<double>(picture::value_at(*context.image, std::lround(at.row), std::lround(at.col)));
  }
  if (m.kind == MeasureKind::region) {
    const PixelBox box = pixels_in(m, context);
    numbers.statistics = picture::statistics(*context.image, box.rows, box.cols);
  }
  return numbers;
}

QStringList Measurements::texts(const Measurement& m, const MeasureContext& context) {
  if (context.image == nullptr) return {};
  const MeasureNumbers numbers = measure_numbers(m, context);
  QStringList lines;
  if (numbers.length) lines << length_words(*numbers.length, context);
  if (numbers.degrees) lines << QString::number(*numbers.degrees, 'f', 1) + QStringLiteral("°");
  if (numbers.value) lines << with_unit(*numbers.value, context.unit);
  if (const auto& s = numbers.statistics) {
    lines << tr("mean %1").arg(with_unit(s->mean, context.unit)) << tr("sd %1").arg(number_text(s->deviation))
          << tr("min %1").arg(number_text(s->min)) << tr("max %1").arg(number_text(s->max)) << tr("n %1").arg(s->count);
    if (s->bad > 0) lines << tr("NaN %1").arg(s->bad);
  }
  return lines;
}

namespace {

QSizeF label_size(const QFontMetricsF& metrics, const QStringList& lines) {
  double width = 0;
  for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
  return {width + 12, static_cast<double>(lines.size()) * metrics.height() + 8};
}

double covered_area(const QRectF& box, const std::vector<QRectF>& taken) {
  double sum = 0;
  for (const QRectF& other : taken) {
    const QRectF common = box.intersected(other);
    sum += std::max(0.0, common.width()) * std::max(0.0, common.height());
  }
  return sum;
}

// Finds a position for a label next to `at` that covers nothing: next to the point in one of the four directions, else
// as near to it as possible above or below. If there is none: the position that covers least.
QRectF label_rect(QPointF at, QSizeF size, const QRectF& inside, const std::vector<QRectF>& taken) {
  constexpr double aside = 10, below = 8, step = 12;
  std::vector<QPointF> corners;
  for (double away = 0; away < inside.height(); away += step)
    for (const double x : {at.x() + aside, at.x() - aside - size.width()}) {
      corners.emplace_back(x, at.y() + below + away);
      corners.emplace_back(x, at.y() - below - away - size.height());
    }
  QRectF best;
  double least = std::numeric_limits<double>::infinity();
  for (const QPointF& corner : corners) {
    QRectF box(corner, size);
    box.moveLeft(std::max(inside.left(), std::min(box.left(), inside.right() - box.width())));
    box.moveTop(std::max(inside.top(), std::min(box.top(), inside.bottom() - box.height())));
    const double covered = covered_area(box, taken);
    if (covered < least) best = box;
    least = std::min(least, covered);
    if (least == 0) break;
  }
  return best;
}

void paint_label(QPainter& painter, const QRectF& box, const QStringList& lines) {
  QColor back = Theme::instance().picture_color(Token::background);
  back.setAlphaF(0.85F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(back);
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(Theme::instance().picture_color(Token::text));
  painter.drawText(box.adjusted(6, 4, -6, -4), Qt::AlignLeft | Qt::AlignVCenter, lines.join(QLatin1Char('\n')));
}

QPointF label_anchor(const Measurement& m, QPointF a, QPointF b) {
  if (m.kind == MeasureKind::angle) return a;
  return m.kind == MeasureKind::region ? QRectF(a, b).normalized().bottomRight() : b;
}

}  // namespace

std::vector<QRectF> Measurements::label_boxes(const QFontMetricsF& metrics, const QRectF& inside,
                                              const MeasureContext& context) const {
  std::vector<QRectF> boxes(all_.size());
  std::vector<QRectF> taken;
  const auto place = [&](std::size_t i) {
    const Measurement& m = all_[i];
    const QPointF at = label_anchor(m, context.to_widget(m.a), context.to_widget(m.b));
    boxes[i] = label_rect(at, label_size(metrics, texts(m, context)), inside, taken);
    taken.push_back(boxes[i]);
  };
  // The selected one first, so that its label stays next to it while it is dragged over others.
  if (selected_) place(*selected_);
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (selected_ != i) place(i);
  return boxes;
}

void Measurements::paint(QPainter& painter, const QRectF& inside, const MeasureContext& context) const {
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Measurement& m = all_[i];
    const bool chosen = selected_ == i;
    const QPointF a = context.to_widget(m.a), b = context.to_widget(m.b), c = context.to_widget(m.c);
    const QColor color = theme.picture_color(m.kind == MeasureKind::profile ? Token::learnable : Token::accent);
    painter.setBrush(Qt::NoBrush);
    // A dark line below keeps it visible on white images.
    for (const QPen& pen : {QPen(theme.picture_color(Token::background), 3.5), QPen(color, chosen ? 2 : 1.5)}) {
      painter.setPen(pen);
      if (m.kind == MeasureKind::region)
        painter.drawRect(QRectF(a, b).normalized());
      else if (m.kind != MeasureKind::probe)
        painter.drawLine(a, b);
      if (m.kind == MeasureKind::angle) painter.drawLine(a, c);
    }
    painter.setBrush(chosen ? color : theme.picture_color(Token::background));
    painter.setPen(QPen(color, 1.5));
    painter.drawEllipse(a, 3.5, 3.5);
    if (m.kind != MeasureKind::probe) painter.drawEllipse(b, 3.5, 3.5);
    if (m.kind == MeasureKind::angle) painter.drawEllipse(c, 3.5, 3.5);
  }
  // Above all lines.
  const auto boxes = label_boxes(QFontMetricsF(painter.font()), inside, context);
  for (std::size_t i = 0; i < all_.size(); ++i) paint_label(painter, boxes[i], texts(all_[i], context));
}

}  // namespace tl::ui
