// ThemeStyle: Fusion, with arrows, ticks and slider handles painted in colours of tokens; a style sheet could only take
// them from image files.
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
  [[nodiscard]] QIcon standardIcon(StandardPixmap which, const QStyleOption* option = nullptr,
                                   const QWidget* widget = nullptr) const override;
  [[nodiscard]] QPixmap standardPixmap(StandardPixmap which, const QStyleOption* option = nullptr,
                                       const QWidget* widget = nullptr) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

}  // namespace tl::ui
