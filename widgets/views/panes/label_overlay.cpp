// LabelOverlay: requests labels and keeps them as an image of colours.
#include "widgets/views/panes/label_overlay.h"

#include <QPainter>
#include <cmath>

#include "widgets/labels/label_colors.h"
#include "widgets/labels/label_picture.h"

namespace tl::ui {

LabelOverlay::LabelOverlay(PictureSource& source, QString view, QObject* parent)
    : QObject(parent), source_(source), view_(std::move(view)) {
  connect(&source_, &PictureSource::picture_ready, this, &LabelOverlay::take);
  connect(&source_, &PictureSource::infos_changed, this, [this] {
    if (!picture_ || painted_table_ == table()) return;
    painted_ = {};
    Q_EMIT changed();
  });
}

LabelOverlay::~LabelOverlay() {
  if (asked_) source_.forget(view_);
}

void LabelOverlay::follow(const Output& labels, const std::optional<Region>& region) {
  if (labels.empty() || !region) {
    if (asked_) source_.forget(view_);
    asked_.reset();
    picture_.reset();
    labels_ = {};
    return;
  }
  live::PictureRequest request;
  request.node = labels.node.toStdString();
  request.port = labels.port.toStdString();
  request.region = *region;
  if (labels != labels_) picture_.reset();
  // The source resends the picture of an unchanged request when its node changes.
  if (asked_ && asked_->node == request.node && asked_->port == request.port && asked_->region == request.region)
    return;
  labels_ = labels;
  request.ticket = source_.next_ticket();
  asked_ = request;
  source_.request(view_, request);
}

void LabelOverlay::take(const QString& view, const live::Picture& picture) {
  if (view != view_ || !asked_ || picture.request.node != asked_->node || picture.request.port != asked_->port) return;
  if (picture_ && picture.request.ticket < picture_->request.ticket) return;
  if (picture.error || !picture.image || picture.image->pixels.empty()) {
    // Labels of other parameters would be wrong over a new picture; what failed stands at the node.
    if (picture.error && picture.error->kind != ErrorKind::cancelled) picture_.reset();
  } else {
    picture_ = picture;
  }
  painted_ = {};
  Q_EMIT changed();
}

const live::Picture* LabelOverlay::labels_for(const live::Picture& shown) const {
  return picture_ && picture_->request.region == shown.request.region ? &*picture_ : nullptr;
}

LabelTable LabelOverlay::table() const {
  const Info* info = source_.info(labels_);
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  return labels == nullptr ? LabelTable{} : labels->table;
}

void LabelOverlay::paint(QPainter& painter, const LabelView& view, QRectF target, QRectF pane) const {
  if (!picture_ || !view.visible) return;
  if (painted_.isNull() || !(painted_view_ == view)) {
    painted_table_ = table();
    painted_ = render_labels(*picture_->image, painted_table_, view);
    painted_view_ = view;
  }
  const QRectF seen = target.intersected(pane);
  if (seen.isEmpty()) return;
  // Never smoothed: between two labels lies no third one.
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  const double x = painted_.width() / target.width(), y = painted_.height() / target.height();
  painter.drawImage(
      seen, painted_,
      {(seen.left() - target.left()) * x, (seen.top() - target.top()) * y, seen.width() * x, seen.height() * y});
}

QString LabelOverlay::name_at(int64_t row, int64_t col) const {
  if (!picture_ || row < 0 || col < 0 || row >= picture_->image->rows || col >= picture_->image->cols) return {};
  const double value = picture::value_at(*picture_->image, row, col);
  return std::isnan(value) ? QString() : label_name(table(), std::llround(value));
}

}  // namespace tl::ui
