// PseudoLanguage: a language 40 % longer than English, with accents on all vowels: texts without accents were not
// translated, and texts that do not fit would not fit in German either.
#pragma once

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTranslator>
#include <cmath>

namespace tl::test {

// Every word becomes 40 % longer. Placeholders (%1, %n), shortcut marks (&), HTML and literal input (fbp.cutoff=0.2)
// are kept.
inline QString in_pseudo_language(const QString& text) {
  static const QRegularExpression kept(QStringLiteral("<[^<>]*>|&\\w+;|%L?(?:\\d|n)|\\w+(?:[.=:/]+\\w+)+"));
  static const QString plain = QStringLiteral("aeiouyAEIOUY"), accented = QStringLiteral("áéíóúýÁÉÍÓÚÝ");
  constexpr double longer = 0.4;
  QString out;
  double owed = 0;  // characters
  qsizetype at = 0, last_letter = 0;
  while (at < text.size()) {
    const QRegularExpressionMatch match =
        kept.match(text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
    if (match.hasMatch()) {
      out += match.captured();
      at += match.capturedLength();
      continue;
    }
    const QChar c = text[at++];
    const bool ends_word = last_letter == out.size() && !c.isLetter() && c != '&';
    for (; ends_word && owed >= 1; owed -= 1) out += QChar(0x00F6);
    const auto vowel = plain.indexOf(c);
    out += vowel < 0 ? c : accented[vowel];
    if (c != '&' && c != '\n') owed += longer;
    if (vowel >= 0)
      for (; owed >= 1; owed -= 1) out += accented[vowel % 6];
    if (c.isLetter()) last_letter = out.size();
  }
  if (last_letter > 0) out.insert(last_letter, QString(static_cast<qsizetype>(std::lround(owed)), QChar(0x00F6)));
  return out;
}

// Installed while the object exists.
class PseudoLanguage final : public QTranslator {
 public:
  PseudoLanguage() { QCoreApplication::installTranslator(this); }
  ~PseudoLanguage() override { QCoreApplication::removeTranslator(this); }
  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char* context, const char* source, const char* /*disambiguation*/,
                                  int /*n*/) const override {
    // Qt requests the writing direction of a language by translating this text.
    if (qstrcmp(context, "QGuiApplication") == 0) return {};
    return in_pseudo_language(QString::fromUtf8(source));
  }
};

}  // namespace tl::test
