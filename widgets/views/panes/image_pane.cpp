// ImagePane: shows one live image: requests it and converts coordinates. Painting is in pane_painter.cpp, mouse and
// keys in image_pane_input.cpp.
#include "widgets/views/panes/image_pane.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/live/notification.h"
#include "widgets/text/amounts.h"
#include "widgets/theme/keys_follow_mouse.h"
#include "widgets/views/measure/profile_panel.h"
#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/panes/view_bar.h"
#include "widgets/views/pictures/color_menu.h"
#include "widgets/views/pictures/picture_render.h"
#include "widgets/views/pictures/progress_text.h"
#include "widgets/views/state/automatic_window.h"

namespace tl::ui {
namespace {
constexpr double fit_part = 0.98;
constexpr double caption_room = 34;  // px at the top and at the bottom
}  // namespace

ImagePane::ImagePane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : QWidget(parent), source_(source), state_(state), view_(view) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  let_keys_follow_mouse(*this, *this);
  setMinimumSize(120, 90);
  setAttribute(Qt::WA_OpaquePaintEvent);
  connect(&source_, &PictureSource::picture_ready, this, &ImagePane::take);
  // The source resends images of an unchanged request when their node changes; only another region needs a request.
  connect(&source_, &PictureSource::infos_changed, this, [this] {
    const auto now = wanted();
    const bool same = now && asked_ && now->region == asked_->region && now->node == asked_->node &&
                      now->port == asked_->port && now->series == asked_->series && now->frame == asked_->frame;
    if (!same) refresh();
  });
  connect(&source_, &PictureSource::status_changed, this, &ImagePane::look_at_status);
  connect(&state_, &ViewState::outputs_changed, this, [this] {
    // Other labels over the same image do not change it.
    const Output now = output();
    if (!asked_ || asked_->node != now.node.toStdString() || asked_->port != now.port.toStdString()) forget_picture();
    refresh();
  });
  connect(&state_, &ViewState::levels_changed, this, [this](const QString& key) {
    if (key != levels_output().key()) return;
    dirty_ = true;
    update();
  });
  const auto recolor = [this] {
    dirty_ = true;
    update();
  };
  connect(&state_, &ViewState::colors_changed, this, recolor);
  connect(&Theme::instance(), &Theme::changed, this, recolor);
  new ViewBar(*this);
  connect(&state_, &ViewState::measurements_changed, this, [this](const QString& slot) {
    if (slot == camera_slot()) show_measurements();
  });
  connect(&state_, &ViewState::camera_changed, this, [this](const QString& slot) {
    if (slot == camera_key()) update();
  });
}

void ImagePane::choose_colors() {
  open_color_menu(*this, mapToGlobal(label_area().center().toPoint()), state_.color_map(),
                  [this](ColorMap map) { state_.set_color_map(map); });
}

ImagePane::~ImagePane() { source_.forget(view_); }

void ImagePane::refresh() {
  // A hidden pane requests nothing until it is shown.
  auto request = is_needed() ? wanted() : std::nullopt;
  if (!request) {
    if (asked_) source_.forget(view_);
    asked_.reset();
    requested(asked_);
    if (is_needed() && !stays_without_request()) forget_picture();
    update();
    return;
  }
  request->ticket = ticket_ = source_.next_ticket();
  if (!first_ticket_) first_ticket_ = ticket_;
  asked_ = request;
  source_.request(view_, *request);
  requested(asked_);
  setAccessibleDescription(position_text());
  update();
}

void ImagePane::forget_picture() {
  shown_.reset();
  live_behind_stand_in_.reset();
  first_ticket_.reset();
  error_.reset();
  dirty_ = true;
}

void ImagePane::look_at_status(const QString& node) {
  if (node != output().node) {
    if (!is_sharp() || !is_current()) update();  // a node upstream reports the progress
    return;
  }
  if (source_.status(node).state == live::State::stale) {
    stale_ = true;
    if (sets_levels()) state_.automatic_window().changed(levels_output());
  }
  update();
}

