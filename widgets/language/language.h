// Language: the languages of the window, and which of them is used.
#pragma once

#include <QHash>
#include <QMutex>
#include <QRegularExpression>
#include <QString>
#include <QTranslator>
#include <vector>

namespace tl::ui {

struct Language {
  QString key;    // "en", "de"
  QString title;  // in itself: "Deutsch"
};
// English, and the languages whose translations are in this build.
std::vector<Language> languages();
// The language to use: the user's choice if it is listed, else the first listed one of the system (LANG, LANGUAGE),
// else English.
QString language_for(const QString& chosen, const QStringList& of_system);

// Translates into one language. A text has the same translation everywhere, so that contexts do not matter. Texts of
// core that contain values ("no view is left of 90") are found by their pattern ("no view is left of %1").
class LanguageTranslator final : public QTranslator {
 public:
  // False if there is no such language. English needs no translator.
  [[nodiscard]] bool load_language(const QString& key);
  // Sets patterns of translated texts; call before the first text is translated. load_language() sets those of this
  // build.
  void set_patterns(const QStringList& patterns);
  // From any thread.
  [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                  int n) const override;

 private:
  struct Pattern {
    QRegularExpression source;
    QString start;        // the text before the first value, compared first
    QString translation;  // with %1
  };
  [[nodiscard]] QString by_pattern(const QString& text) const;
  std::vector<Pattern> patterns_;  // the longest first
  mutable QMutex mutex_;           // of what follows
  mutable QHash<QString, QString> found_;
};

// Makes the application use the language; call before the first window is made: windows do not change their texts
// later. Numbers keep the C locale.
void use_language(const QString& key);

}  // namespace tl::ui
