// ThemeStyle: Fusion, with arrows, ticks and slider handles painted in colours of tokens; a style sheet could only use
// image files. The wheel over a field scrolls the area around it and never changes the field's value. A one-line text
// that does not fit ends with an ellipsis; tool tips of lists and lines contain the whole text, and an open list is as
// wide as its items.
#pragma once

#include <QProxyStyle>

namespace tl::ui {

class ThemeStyle final : public QProxyStyle {
  Q_OBJECT
 public:
  ThemeStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
  void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                    const QString& text, QPalette::ColorRole role) const override;
  [[nodiscard]] QIcon standardIcon(StandardPixmap which, const QStyleOption* option = nullptr,
                                   const QWidget* widget = nullptr) const override;
  [[nodiscard]] QPixmap standardPixmap(StandardPixmap which, const QStyleOption* option = nullptr,
                                       const QWidget* widget = nullptr) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override;
  void polish(QWidget* widget) override;
  using QProxyStyle::polish;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tl::ui