void ImagePane::take(const QString& view, const live::Picture& picture) {
  if (view != view_ || !asked_) return;
  // Late answers to older requests are shown only until a newer image arrives, as intermediate steps.
  const auto& live = live_behind_stand_in_ ? live_behind_stand_in_ : shown_;
  if (!first_ticket_ || picture.request.ticket < *first_ticket_ || picture.request.ticket > ticket_) return;
  if (live && picture.request.ticket < live->request.ticket) return;
  if (picture.error) {
    if (picture.error->kind != ErrorKind::cancelled && picture.request.ticket == ticket_) error_ = picture.error;
    update();
    return;
  }
  if (!picture.image || picture.image->pixels.empty()) return;
  if (sets_levels()) state_.automatic_window().shown(levels_output(), picture);
  if (live_behind_stand_in_)
    live_behind_stand_in_ = picture;
  else
    adopt(picture);
  Q_EMIT live_picture_changed();
}

void ImagePane::show_picture(const live::Picture& picture) { adopt(picture); }

void ImagePane::set_stand_in(const std::optional<live::Picture>& picture) {
  if (picture && shown_) {
    if (!live_behind_stand_in_) live_behind_stand_in_ = shown_;
    adopt(*picture);
  } else if (live_behind_stand_in_) {
    const live::Picture live = *std::exchange(live_behind_stand_in_, std::nullopt);
    adopt(live);
  }
}

void ImagePane::adopt(const live::Picture& picture) {
  error_.reset();
  stale_ = false;
  shown_ = picture;
  dirty_ = true;
  show_measurements();
  Q_EMIT picture_shown();
  if (hover_) show_hover();
}

std::optional<picture::Levels> ImagePane::shown_levels() const { return state_.levels(levels_output()); }

void ImagePane::automatic_levels() { state_.automatic_window().choose(levels_output()); }

QSizeF ImagePane::scale() const {
  const QRectF all = extent();
  if (all.isEmpty()) return {1, 1};
  const double zoom = camera().zoom;
  const double x = fit_part * width() / all.width(), y = fit_part * height() / all.height();
  if (fit_mode() == Fit::stretch) return {zoom * x / fit_part, zoom * y / fit_part};
  return {zoom * std::min(x, y), zoom * std::min(x, y)};
}
QPointF ImagePane::to_widget(QPointF pane) const {
  const QSizeF s = scale();
  const QPointF from = pane - camera().centre - extent().center();
  return {0.5 * width() + from.x() * s.width(), 0.5 * height() + from.y() * s.height()};
}
QPointF ImagePane::to_pane(QPointF widget) const {
  const QSizeF s = scale();
  return camera().centre + extent().center() +
         QPointF((widget.x() - 0.5 * width()) / s.width(), (widget.y() - 0.5 * height()) / s.height());
}
picture::PixelPoint ImagePane::to_pixel(QPointF pane) const {
  if (!shown_) return {-1, -1};
  const QRectF at = placement(*shown_);
  return {(pane.y() - at.top()) / at.height() * static_cast<double>(shown_->image->rows) - 0.5,
          (pane.x() - at.left()) / at.width() * static_cast<double>(shown_->image->cols) - 0.5};
}
QPointF ImagePane::from_pixel(picture::PixelPoint pixel) const {
  if (!shown_) return {};
  const QRectF at = placement(*shown_);
  return {at.left() + (pixel.col + 0.5) * at.width() / static_cast<double>(shown_->image->cols),
          at.top() + (pixel.row + 0.5) * at.height() / static_cast<double>(shown_->image->rows)};
}

QString ImagePane::unit_text() const { return shown_ ? QString::fromStdString(shown_->unit) : QString(); }

QString ImagePane::value_text(QPointF widget) const {
  if (!shown_) return {};
  const picture::PixelPoint at = to_pixel(to_pane(widget));
  const auto row = std::lround(at.row), col = std::lround(at.col);
  if (row < 0 || col < 0 || row >= shown_->image->rows || col >= shown_->image->cols) return {};
  QString text = number_text(picture::value_at(*shown_->image, row, col));
  if (const QString unit = unit_text(); !unit.isEmpty()) text += QLatin1Char(' ') + unit;
  // Positions are in full-resolution pixels, counted from the bottom left like the volume's indices.
  const QString value = tr("%1 at (%2)").arg(text, pixel_position_text(at)), note = note_at(to_pane(widget));
  return note.isEmpty() ? value : note + QStringLiteral(" · ") + value;
}

