// Theme: applies the tokens to the application and gives colours to widgets with their own painting.
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QTemporaryDir>
#include <algorithm>

#include "core/values/enum_rows.h"
#include "core/values/palette.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_sheet.h"
#include "widgets/theme/theme_style.h"

namespace tl::ui {
namespace {

const TokenSet& tokens_of(const QString& name) {
  const auto sets = token_sets();
  const auto found =
      std::find_if(sets.begin(), sets.end(), [&](const TokenSet& s) { return name == QLatin1String(s.name.data()); });
  return found == sets.end() ? sets.front() : *found;
}

struct StateRow {
  live::State value;
  const char *glyph, *word;
  Token color;
  QLatin1StringView tone;  // tone of badges in the style sheet
};
constexpr QLatin1StringView second_tone("second"), warning_tone("warning"), busy_tone("busy");
constexpr StateRow states[] = {
    {live::State::unconfigured, "!", QT_TRANSLATE_NOOP("tl::ui::Theme", "unconfigured"), Token::warning, warning_tone},
    {live::State::waiting, "…", QT_TRANSLATE_NOOP("tl::ui::Theme", "waiting"), Token::text_second, second_tone},
    {live::State::ready, "·", QT_TRANSLATE_NOOP("tl::ui::Theme", "ready"), Token::text_second, second_tone},
    {live::State::stale, "○", QT_TRANSLATE_NOOP("tl::ui::Theme", "stale"), Token::warning, warning_tone},
    {live::State::queued, "◌", QT_TRANSLATE_NOOP("tl::ui::Theme", "queued"), Token::busy, busy_tone},
    {live::State::running, "◐", QT_TRANSLATE_NOOP("tl::ui::Theme", "running"), Token::busy, busy_tone},
    {live::State::current, "●", QT_TRANSLATE_NOOP("tl::ui::Theme", "current"), Token::good, QLatin1StringView("good")},
    // Normal while slices are shown, hence no warning colour.
    {live::State::partial, "◒", QT_TRANSLATE_NOOP("tl::ui::Theme", "preview"), Token::accent,
     QLatin1StringView("accent")},
    {live::State::failed, "✕", QT_TRANSLATE_NOOP("tl::ui::Theme", "failed"), Token::error, QLatin1StringView("error")},
    {live::State::cancelled, "■", QT_TRANSLATE_NOOP("tl::ui::Theme", "cancelled"), Token::text_second, second_tone},
    {live::State::bypassed, "⇢", QT_TRANSLATE_NOOP("tl::ui::Theme", "bypassed"), Token::text_second, second_tone},
    {live::State::muted, "⊘", QT_TRANSLATE_NOOP("tl::ui::Theme", "muted"), Token::text_second, second_tone},
};
static_assert(has_rows_up_to(states, live::State::muted));

QPalette palette_of(const Theme& theme) {
  const auto color = [&](Token token) { return theme.color(token); };
  QPalette palette;
  palette.setColor(QPalette::Window, color(Token::dock));
  palette.setColor(QPalette::WindowText, color(Token::text));
  palette.setColor(QPalette::Base, color(Token::raised));
  palette.setColor(QPalette::AlternateBase, color(Token::dock));
  palette.setColor(QPalette::Text, color(Token::text));
  palette.setColor(QPalette::PlaceholderText, color(Token::text_second));
  palette.setColor(QPalette::Button, color(Token::raised));
  palette.setColor(QPalette::ButtonText, color(Token::text));
  palette.setColor(QPalette::BrightText, color(Token::error));
  palette.setColor(QPalette::Highlight, color(Token::accent_fill));
  palette.setColor(QPalette::HighlightedText, color(Token::on_accent));
  palette.setColor(QPalette::ToolTipBase, color(Token::raised));
  palette.setColor(QPalette::ToolTipText, color(Token::text));
  palette.setColor(QPalette::Link, color(Token::accent));
  palette.setColor(QPalette::LinkVisited, color(Token::accent));
  palette.setColor(QPalette::Light, color(Token::border));
  palette.setColor(QPalette::Midlight, color(Token::border));
  palette.setColor(QPalette::Mid, color(Token::line));
  palette.setColor(QPalette::Dark, color(Token::line));
  palette.setColor(QPalette::Shadow, color(Token::background));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, color(Token::text_second));
  return palette;
}

// Style sheets load images only from files, so the few needed are painted into a temporary folder.
QString paint_pictures() {
  static const QTemporaryDir folder;
  constexpr int side = 14;  // px
  for (const int scale : {1, 2}) {
    const QString name = scale == 1 ? QStringLiteral("chevron_down.png") : QStringLiteral("chevron_down@2x.png");
    const QIcon icon = glyph_icon(Glyph::chevron_down, Token::text_second);
    icon.pixmap(QSize(side, side) * scale, 1.0).save(folder.filePath(name));
  }
  return folder.path();
}

}  // namespace

