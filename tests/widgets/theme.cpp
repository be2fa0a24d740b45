// Theme: contrast of every text on every background in every theme; colours appear only in the table of tokens.
#include "widgets/theme/theme.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QToolButton>
#include <cmath>

#include "core/history/report/paper.h"
#include "core/node/registry.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/items/port_shape.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_sheet.h"

namespace tl::ui::theme_test {

class ThemeTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void text_has_contrast_data();
  void text_has_contrast();
  void reports_have_light_colours();
  void the_style_sheet_has_no_open_names();
  void categories_have_their_own_colors();
  void an_unknown_theme_is_the_first();
  void port_types_have_colours_and_shapes_data() { text_has_contrast_data(); }
  void port_types_have_colours_and_shapes();
  void states_differ_in_glyph_and_word();
  void no_other_file_names_a_color();
  void a_tab_under_the_mouse_does_not_look_pressed();
  void tools_over_images_can_be_read_data() { text_has_contrast_data(); }
  void tools_over_images_can_be_read();
};

namespace {

// Relative luminance and contrast as in the Web Content Accessibility Guidelines 2.1.
double luminance(const QColor& color) {
  const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

void ThemeTest::text_has_contrast_data() {
  QTest::addColumn<QString>("theme");
  for (const QString& name : Theme::names()) QTest::newRow(qPrintable(name)) << name;
}

void ThemeTest::port_types_have_colours_and_shapes() {
  QFETCH(QString, theme);
  Theme::instance().set(theme);
  for (const PortTypeRow& row : port_types()) {  // unknown keys of colours and shapes throw
    QVERIFY2(Theme::instance().port_color(row.type).isValid(), row.name.data());
    QVERIFY2(!port_path(row.type, {}, 5).isEmpty(), row.name.data());
  }
}

// What is printed on white has the colours of the light theme.
void ThemeTest::reports_have_light_colours() {
  Theme::instance().set(QStringLiteral("light"));
  namespace paper = history::paper;
  for (const auto& [colour, token] : std::vector<std::pair<const char*, Token>>{{paper::ink, Token::text},
                                                                                {paper::second, Token::text_second},
                                                                                {paper::line, Token::line},
                                                                                {paper::border, Token::border},
                                                                                {paper::ground, Token::background},
                                                                                {paper::card, Token::raised},
                                                                                {paper::accent, Token::accent},
                                                                                {paper::good, Token::good},
                                                                                {paper::warning, Token::warning},
                                                                                {paper::error, Token::error},
                                                                                {paper::busy, Token::busy}})
    QCOMPARE(QString::fromLatin1(colour), Theme::instance().color(token).name());
}

void ThemeTest::text_has_contrast() {
  QFETCH(QString, theme);
  Theme::instance().set(theme);
  const Theme& t = Theme::instance();
  const double least = theme == "high_contrast" ? 7 : 4.5;  // level AAA, level AA
  for (const Token ground : {Token::background, Token::dock, Token::bar, Token::raised, Token::selection, Token::hover})
    for (const Token text : {Token::text, Token::text_second, Token::accent, Token::good, Token::busy, Token::warning,
                             Token::error, Token::learnable})
      QVERIFY2(contrast(t.color(text), t.color(ground)) >= least,
               qPrintable(QStringLiteral("%1 on %2: %3")
                              .arg(static_cast<int>(text))
                              .arg(static_cast<int>(ground))
                              .arg(contrast(t.color(text), t.color(ground)))));
  QVERIFY(contrast(t.color(Token::on_accent), t.color(Token::accent_fill)) >= least);
}

void ThemeTest::the_style_sheet_has_no_open_names() {
  for (const QString& name : Theme::names()) {
    Theme::instance().set(name);
    const QString sheet = style_sheet(Theme::instance(), QStringLiteral("folder"));
    QVERIFY(!sheet.contains(QChar('@')));
    QVERIFY(sheet.contains(Theme::instance().color(Token::accent).name()));
  }
}

void ThemeTest::categories_have_their_own_colors() {
  QSet<QRgb> used_colors;
  for (const std::string& category : node_categories()) {
    const QRgb color = Theme::instance().category_color(QString::fromStdString(category)).rgb();
    QVERIFY2(!used_colors.contains(color), category.c_str());
    used_colors.insert(color);
  }
  const QColor unknown = Theme::instance().category_color(QStringLiteral("Something new"));
  QVERIFY(unknown.isValid());
  QCOMPARE(Theme::instance().category_color(QStringLiteral("Something new")), unknown);
}

void ThemeTest::an_unknown_theme_is_the_first() {
  Theme::instance().set(QStringLiteral("no such theme"));
  QCOMPARE(Theme::instance().name(), Theme::names().constFirst());
}

void ThemeTest::states_differ_in_glyph_and_word() {
  QSet<QString> glyphs, words;
  for (int s = 0; s <= static_cast<int>(live::State::muted); ++s) {
    glyphs.insert(Theme::state_glyph(static_cast<live::State>(s)));
    words.insert(Theme::state_word(static_cast<live::State>(s)));
  }
  QCOMPARE(glyphs.size(), static_cast<int>(live::State::muted) + 1);
  QCOMPARE(words.size(), static_cast<int>(live::State::muted) + 1);
}

void ThemeTest::no_other_file_names_a_color() {
  // Port colours are drawn in the design and stand in theme.cpp; colour maps of images are data, not looks.
  static const QRegularExpression named(QStringLiteral("#[0-9a-fA-F]{6}\\b|Qt::(red|green|blue|yellow|cyan|gray)\\b"));
  QDirIterator files(QStringLiteral(TL_SOURCE_DIR "/widgets"), {"*.cpp", "*.h"}, QDir::Files,
                     QDirIterator::Subdirectories);
  int looked = 0;
  while (files.hasNext()) {
    const QString path = files.next();
    if (path.contains(QStringLiteral("/theme/")) || path.contains(QStringLiteral("color_map"))) continue;
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto match = named.match(QString::fromUtf8(file.readAll()));
    QVERIFY2(!match.hasMatch(), qPrintable(path + QStringLiteral(": ") + match.captured()));
    ++looked;
  }
  QVERIFY(looked > 20);
}

// Only one that is on has a line below it, and none has a ground of its own.
void ThemeTest::a_tab_under_the_mouse_does_not_look_pressed() {
  for (const QString& name : Theme::names()) {
    Theme::instance().set(name);
    QWidget window;
    QToolButton tab(&window);
    tab.setText("Clip");
    tab.setCheckable(true);
    tab.setProperty("role", "tab");
    tab.ensurePolished();
    tab.resize(tab.sizeHint());
    const auto picture = [&tab] { return tab.grab().toImage(); };
    const auto has_line = [](const QImage& image) {
      return image.pixelColor(image.width() / 2, image.height() - 1) == Theme::instance().color(Token::accent);
    };
    const QImage off = picture();
    tab.setAttribute(Qt::WA_UnderMouse);
    const QImage hovered = picture();
    tab.setAttribute(Qt::WA_UnderMouse, false);
    tab.setChecked(true);
    QVERIFY(has_line(picture()) && !has_line(off) && !has_line(hovered));
    QCOMPARE(hovered.pixelColor(4, 4), off.pixelColor(4, 4));
    QCOMPARE(hovered.pixelColor(4, hovered.height() - 1), off.pixelColor(4, off.height() - 1));
  }
}

// Images have a dark surround in the light theme, too: what lies on them is light.
void ThemeTest::tools_over_images_can_be_read() {
  QFETCH(QString, theme);
  Theme::instance().set(theme);
  const QImage icon = glyph_icon(Glyph::fit, Token::text, GlyphGround::picture).pixmap(64, 64).toImage();
  const QColor ground = Theme::instance().picture_color(Token::background);
  double most = 0;
  for (int y = 0; y < icon.height(); ++y)
    for (int x = 0; x < icon.width(); ++x)
      if (icon.pixelColor(x, y).alpha() == 255) most = std::max(most, contrast(icon.pixelColor(x, y), ground));
  QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
}

TL_TEST_CASE(ThemeTest)

}  // namespace tl::ui::theme_test

#include "theme.moc"
