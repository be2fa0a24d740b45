// Theme: applies the tokens to the application and gives colours to widgets with their own painting.
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QTemporaryDir>
#include <algorithm>

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

// By the keys of core/values/port_types; the key "neutral" is the colour of texts.
constexpr std::pair<std::string_view, QRgb> port_colors[] = {{"sky_blue", 0x56b4e9},  {"orange", 0xe69f00},
                                                             {"green", 0x009e73},     {"yellow", 0xf0e442},
                                                             {"vermilion", 0xd55e00}, {"purple", 0xcc79a7}};

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
  const auto* found = std::find_if(std::begin(port_colors), std::end(port_colors),
                                   [key](const auto& known) { return known.first == key; });
  TL_CHECK(found != std::end(port_colors), "a port type has a colour that the theme lacks");
  return QColor::fromRgb(found->second);
}
QColor Theme::category_color(const QString& category) const {
  return QColor::fromRgb(category_rgb(category.toStdString()));
}

QColor Theme::state_color(live::State state) const {
  switch (state) {
    case live::State::running:
    case live::State::queued:
      return color(Token::busy);
    case live::State::current:
      return color(Token::good);
    case live::State::partial:  // normal while slices are shown, hence no warning colour
      return color(Token::accent);
    case live::State::stale:
    case live::State::unconfigured:
      return color(Token::warning);
    case live::State::failed:
      return color(Token::error);
    case live::State::waiting:
    case live::State::ready:
    case live::State::cancelled:
    case live::State::bypassed:
    case live::State::muted:
      break;
  }
  return color(Token::text_second);
}
QString Theme::state_glyph(live::State state) {
  switch (state) {
    case live::State::unconfigured:
      return QStringLiteral("!");
    case live::State::waiting:
      return QStringLiteral("…");
    case live::State::ready:
      return QStringLiteral("·");
    case live::State::stale:
      return QStringLiteral("○");
    case live::State::queued:
      return QStringLiteral("◌");
    case live::State::running:
      return QStringLiteral("◐");
    case live::State::current:
      return QStringLiteral("●");
    case live::State::partial:
      return QStringLiteral("◒");
    case live::State::failed:
      return QStringLiteral("✕");
    case live::State::cancelled:
      return QStringLiteral("■");
    case live::State::bypassed:
      return QStringLiteral("⇢");
    case live::State::muted:
      return QStringLiteral("⊘");
  }
  return {};
}
QString Theme::state_word(live::State state) {
  switch (state) {
    case live::State::unconfigured:
      return tr("unconfigured");
    case live::State::waiting:
      return tr("waiting");
    case live::State::ready:
      return tr("ready");
    case live::State::stale:
      return tr("stale");
    case live::State::queued:
      return tr("queued");
    case live::State::running:
      return tr("running");
    case live::State::current:
      return tr("current");
    case live::State::partial:
      return tr("preview");
    case live::State::failed:
      return tr("failed");
    case live::State::cancelled:
      return tr("cancelled");
    case live::State::bypassed:
      return tr("bypassed");
    case live::State::muted:
      return tr("muted");
  }
  return {};
}

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
