// Language: the languages of the window, and which of them is used.
#pragma once

#include <QString>
#include <QTranslator>
#include <vector>

namespace tl::ui {

struct Language {
  QString key;    // "en", "de"
  QString title;  // in itself: "Deutsch"
};
// English, and those whose translations this build has.
std::vector<Language> languages();
// The one to use: the user's if it is listed, else the first listed one of the system (LANG, LANGUAGE), else English.
QString language_for(const QString& chosen, const QStringList& of_system);

// Translates into one language. A text has one translation wherever it stands, so that contexts do not matter; texts
// of core with values in them are found by their pattern.
class LanguageTranslator final : public QTranslator {
 public:
  // False if there is no such language. English needs no translator.
  [[nodiscard]] bool load_language(const QString& key);
  [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                  int n) const override;
};

// Has the application use the language from now on, which is before the first window is made: windows do not change
// their texts later. Numbers stay those of the C locale.
void use_language(const QString& key);

}  // namespace tl::ui
