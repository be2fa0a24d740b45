// Language: finds compiled translations among the resources.
#include "widgets/language/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <algorithm>
#include <cstring>

#include "widgets/language/translated.h"

// Outside of any namespace, as required by Qt.
static void add_translations() { Q_INIT_RESOURCE(translations); }

namespace tl::ui {
namespace {

// The context of all messages in tomoloom_*.ts.
constexpr const char* only_context = "tomoloom";
const QString english = QStringLiteral("en");
constexpr int max_found = 2000;  // number of texts cached with their translation

QStringList patterns_of_core() {
  QFile file(QStringLiteral(":/translations/core_patterns.txt"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(file.readAll());
  text.chop(1);
  QStringList lines = text.split('\n');
  for (QString& line : lines) line.replace(QStringLiteral("\\n"), QStringLiteral("\n"));
  return lines;
}

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
  if (!load(QStringLiteral(":/translations/tomoloom_%1.qm").arg(key))) return false;
  set_patterns(patterns_of_core());
  return true;
}

void LanguageTranslator::set_patterns(const QStringList& patterns) {
  static const QRegularExpression value(QStringLiteral("%\\d"));
  patterns_.clear();
  for (const QString& pattern : patterns) {
    const QString translation = QTranslator::translate(only_context, pattern.toUtf8().constData());
    if (translation.isEmpty()) continue;
    QStringList pieces = pattern.split(value);
    const QString start = pieces.constFirst();
    for (QString& piece : pieces) piece = QRegularExpression::escape(piece);
    patterns_.push_back({QRegularExpression(QRegularExpression::anchoredPattern(pieces.join(QStringLiteral("(.+?)"))),
                                            QRegularExpression::DotMatchesEverythingOption),
                         start, translation});
  }
  // Of two matching patterns, the one with more text is used.
  std::stable_sort(patterns_.begin(), patterns_.end(), [](const Pattern& a, const Pattern& b) {
    return a.source.pattern().size() > b.source.pattern().size();
  });
}

QString LanguageTranslator::by_pattern(const QString& text) const {
  for (const Pattern& pattern : patterns_) {
    if (!text.startsWith(pattern.start)) continue;
    const QRegularExpressionMatch match = pattern.source.match(text);
    if (!match.hasMatch()) continue;
    // All at once: a value may contain "%1" itself.
    QString translation;
    for (qsizetype i = 0; i < pattern.translation.size(); ++i) {
      const int number = pattern.translation.mid(i + 1, 1).toInt();
      const bool is_value = pattern.translation[i] == '%' && number > 0;
      translation += is_value ? match.captured(number) : QString(pattern.translation[i]);
      if (is_value) ++i;
    }
    return translation;
  }
  return {};
}

QString LanguageTranslator::translate(const char* context, const char* source, const char* /*disambiguation*/,
                                      int n) const {
  const QString exact = QTranslator::translate(only_context, source, nullptr, n);
  if (!exact.isEmpty() || context == nullptr || std::strcmp(context, core_context) != 0) return exact;
  const QString text = QString::fromUtf8(source);
  const QMutexLocker lock(&mutex_);
  if (const auto known = found_.constFind(text); known != found_.constEnd()) return *known;
  if (found_.size() >= max_found) found_.clear();
  return *found_.insert(text, by_pattern(text));
}

void use_language(const QString& key) {
  static LanguageTranslator translator;
  QCoreApplication::removeTranslator(&translator);
  if (key != english && translator.load_language(key)) QCoreApplication::installTranslator(&translator);
}

}  // namespace tl::ui
