// Language: finds compiled translations among the resources.
#include "widgets/language/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>

// Outside of any namespace, as Qt asks.
static void add_translations() { Q_INIT_RESOURCE(translations); }

namespace tl::ui {
namespace {

// The context of all messages in tomoloom_*.ts.
constexpr const char* only_context = "tomoloom";
const QString english = QStringLiteral("en");

}  // namespace

std::vector<Language> languages() {
  add_translations();
  std::vector<Language> all{{english, QStringLiteral("English")}};
  const QStringList files = QDir(QStringLiteral(":/translations")).entryList({QStringLiteral("tomoloom_*.qm")});
  for (const QString& file : files) {
    const QString key = file.section('_', 1).section('.', 0, 0);
    all.push_back({key, QLocale(key).nativeLanguageName()});
  }
  return all;
}

QString language_for(const QString& chosen, const QStringList& of_system) {
  QStringList wanted = of_system;
  wanted.prepend(chosen);
  for (const QString& one : wanted)
    for (const Language& language : languages())
      if (one.section('-', 0, 0).section('_', 0, 0) == language.key) return language.key;
  return english;
}

bool LanguageTranslator::load_language(const QString& key) {
  add_translations();
  return load(QStringLiteral(":/translations/tomoloom_%1.qm").arg(key));
}

QString LanguageTranslator::translate(const char* /*context*/, const char* source, const char* /*disambiguation*/,
                                      int n) const {
  return QTranslator::translate(only_context, source, nullptr, n);
}

void use_language(const QString& key) {
  static LanguageTranslator translator;
  QCoreApplication::removeTranslator(&translator);
  if (key != english && translator.load_language(key)) QCoreApplication::installTranslator(&translator);
}

}  // namespace tl::ui