Theme::Theme() : name_(names().front()) {}
Theme& Theme::instance() {
  static Theme theme;
  return theme;
}
QStringList Theme::names() {
  QStringList all;
  for (const TokenSet& s : token_sets()) all << QString::fromLatin1(s.name.data());
  return all;
}
QString Theme::title(const QString& name) { return tr(tokens_of(name).title.data()); }

void Theme::set(const QString& name) {
  name_ = QString::fromLatin1(tokens_of(name).name.data());
  // A new style each time: the application owns and deletes the old one.
  QApplication::setStyle(new ThemeStyle);
  QApplication::setPalette(palette_of(*this));
  QApplication::setFont(text_font());
  qApp->setStyleSheet(style_sheet(*this, paint_pictures()));
  Q_EMIT changed();
}

QColor Theme::color(Token token) const {
  return QColor::fromRgb(tokens_of(name_).colors.at(static_cast<std::size_t>(token)));
}
QColor Theme::picture_color(Token token) const {
  const bool is_dark = color(Token::background).lightness() < color(Token::text).lightness();
  const TokenSet& set = is_dark ? tokens_of(name_) : token_sets().front();
  return QColor::fromRgb(set.colors.at(static_cast<std::size_t>(token)));
}
QColor Theme::port_color(PortType type) const { return data_color(row_of(type).colour); }
QColor Theme::data_color(std::string_view key) const {
  if (key == "neutral") return color(Token::text_second);
  const std::optional<uint32_t> rgb = data_rgb(key);
  TL_CHECK(rgb.has_value(), "a port type has a colour that the palette lacks");
  return QColor::fromRgb(*rgb);
}
QColor Theme::category_color(const QString& category) const {
  return QColor::fromRgb(category_rgb(category.toStdString()));
}

QColor Theme::state_color(live::State state) const { return color(enum_row(states, state).color); }
QString Theme::state_glyph(live::State state) { return QString::fromUtf8(enum_row(states, state).glyph); }
QString Theme::state_word(live::State state) { return tr(enum_row(states, state).word); }
QString Theme::state_tone(live::State state) { return enum_row(states, state).tone; }

QFont Theme::text_font() {
  // Cached, since every painted text uses it and the search takes 0.1 ms.
  static const QFont found = [] {
    const QString wanted = QStringLiteral("Inter");
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (QFontDatabase::hasFamily(wanted)) font = QFont(wanted);
    font.setPixelSize(13);
    return font;
  }();
  return found;
}
QFont Theme::heading_font() {
  QFont font = text_font();
  font.setPixelSize(11);
  font.setCapitalization(QFont::AllUppercase);
  font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
  return font;
}
QFont Theme::number_font() {
  QFont font = text_font();
  font.setKerning(false);  // so that pairs of digits keep their widths
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  font.setFeature("tnum", 1);  // all digits equally wide
#endif
  return font;
}

}  // namespace tl::ui