QString ImagePane::pixel_position_text(picture::PixelPoint at) const {
  const auto level = shown_ ? static_cast<double>(shown_->level) : 1.0;
  const auto sharp = [level](double pixel) { return std::lround(std::floor((pixel + 0.5) * level)); };
  return QStringLiteral("%1, %2").arg(sharp(at.col)).arg(sharp(at.row));
}

ImagePane::ScaleBar ImagePane::scale_bar() const {
  const double px = scale().width(), mm = mm_to_the_right();
  if (!(px > 0) || extent().isEmpty()) return {};
  return scale_bar_for(px, mm);
}

bool ImagePane::is_sharp() const { return shown_ && shown_->final && shown_->level == 1; }

bool ImagePane::is_current() const {
  const auto& live = live_picture();
  return live && asked_ && live->request.ticket == ticket_ && live->final && !stale_ && !error_;
}

std::vector<CaptionPart> ImagePane::state_caption() const {
  const auto dot = QStringLiteral(" · ");
  if (error_) return {{dot + tr("failed"), Token::error}};
  const bool is_coarse = shown_ && (!shown_->final || shown_->level > 1);
  const bool is_old = shown_ && asked_ && live_picture()->request.ticket != ticket_;  // of an older request
  const QString progress = !shown_ || is_old || is_coarse ? progress_text(source_, output().node) : QString();
  const QString more = progress.isEmpty() ? QString() : dot + progress;
  if (!shown_) return {{dot + tr("waiting") + more, Token::text_second}};
  std::vector<CaptionPart> parts;
  if (is_old)
    parts.push_back({dot + tr("computing") + more, Token::busy});
  else if (is_coarse)
    parts.push_back({dot + tr("coarse 1:%1").arg(shown_->level) + more, Token::busy});
  else if (shown_->source == live::Picture::Source::cached)
    parts.push_back({dot + tr("cached"), Token::good});
  else
    parts.push_back({dot + tr("live"), Token::good});
  if (shown_->window.index >= 0) add_window_caption(parts);
  if (stale_) parts.push_back({dot + tr("stale"), Token::warning});
  return parts;
}

// For a stream: the age of its newest frame, and whether a large part of the window is missing.
void ImagePane::add_window_caption(std::vector<CaptionPart>& parts) const {
  const live::Picture::Window& window = shown_->window;
  constexpr double ms = 1000, percent = 100, old = 1, notable_loss = 0.1;
  const double age = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / ms - window.newest;
  parts.push_back({tr(" · window %1").arg(window.index + 1), Token::text_second});
  if (age > old) parts.push_back({tr(" · %1 old").arg(duration_text(age)), Token::warning});
  if (window.lost > notable_loss)
    parts.push_back({tr(" · %1 % of its views lost").arg(percent * window.lost, 0, 'f', 0), Token::warning});
}

QString ImagePane::timing_text() const {
  if (!shown_) return {};
  if (shown_->source == live::Picture::Source::cached) return tr("This image was in the cache.");
  const QString time = duration_text(shown_->seconds);
  return shown_->final && shown_->level == 1 ? tr("This image was computed in %1.").arg(time)
                                             : tr("This coarse image was computed in %1.").arg(time);
}

