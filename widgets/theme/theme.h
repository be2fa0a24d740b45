// Theme: colours, spacing and fonts of the application. The style sheet is generated from it.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QString>
#include <QStringList>

#include "core/live/state.h"
#include "core/values/port_types.h"
#include "widgets/theme/tokens.h"

namespace tl::ui {

// GUI thread only. Widgets with their own painting query it in paintEvent() and repaint on changed().
class Theme final : public QObject {
  Q_OBJECT
 public:
  static Theme& instance();

  [[nodiscard]] static QStringList names();  // "dark", "light", "high_contrast"
  [[nodiscard]] static QString title(const QString& name);
  [[nodiscard]] const QString& name() const { return name_; }
  // Applies palette, font, style and style sheet to the application. An unknown name selects the first theme.
  void set(const QString& name);

  [[nodiscard]] QColor color(Token token) const;
  // For images, their background and marks over them: dark in every theme, because grey values are judged against a
  // dark background.
  [[nodiscard]] QColor picture_color(Token token) const;
  [[nodiscard]] QColor port_color(PortType type) const;
  [[nodiscard]] QColor data_color(std::string_view key) const;  // `key`: "sky_blue", as in the table of port types
  [[nodiscard]] QColor category_color(const QString& category) const;
  // A state's colour, glyph and word; shown together, so that colour is never the only sign.
  [[nodiscard]] QColor state_color(live::State state) const;
  [[nodiscard]] static QString state_glyph(live::State state);
  [[nodiscard]] static QString state_word(live::State state);
  [[nodiscard]] static QString state_tone(live::State state);  // of a badge: "busy", "good", ...

  [[nodiscard]] static int space(int steps) { return 4 * steps; }  // px
  static constexpr int card_radius = 8;                            // px
  static constexpr int button_radius = 6;                          // px
  [[nodiscard]] static QFont text_font();                          // Inter 13 px
  [[nodiscard]] static QFont heading_font();                       // 11 px capitals for headings of sections
  [[nodiscard]] static QFont number_font();                        // font for numbers that change in place

 Q_SIGNALS:
  void changed();

 private:
  Theme();
  QString name_;
};

}  // namespace tl::ui
