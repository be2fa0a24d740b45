// StreamPicture: the last received view of a stream, with its age and the problems of the stream.
#pragma once

#include <QImage>
#include <QWidget>
#include <vector>

#include "core/stream/frames/frame.h"
#include "widgets/views/panes/image_pane.h"

namespace tl::ui {

class StreamSession;

class StreamPicture final : public QWidget {
  Q_OBJECT
 public:
  explicit StreamPicture(StreamSession& session, QWidget* parent = nullptr);
  [[nodiscard]] std::vector<CaptionPart> title() const;  // "view 1204 · 30.1°"
  [[nodiscard]] std::vector<CaptionPart> age() const;    // age of the view, and the reason for it
  [[nodiscard]] std::vector<CaptionPart> loss() const;   // empty: nothing worth saying
  [[nodiscard]] const QImage& image() const { return image_; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void take();
  StreamSession& session_;
  stream::FramePtr shown_;
  QImage image_;
};

}  // namespace tl::ui
