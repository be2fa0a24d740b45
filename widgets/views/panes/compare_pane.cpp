// ComparePane: shows a slice of one of two results, alone or combined. Both images share pane coordinates, so that
// one can be painted over the other.
#include "widgets/views/panes/compare_pane.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/live/notification.h"
#include "widgets/language/translated.h"
#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/state/painter.h"

namespace tl::ui {
namespace {
constexpr int flicker_ms = 500;
constexpr double divider_reach = 8, key_step = 0.02;
constexpr int tile = 48;  // px
}  // namespace

const std::vector<CompareMode>& all_compare_modes() {
  static const std::vector<CompareMode> all{CompareMode::side_by_side, CompareMode::swipe, CompareMode::flicker,
                                            CompareMode::difference, CompareMode::checkerboard};
  return all;
}
QString compare_mode_name(CompareMode mode) {
  switch (mode) {
    case CompareMode::side_by_side: return ComparePane::tr("Side by side");
    case CompareMode::swipe: return ComparePane::tr("Swipe");
    case CompareMode::flicker: return ComparePane::tr("Flicker");
    case CompareMode::difference: return ComparePane::tr("Difference");
    case CompareMode::checkerboard: return ComparePane::tr("Checkerboard");
  }
  return {};
}

ComparePane::ComparePane(PictureSource& source, ViewState& state, const QString& view, const QString& name,
                         QWidget* parent)
    : SlicePane(source, state, view, Orientation::xy, parent), name_(name) {
  setAccessibleName(tr("Compared slice %1").arg(name));
  connect(&flicker_, &QTimer::timeout, this, [this] {
    shows_partner_ = !shows_partner_;
    update();
  });
  connect(this, &ImagePane::live_picture_changed, this, &ComparePane::subtract);
}

void ComparePane::set_outputs(const Output& output, const Output& levels_of) {
  if (output == output_ && levels_of == levels_of_) return;
  output_ = output;
  levels_of_ = levels_of;
  forget_picture();
  refresh();
}

void ComparePane::set_name(const QString& name) {
  if (name == name_) return;
  name_ = name;
  update();
}

void ComparePane::set_partner(ComparePane* other) {
  partner_ = other;
  connect(other, &SlicePane::orientation_changed, this, [this, other] { set_orientation(other->orientation()); });
  connect(other, &ImagePane::live_picture_changed, this, [this] {
    subtract();
    update();
  });
}

void ComparePane::set_mode(CompareMode mode) {
  mode_ = mode;
  obstacle_.clear();
  shows_partner_ = false;
  if (mode == CompareMode::flicker)
    flicker_.start(flicker_ms);
  else
    flicker_.stop();
  set_stand_in(std::nullopt);
  subtract();
  update();
}

bool ComparePane::is_needed() const {
  // While its partner is visible, this pane's image is needed even if it is hidden itself.
  return isVisible() || (needed_by_partner_ && partner_ && partner_->isVisible());
}

// Shows the difference instead of the live image; equal images give zeros.
void ComparePane::subtract() {
  if (mode_ != CompareMode::difference || partner_.isNull()) return;
  const auto &mine = live_picture(), &other = partner_->live_picture();
  if (!mine || !other) return;
  const auto result = picture::difference(*mine->image, *other->image);
  if (!result.ok()) {
    // As long as one image is coarse, a failure is not reported.
    obstacle_ = mine->final && other->final ? translated(result.error().what) : QString();
    set_stand_in(std::nullopt);
    update();
    return;
  }
  obstacle_.clear();
  live::Picture picture = *mine;
  picture.image = std::make_shared<const live::Image>(result.value());
  const picture::Levels levels = picture::percentile_levels(*picture.image, 0.2);
  const double most = std::max({std::abs(levels.low), std::abs(levels.high), 1e-12});
  difference_levels_ = {-most, most};
  set_stand_in(picture);
}

ColorMap ComparePane::color_map() const {
  return mode_ == CompareMode::difference && has_stand_in() ? ColorMap::diverging : SlicePane::color_map();
}
std::optional<picture::Levels> ComparePane::shown_levels() const {
  return mode_ == CompareMode::difference && has_stand_in() ? difference_levels_ : SlicePane::shown_levels();
}
QString ComparePane::kind_text() const {
  return mode_ == CompareMode::flicker && shows_partner_ && !partner_.isNull() ? partner_->name_ : name_;
}
// The name of the other result, if this pane shows both.
QString ComparePane::extra_caption() const {
  if (!obstacle_.isEmpty()) return obstacle_;
  if (partner_.isNull() || mode_ == CompareMode::side_by_side || mode_ == CompareMode::flicker)
    return SlicePane::extra_caption();
  return mode_ == CompareMode::difference ? tr("minus %1").arg(partner_->name_) : partner_->name_;
}

QString ComparePane::no_picture_text() const {
  const bool is_to_choose = output_.empty() && !state().volume().empty();
  return is_to_choose ? tr("Choose above: another result, or another value") : SlicePane::no_picture_text();
}

Output ComparePane::labels_output() const {
  const Info* info = output_.empty() ? nullptr : source().info(output_);
  if (info != nullptr && std::holds_alternative<LabelsInfo>(*info)) return output_;
  return state().painter().labels_of(output_);
}

void ComparePane::paint_over_picture(QPainter& painter) const {
  if (mode_ != CompareMode::difference) SlicePane::paint_over_picture(painter);
  if (partner_.isNull() || !partner_->picture()) return;
  QRegion shown;
  const int split = qRound(divider_ * width());
  if (mode_ == CompareMode::swipe) shown = QRegion(split, 0, width() - split, height());
  if (mode_ == CompareMode::flicker && shows_partner_) shown = QRegion(rect());
  if (mode_ == CompareMode::checkerboard)
    for (int y = 0; y * tile < height(); ++y)
      for (int x = 1 - y % 2; x * tile < width(); x += 2) shown += QRect(x * tile, y * tile, tile, tile);
  if (shown.isEmpty()) return;
  painter.setClipRegion(shown);
  painter.fillRect(rect(), Theme::instance().picture_color(Token::background));
  const QRectF at = partner_->placement(*partner_->picture());
  paint_pixels(painter, partner_->painted_picture(), {to_widget(at.topLeft()), to_widget(at.bottomRight())}, rect());
  partner_->paint_labels(painter, *this);
}

void ComparePane::paint_marks(QPainter& painter) const {
  SlicePane::paint_marks(painter);
  if (mode_ != CompareMode::swipe) return;
  const double x = std::round(divider_ * width()) + 0.5;
  painter.setPen(QPen(Theme::instance().picture_color(Token::accent), 2));
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  painter.setBrush(Theme::instance().picture_color(Token::accent));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.drawEllipse(QPointF(x, 0.5 * height()), 5, 5);
}

void ComparePane::set_divider(double part) {
  divider_ = std::clamp(part, 0.0, 1.0);
  update();
}
bool ComparePane::mark_pressed(QPointF point, Qt::KeyboardModifiers modifiers) {
  dragging_ = mode_ == CompareMode::swipe && std::abs(to_widget(point).x() - divider_ * width()) <= divider_reach;
  return dragging_ || SlicePane::mark_pressed(point, modifiers);
}
void ComparePane::mark_moved(QPointF point, Qt::KeyboardModifiers modifiers) {
  if (dragging_)
    set_divider(to_widget(point).x() / std::max(1, width()));
  else
    SlicePane::mark_moved(point, modifiers);
}
void ComparePane::mark_released() {
  dragging_ = false;
  SlicePane::mark_released();
}

// Bracket keys move the divider; the space bar shows the other image.
bool ComparePane::key_pressed(QKeyEvent& event) {
  const int key = event.key();
  if (mode_ == CompareMode::swipe && !paints() && (key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight)) {
    set_divider(divider_ + (key == Qt::Key_BracketLeft ? -key_step : key_step));
    return true;
  }
  if (mode_ == CompareMode::flicker && key == Qt::Key_Space) {
    flicker_.stop();
    shows_partner_ = !shows_partner_;
    update();
    return true;
  }
  return SlicePane::key_pressed(event);
}

}  // namespace tl::ui
