// LabelOverlay: requests labels and stores them as a coloured image.
#include "widgets/views/panes/label_overlay.h"

#include <QPainter>
#include <cmath>

#include "core/picture/measure.h"
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
  // If a stroke was undone together with the node that it added, no labels will arrive.
  const bool is_gone = labels.empty() && preview_until_;
  if (preview_ && (is_gone || preview_->picture().request.region != region)) set_preview(nullptr);
  if (labels.empty() || !region) {
    if (asked_) source_.forget(view_);
    asked_.reset();
    picture_.reset();
    labels_ = {};
    return;
  }
  live::PictureRequest request{.node = labels.node.toStdString(), .port = labels.port.toStdString(), .region = *region};
  if (labels != labels_) picture_.reset();
  // The source resends the image of an unchanged request when its node changes.
  if (asked_ && asked_->node == request.node && asked_->port == request.port && asked_->region == request.region)
    return;
  labels_ = labels;
  request.ticket = source_.next_ticket();
  asked_ = request;
  source_.request(view_, request);
}

void LabelOverlay::show(const std::optional<live::Picture>& labels, const LabelTable& table) {
  picture_ = labels;
  preview_table_ = table;
  painted_ = {};
  Q_EMIT changed();
}

void LabelOverlay::take(const QString& view, const live::Picture& picture) {
  if (view != view_ || !asked_ || picture.request.node != asked_->node || picture.request.port != asked_->port) return;
  if (picture_ && picture.request.ticket < picture_->request.ticket) return;
  if (picture.error || !picture.image || picture.image->pixels.empty()) {
    // Labels of other parameters would be wrong over a new image; the failure is shown at the node.
    if (picture.error && picture.error->kind != ErrorKind::cancelled) picture_.reset();
  } else {
    picture_ = picture;
  }
  painted_ = {};
  const bool is_final = picture.error ? picture.error->kind != ErrorKind::cancelled : picture.final;
  const bool is_newer = preview_until_ && picture.graph >= *preview_until_ && is_final;
  if (is_newer) set_preview(nullptr);
  Q_EMIT changed();
}

void LabelOverlay::set_preview(std::shared_ptr<PaintPreview> preview, const LabelTable& table) {
  preview_ = std::move(preview);
  preview_table_ = table;
  preview_until_.reset();
  Q_EMIT changed();
}

// Requested again, because a request is always answered: the stroke may be undone before its labels are computed, and
// then the labels are the ones sent last.
void LabelOverlay::show_preview_until(uint64_t graph) {
  preview_until_ = graph;
  if (!asked_) return;
  asked_->ticket = source_.next_ticket();
  source_.request(view_, *asked_);
}

const live::Picture* LabelOverlay::shown() const {
  if (preview_) return &preview_->picture();
  return picture_ ? &*picture_ : nullptr;
}

const live::Picture* LabelOverlay::labels_for(const live::Picture& shown_slice) const {
  const live::Picture* labels = shown();
  return labels != nullptr && labels->request.region == shown_slice.request.region ? labels : nullptr;
}

LabelTable LabelOverlay::table() const {
  const Info* info = source_.info(labels_);
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  return labels == nullptr ? preview_table_ : labels->table;
}

void LabelOverlay::paint(QPainter& painter, const LabelView& view, QRectF target, QRectF pane) const {
  if (shown() == nullptr || !view.visible) return;
  if (!preview_ && (painted_.isNull() || !(painted_view_ == view))) {
    painted_table_ = table();
    painted_ = render_labels(*picture_->image, painted_table_, view);
    painted_view_ = view;
  }
  const QRectF visible_part = target.intersected(pane);
  if (visible_part.isEmpty()) return;
  // Never smoothed: interpolation between two labels would give a third one.
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  const QImage& image = preview_ ? preview_->painted(table(), view) : painted_;
  const double x = image.width() / target.width(), y = image.height() / target.height();
  painter.drawImage(visible_part, image,
                    {(visible_part.left() - target.left()) * x, (visible_part.top() - target.top()) * y,
                     visible_part.width() * x, visible_part.height() * y});
}

std::optional<int64_t> LabelOverlay::number_at(int64_t row, int64_t col) const {
  const live::Picture* labels = shown();
  if (labels == nullptr || row < 0 || col < 0 || row >= labels->image->rows || col >= labels->image->cols) return {};
  const double value = picture::value_at(*labels->image, row, col);
  return std::isnan(value) ? std::nullopt : std::optional<int64_t>(std::llround(value));
}

QString LabelOverlay::name_of(int64_t number) const { return label_name(table(), number); }

}  // namespace tl::ui
