// VolumePane: paints the rendered image with caption, scale bar and orientation cube, on screen and for movies.
#include <QPainter>
#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/views/panes/pane_painter.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {

constexpr int edge_margin = 10;   // px between the pane's edge and captions
constexpr int min_for_bar = 220;  // px, minimum width of the pane

}  // namespace

OrientationCube VolumePane::cube() const {
  return {scene_.turn, scene_.rise, shown_ ? OrientationCube::corner_rect(size()) : QRectF()};
}
ImagePane::ScaleBar VolumePane::scale_bar() const {
  const auto box = edges();
  const VolumeGrid* all = grid();
  if (!box || all == nullptr) return {};
  const bool pixels = has_pixel_lengths();
  return scale_bar_for(VolumeCamera::of(scene_, *box).pixels_per_length(height()), pixels ? 0 : 1);
}

std::optional<VolumePane::MovieParts> VolumePane::movie_parts(QSize size) const {
  const VolumeGrid* all = grid();
  if (!voxels_ || !shown_ || all == nullptr) return std::nullopt;
  MovieParts parts{*voxels_, scene_, QImage(size, QImage::Format_ARGB32_Premultiplied)};
  fill_scene(parts.scene);
  parts.scene.size = size;
  parts.scene.line_width = 1;
  parts.scene.detail = VolumeDetail::still;
  parts.overlay.fill(Qt::transparent);
  QPainter painter(&parts.overlay);
  painter.setFont(Theme::number_font());
  const bool pixels = has_pixel_lengths();
  paint_scale_bar(painter, QPointF(size.width() - 2 * edge_margin, size.height() - 2 * edge_margin),
                  scale_bar_for(VolumeCamera::of(scene_, *edges()).pixels_per_length(size.height()), pixels ? 0 : 1));
  return parts;
}

QString VolumePane::no_picture_text() const {
  if (!problem_.isEmpty()) return problem_;
  if (error_) return translated(error_->what);
  if (state_.volume().empty()) return tr("No volume yet. Add a reconstruction and link it.");
  const VolumeGrid* all = grid();
  if (all == nullptr) return tr("Not loaded");
  if (!asked_) return tr("Too thin for a view in 3D: %1 slices").arg(all->nz);
  return tr("Waiting for the first image");
}

std::vector<CaptionPart> VolumePane::caption() const {
  if (!shown_) return {};
  const int64_t slices = shown_->slices, cols = shown_->image->cols, rows = shown_->image->rows / slices;
  std::vector<CaptionPart> parts{{QStringLiteral("%1 × %2 × %3").arg(slices).arg(rows).arg(cols)}};
  const VolumeGrid* all = grid();
  const bool whole = all != nullptr && all->nx == cols && all->ny == rows && all->nz == slices && binning_ == 1;
  const auto dot = QStringLiteral(" · ");
  if (!whole && all != nullptr)
    parts.push_back({dot + tr("coarse, of %1 × %2 × %3").arg(all->nz).arg(all->ny).arg(all->nx), Token::busy});
  if (stale_) parts.push_back({dot + tr("stale"), Token::warning});
  if (!surfaces_.problem().isEmpty()) parts.push_back({dot + surfaces_.problem(), Token::warning});
  if (surfaces_.is_busy()) parts.push_back({dot + tr("making surfaces"), Token::busy});
  return parts;
}

QImage VolumePane::exported(Annotation annotation) {
  return annotation == Annotation::clean ? image_ : grab().toImage();
}

void VolumePane::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.fillRect(rect(), theme.picture_color(Token::background));
  painter.setFont(Theme::number_font());
  if (image_.isNull() || !shown_) {
    painter.setPen(theme.picture_color(error_ || !problem_.isEmpty() ? Token::error : Token::text_second));
    painter.drawText(QRectF(rect()).adjusted(24, 40, -24, -40), Qt::AlignCenter | Qt::TextWordWrap, no_picture_text());
  } else {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(rect(), image_);
    painter.setFont(Theme::number_font());
    if (const auto marks = handles()) {
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(QPen(theme.picture_color(Token::background), 1));
      painter.setBrush(theme.picture_color(Token::accent));
      for (std::size_t face = 0; face < marks->clip.size(); ++face)
        painter.drawEllipse(marks->handle_position(face, size()), 5, 5);
    }
    paint_overlay(painter);
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme.picture_color(Token::accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void VolumePane::paint_overlay(QPainter& painter) {
  const Theme& theme = Theme::instance();
  const double left = std::max(edge_margin, caption_indent_) - 4;
  paint_caption(painter, {left, 8}, Qt::AlignLeft, caption());
  cube().paint(
      painter,
      {{theme.picture_color(Token::warning), theme.picture_color(Token::busy), theme.picture_color(Token::accent)},
       theme.picture_color(Token::text),
       theme.picture_color(Token::selection)},
      hovered_);
  if (width() >= min_for_bar)
    paint_scale_bar(painter, {width() - edge_margin - 1.0, height() - edge_margin - 1.0}, scale_bar());
}

}  // namespace tl::ui
