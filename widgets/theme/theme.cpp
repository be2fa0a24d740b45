// Theme: the tokens of each theme, and the style sheet made from them.
#include "widgets/theme/theme.h"

#include <QApplication>
#include <array>

namespace tl::ui {
namespace {

struct Tokens {
  const char* name;
  std::array<QRgb, 14> colors;  // in the order of Token
};
constexpr std::array<Tokens, 3> themes{{
    {"dark",
     {0x16181c, 0x1a1d21, 0x1e2126, 0x262a31, 0x2b3037, 0x333842, 0xe6e8eb, 0x9aa3ad, 0x2fb7a6, 0x57ab5a, 0x56b4e9,
      0xe0a33a, 0xe5534b, 0xcc79a7}},
    {"light",
     {0xf4f5f7, 0xeceef1, 0xe4e7eb, 0xffffff, 0xd5d9df, 0xc3c9d1, 0x1c2024, 0x515b66, 0x0b7468, 0x2c7a30, 0x0b6aa8,
      0x8a5a00, 0xb3261e, 0x9c3f75}},
    {"high_contrast",
     {0x000000, 0x000000, 0x000000, 0x101010, 0xffffff, 0xffffff, 0xffffff, 0xf0f0f0, 0x00ffe0, 0x6dff70, 0x7fd0ff,
      0xffd23f, 0xff8078, 0xff9ad5}},
}};

}  // namespace

Theme::Theme() : name_(QStringLiteral("dark")) {}
Theme& Theme::instance() {
  static Theme theme;
  return theme;
}
QStringList Theme::names() {
  QStringList all;
  for (const Tokens& t : themes) all << QString::fromLatin1(t.name);
  return all;
}
void Theme::set(const QString& name) {
  name_ = name;
  Q_EMIT changed();
}
QColor Theme::color(Token token) const {
  for (const Tokens& t : themes)
    if (name_ == QLatin1String(t.name)) return QColor::fromRgb(t.colors.at(static_cast<std::size_t>(token)));
  return {};
}
QColor Theme::port_color(PortType type) const {
  switch (type) {
    case PortType::projections:
      return QColor::fromRgb(0x56b4e9);
    case PortType::volume:
      return QColor::fromRgb(0xe69f00);
    case PortType::labels:
      return QColor::fromRgb(0x009e73);
    case PortType::spectrum:
      return QColor::fromRgb(0xf0e442);
    case PortType::scalar:
    case PortType::table:
      return color(Token::text_second);
  }
  return {};
}
PortShape Theme::port_shape(PortType type) {
  switch (type) {
    case PortType::projections:
      return PortShape::circle;
    case PortType::volume:
      return PortShape::square;
    case PortType::labels:
      return PortShape::diamond;
    case PortType::spectrum:
      return PortShape::pentagon;
    case PortType::scalar:
      return PortShape::ring;
    case PortType::table:
      return PortShape::bars;
  }
  return PortShape::circle;
}
QColor Theme::category_color(const QString& category) const {
  const auto hue = static_cast<int>(qHash(category, 0) % 360);
  return QColor::fromHsl(hue, 90, 140);
}
QColor Theme::state_color(live::State state) const {
  switch (state) {
    case live::State::running:
    case live::State::queued:
      return color(Token::busy);
    case live::State::current:
      return color(Token::good);
    case live::State::partial:
    case live::State::stale:
    case live::State::unconfigured:
      return color(Token::warning);
    case live::State::failed:
      return color(Token::error);
    default:
      return color(Token::text_second);
  }
}
QString Theme::state_glyph(live::State state) {
  switch (state) {
    case live::State::current:
      return QStringLiteral("●");
    case live::State::running:
      return QStringLiteral("◐");
    case live::State::failed:
      return QStringLiteral("✕");
    case live::State::unconfigured:
      return QStringLiteral("!");
    default:
      return QStringLiteral("·");
  }
}
QString Theme::state_word(live::State state) { return QString::fromUtf8(live::to_string(state).data()); }
QFont Theme::text_font() {
  QFont font(QStringLiteral("Inter"));
  font.setPixelSize(13);
  return font;
}
QFont Theme::heading_font() {
  QFont font = text_font();
  font.setPixelSize(11);
  font.setCapitalization(QFont::AllUppercase);
  return font;
}
QFont Theme::number_font() { return text_font(); }

}  // namespace tl::ui