// Only over the caption: over the image, a tool tip would cover it.
bool ImagePane::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (help->pos().y() < caption_room)
      QToolTip::showText(help->globalPos(), timing_text(), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

// Rendered at screen resolution, rounded to a power of two, since views of large detectors have many more pixels.
const QImage& ImagePane::rendered() const {
  const QRectF at = placement(*shown_);
  const double px = at.width() * scale().width() * devicePixelRatioF() / static_cast<double>(shown_->image->cols);
  const double most = static_cast<double>(std::max(shown_->image->rows, shown_->image->cols));
  const int fewer = px > 0.5 ? 1 : static_cast<int>(std::min(std::exp2(std::floor(-std::log2(px))), most));
  if (dirty_ || fewer != binning_of_rendered_) rendered_ = rendered_by(fewer);
  binning_of_rendered_ = fewer;
  dirty_ = false;
  return rendered_;
}

QImage ImagePane::rendered_by(int fewer) const {
  const picture::Levels levels = shown_levels().value_or(picture::Levels{});
  const ColorLookup lookup = make_lookup(color_map(), Theme::instance().picture_color(Token::learnable));
  return render_picture(*shown_->image, levels, lookup, fewer);
}

void ImagePane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  PanePainter(*this, painter).paint(Annotation::annotated);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(Theme::instance().picture_color(Token::accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

QImage ImagePane::exported(Annotation annotation) const {
  if (!shown_) return {};
  if (annotation == Annotation::clean) return is_sharp() ? rendered_by(1) : QImage();
  // Twice the screen's resolution, for print.
  constexpr int finer = 2;
  QImage image(size() * finer, QImage::Format_RGB32);
  image.setDevicePixelRatio(finer);
  QPainter painter(&image);
  PanePainter(*this, painter).paint(Annotation::annotated);
  return image;
}

bool ImagePane::profile_visible() const { return profile_ != nullptr && profile_->isVisible(); }

void ImagePane::set_caption_indent(int pixels) {
  caption_indent_ = pixels;
  update();
}

MeasureContext ImagePane::measure_context() const {
  MeasureContext context;
  context.image = shown_ ? shown_->image.get() : nullptr;
  context.to_pixel = [this](QPointF p) { return to_pixel(p); };
  context.to_widget = [this](QPointF p) { return to_widget(p); };
  context.unit = unit_text();
  context.mm_per_unit = mm_per_unit();
  return context;
}

QRectF ImagePane::label_area() const {
  const double bottom = profile_visible() ? profile_->geometry().top() : height() - caption_room;
  return {QPointF(4, caption_room), QPointF(width() - 4.0, bottom - 4 - ViewBar::strip_height)};
}

QString ImagePane::camera_key() const {
  return linking_ == Linking::linked ? camera_slot() : camera_slot() + QLatin1Char('@') + view_;
}

void ImagePane::set_linking(Linking linking) {
  if (linking == linking_) return;
  const Camera now = camera();
  linking_ = linking;
  if (linking == Linking::alone) set_camera(now);
  update();
  Q_EMIT linking_changed();
}

void ImagePane::measurements_moved() { state_.measurements_moved(camera_slot()); }

void ImagePane::show_measurements() {
  const Measurement* line = measurements().shown_profile();
  if (line != nullptr && profile_ == nullptr) {
    profile_ = new ProfilePanel(this);
    profile_->set_export_rules([this] { return source_.export_rules(); });
    connect(profile_, &ProfilePanel::closed, this, [this] {
      while (measurements().shown_profile() != nullptr) measurements().remove(measurements().shown_profile());
      measurements_moved();
      state_.keep_measurements(tr("Remove the line profile"));
      setFocus();
    });
  }
  if (profile_ != nullptr) {
    profile_->setVisible(line != nullptr && shown_.has_value());
    if (line != nullptr && shown_) {
      const picture::PixelPoint a = to_pixel(line->a), b = to_pixel(line->b);
      const double pixels = std::hypot(b.row - a.row, b.col - a.col);
      const double length = QLineF(line->a, line->b).length() * (mm_per_unit() > 0 ? mm_per_unit() : 1);
      profile_->set_profile(picture::profile(*shown_->image, a, b), pixels > 0 ? length / pixels : 1,
                            mm_per_unit() > 0 ? QStringLiteral("mm") : QStringLiteral("px"), unit_text());
    }
    place_profile();
  }
  update();
  Q_EMIT measurements_changed();
}

void ImagePane::place_profile() {
  if (profile_ == nullptr) return;
  const int high = std::clamp(height() / 3, 90, 170);
  profile_->setGeometry(0, height() - high, width(), high);
}

void ImagePane::resizeEvent(QResizeEvent*) { place_profile(); }
void ImagePane::showEvent(QShowEvent*) { refresh(); }
void ImagePane::hideEvent(QHideEvent*) { refresh(); }

}  // namespace tl::ui
