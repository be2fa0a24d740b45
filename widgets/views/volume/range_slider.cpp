// RangeSlider: two small sliders that place and paint themselves as handles on one groove.
#include "widgets/views/volume/range_slider.h"

#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int handle_size = 12, groove_size = 4, page_steps = 10;  // px, px, steps
}

// A slider as wide as its handle, moved along its parent.
class RangeHandle final : public QSlider {
 public:
  RangeHandle(const QString& name, RangeSlider& range) : QSlider(Qt::Horizontal, &range), range_(range) {
    setRange(0, RangeSlider::steps);
    setPageStep(page_steps);
    setAccessibleName(name);
    setToolTip(name);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.color(Token::text));
    painter.setPen(hasFocus() ? QPen(theme.color(Token::accent), 2) : QPen(theme.color(Token::dock), 1));
    painter.drawEllipse(QPointF(0.5 * width(), 0.5 * height()), handle_size / 2.0 - 1, handle_size / 2.0 - 1);
  }
  void mousePressEvent(QMouseEvent* event) override { event->accept(); }
  void mouseMoveEvent(QMouseEvent* event) override {
    setValue(range_.value_at(qRound(mapToParent(event->position()).x())));
  }
  void mouseReleaseEvent(QMouseEvent* event) override { event->accept(); }

 private:
  RangeSlider& range_;
};

RangeSlider::RangeSlider(const QString& low_name, const QString& high_name, QWidget* parent) : QWidget(parent) {
  handles_ = {new RangeHandle(low_name, *this), new RangeHandle(high_name, *this)};
  handles_[1]->setValue(steps);
  for (std::size_t i = 0; i < handles_.size(); ++i)
    connect(handles_.at(i), &QSlider::valueChanged, this, [this, i] { handle_moved(i); });
  setMinimumWidth(4 * handle_size);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setToolTip(tr("Drag the ends, or the bar between them"));
}

QSize RangeSlider::sizeHint() const { return {8 * handle_size, handle_size + 4}; }
double RangeSlider::low() const { return static_cast<double>(handles_[0]->value()) / steps; }
double RangeSlider::high() const { return static_cast<double>(handles_[1]->value()) / steps; }

void RangeSlider::set(double low, double high) {
  const QSignalBlocker first(handles_[0]), second(handles_[1]);
  handles_[0]->setValue(qRound(low * steps));
  handles_[1]->setValue(qRound(high * steps));
  place_handles();
}

int RangeSlider::x_of(int value) const { return handle_size / 2 + value * (width() - handle_size) / steps; }
int RangeSlider::value_at(int x) const {
  return std::clamp(qRound(static_cast<double>(x - handle_size / 2) * steps / std::max(1, width() - handle_size)), 0,
                    steps);
}

void RangeSlider::handle_moved(std::size_t which) {
  // An empty range would show nothing: a handle pushes the other one.
  QSlider *low = handles_[0], *high = handles_[1];
  if (low->value() >= high->value()) {
    const QSignalBlocker quiet(which == 0 ? high : low);
    if (which == 0)
      high->setValue(low->value() + 1);
    else
      low->setValue(high->value() - 1);
    if (low->value() >= high->value()) {
      const QSignalBlocker still(which == 0 ? low : high);
      (which == 0 ? low : high)->setValue(which == 0 ? high->value() - 1 : low->value() + 1);
    }
  }
  place_handles();
  Q_EMIT moved();
}

void RangeSlider::place_handles() {
  for (QSlider* one : handles_)
    one->setGeometry(x_of(one->value()) - handle_size / 2, (height() - handle_size) / 2, handle_size, handle_size);
  update();
}
void RangeSlider::resizeEvent(QResizeEvent*) { place_handles(); }

void RangeSlider::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const double top = 0.5 * (height() - groove_size);
  painter.setBrush(theme.color(Token::border));
  painter.drawRoundedRect(QRectF(handle_size / 2.0, top, width() - handle_size, groove_size), groove_size / 2.0,
                          groove_size / 2.0);
  painter.setBrush(theme.color(Token::accent));
  const int from = x_of(handles_[0]->value());
  painter.drawRect(QRectF(from, top, x_of(handles_[1]->value()) - from, groove_size));
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
  pressed_at_ = value_at(qRound(event->position().x()));
  pressed_values_ = {handles_[0]->value(), handles_[1]->value()};
  // A click outside the bar: the nearer handle moves to this position.
  if (pressed_at_ < pressed_values_[0]) handles_[0]->setValue(pressed_at_);
  if (pressed_at_ > pressed_values_[1]) handles_[1]->setValue(pressed_at_);
}
void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
  if (pressed_at_ < pressed_values_[0] || pressed_at_ > pressed_values_[1]) return;
  const int wanted = value_at(qRound(event->position().x())) - pressed_at_;
  const int by = std::clamp(wanted, -pressed_values_[0], steps - pressed_values_[1]);
  set(static_cast<double>(pressed_values_[0] + by) / steps, static_cast<double>(pressed_values_[1] + by) / steps);
  Q_EMIT moved();
}

}  // namespace tl::ui
