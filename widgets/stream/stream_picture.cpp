// StreamPicture: makes a grey image of each new view, and paints it with its captions.
#include "widgets/stream/stream_picture.h"

#include <QPainter>
#include <algorithm>

#include "core/stream/frames/grey_view.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_text.h"
#include "widgets/text/amounts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/pane_painter.h"

namespace tl::ui {
namespace {

constexpr int64_t max_side = 640;    // px
constexpr int picture_height = 180;  // px

QString plain(const std::vector<CaptionPart>& parts) {
  QString text;
  for (const CaptionPart& part : parts) text += part.text;
  return text;
}

}  // namespace

StreamPicture::StreamPicture(StreamSession& session, QWidget* parent) : QWidget(parent), session_(session) {
  setMinimumHeight(picture_height);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Last view"));
  connect(&session_, &StreamSession::changed, this, &StreamPicture::take);
  connect(&session_, &StreamSession::state_changed, this, &StreamPicture::take);
}

QSize StreamPicture::sizeHint() const { return {Theme::space(60), picture_height}; }

void StreamPicture::take() {
  const stream::FramePtr& newest = session_.status().newest_view;
  if (newest != shown_ && isVisible()) {
    shown_ = newest;
    image_ = {};
    if (shown_ != nullptr) {
      const stream::GreyView grey = stream::grey_view(*shown_, max_side);
      image_ = QImage(static_cast<int>(grey.cols), static_cast<int>(grey.rows), QImage::Format_Grayscale8);
      for (int row = 0; row < image_.height(); ++row)
        std::copy_n(grey.grey.data() + static_cast<std::ptrdiff_t>(row) * grey.cols, grey.cols, image_.scanLine(row));
    }
  }
  setAccessibleDescription(plain(title()) + QLatin1Char(' ') + plain(age()) + QLatin1Char(' ') + plain(loss()));
  update();
}

std::vector<CaptionPart> StreamPicture::title() const {
  if (shown_ == nullptr) return {};
  QString text = tr("view %1").arg(*shown_->number);
  if (shown_->angle) text += QStringLiteral(" · %1°").arg(*shown_->angle, 0, 'f', 1);
  return {{text, Token::text}};
}

std::vector<CaptionPart> StreamPicture::age() const {
  if (shown_ == nullptr) return {};
  if (!session_.is_open()) return {{tr("not connected"), Token::warning}};
  const stream::StreamStatus& status = session_.status();
  if (status.dark) return {{tr("no beam"), Token::error}};
  const QString old = duration_text(status.age);
  if (session_.state() == StreamState::ended) return {{tr("last view, %1 old").arg(old), Token::text_second}};
  if (session_.state() == StreamState::silent) return {{tr("camera stopped, %1 old").arg(old), Token::error}};
  return {{tr("%1 old").arg(old), Token::good}};
}

std::vector<CaptionPart> StreamPicture::loss() const {
  const double share = session_.status().lost_share;
  if (shown_ == nullptr || share <= notable_loss) return {};
  constexpr double percent = 100;
  return {{tr("%1 % of the last frames lost").arg(percent * share, 0, 'f', 0), Token::warning}};
}

void StreamPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::instance();
  painter.fillRect(rect(), theme.picture_color(Token::background));
  if (image_.isNull()) {
    painter.setPen(theme.picture_color(Token::text_second));
    painter.drawText(rect(), Qt::AlignCenter, tr("The last view appears here"));
    return;
  }
  const QSizeF fitted = QSizeF(image_.size()).scaled(size(), Qt::KeepAspectRatio);
  const QRectF target(QPointF((width() - fitted.width()) / 2, (QWidget::height() - fitted.height()) / 2), fitted);
  paint_pixels(painter, image_, target, rect());
  const int gap = Theme::space(1);
  paint_caption(painter, {double(gap), double(gap)}, Qt::AlignLeft | Qt::AlignTop, title());
  paint_caption(painter, {double(width() - gap), double(gap)}, Qt::AlignRight | Qt::AlignTop, age());
  if (const auto lost = loss(); !lost.empty())
    paint_caption(painter, {double(gap), double(QWidget::height() - gap)}, Qt::AlignLeft | Qt::AlignBottom, lost);
}

}  // namespace tl::ui
