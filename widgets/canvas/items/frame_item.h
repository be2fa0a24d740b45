// FrameItem: a frame behind a group of cards, with its comment. It is drawn in the scene's background, under the links.
#pragma once

#include <QGraphicsItem>

#include "widgets/session/layout.h"

namespace tl::ui {

class FrameItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 3 };
  FrameItem();
  ~FrameItem() override;

  void set_frame(const Layout::Frame& frame);
  [[nodiscard]] const Layout::Frame& frame() const { return frame_; }
  enum class Mark { none, selected };
  void set_mark(Mark mark);
  [[nodiscard]] QRectF title_area() const;   // scene coordinates; dragging it moves the frame and the cards inside
  [[nodiscard]] QRectF corner_area() const;  // dragging it resizes the frame

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option,
             QWidget* widget) override;  // nothing: see paint_background()
  void paint_background(QPainter* painter) const;

 private:
  void paint_comment(QPainter& painter) const;
  void update_background();
  Layout::Frame frame_;
  Mark mark_ = Mark::none;
};

}  // namespace tl::ui
