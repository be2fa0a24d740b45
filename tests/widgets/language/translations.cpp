// Language: which one is used, texts of core by their patterns, and whether the translations keep what is filled in.
#include "widgets/language/language.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/language/translated.h"
#include "widgets/text/error_text.h"
#include "widgets/window/preferences.h"

namespace tl::ui::translations_test {

using test::Studio;

class TranslationsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void english_is_the_default();
  void translations_keep_values_data();
  void translations_keep_values();
  void german_is_spoken();
  void values_are_filled_into_patterns();
  void numbers_stay_in_c();
  void it_is_chosen_in_the_preferences();
  void cleanup() { use_language(QStringLiteral("en")); }
};

namespace {

struct Translated {
  QString source;
  QStringList forms;
};

// The finished ones of a file of Qt Linguist.
std::vector<Translated> finished(const QString& path, int* all) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QXmlStreamReader xml(&file);
  std::vector<Translated> found;
  QString source;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("source")) {
      source = xml.readElementText();
      ++*all;
    }
    if (xml.name() != QLatin1String("translation")) continue;
    const bool is_unfinished = xml.attributes().hasAttribute(QLatin1String("type"));
    Translated one{source, {}};
    QString text;
    while (!(xml.readNext() == QXmlStreamReader::EndElement && xml.name() == QLatin1String("translation"))) {
      if (xml.isStartElement()) one.forms << xml.readElementText();
      if (xml.isCharacters()) text += xml.text();
    }
    if (one.forms.isEmpty()) one.forms << text;
    if (!is_unfinished) found.push_back(one);
  }
  return found;
}

bool has_german() {
  const auto all = languages();
  return std::any_of(all.begin(), all.end(), [](const Language& l) { return l.key == "de"; });
}

}  // namespace

void TranslationsTest::english_is_the_default() {
  QCOMPARE(languages().front().key, QString("en"));
  QCOMPARE(language_for({}, {"C"}), QString("en"));
  QCOMPARE(language_for({}, {"xx-YY", "en-GB", "de"}), QString("en"));
  QCOMPARE(language_for("klingon", {}), QString("en"));
  if (!has_german()) QSKIP("lrelease (qt6-l10n-tools) is not installed here");
  QCOMPARE(language_for({}, {"de-AT", "en"}), QString("de"));
  QCOMPARE(language_for("en", {"de-AT"}), QString("en"));
  QCOMPARE(language_for("de", {"C"}), QString("de"));
}

void TranslationsTest::translations_keep_values_data() {
  QTest::addColumn<QString>("file");
  const QDir folder(QStringLiteral(TL_SOURCE_DIR "/resources/translations"));
  for (const QString& name : folder.entryList({"tomoloom_*.ts"}))
    QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

// Values, line breaks, and spaces at the ends, where texts are joined to others.
void TranslationsTest::translations_keep_values() {
  QFETCH(QString, file);
  static const QRegularExpression value(QStringLiteral("%L?(?:\\d|n)"));
  const auto values_of = [](const QString& text) {
    QStringList all;
    for (auto i = value.globalMatch(text); i.hasNext();) all << i.next().captured();
    all.sort();
    return all;
  };
  const auto edges_of = [](const QString& text) {
    return QPair(text.size() - text.trimmed().size() > 0 && text.front().isSpace(), text.back().isSpace());
  };
  int all = 0;
  const std::vector<Translated> found = finished(file, &all);
  QVERIFY(found.size() > 1000 && all > static_cast<int>(found.size()) / 2);
  for (const Translated& one : found)
    for (const QString& form : one.forms) {
      QVERIFY2(!form.isEmpty(), qPrintable(one.source));
      QVERIFY2(values_of(form) == values_of(one.source), qPrintable(one.source + " = " + form));
      QVERIFY2(form.count('\n') == one.source.count('\n'), qPrintable(one.source));
      QVERIFY2(edges_of(form) == edges_of(one.source), qPrintable(one.source + " = " + form));
    }
}

void TranslationsTest::german_is_spoken() {
  if (!has_german()) QSKIP("lrelease (qt6-l10n-tools) is not installed here");
  use_language("de");
  Studio studio;
  QVERIFY(studio.open());
  QStringList actions;
  for (const QAction* action : studio.window.actions()) actions << action->text().remove('&');
  for (const char* german : {"Öffnen…", "Speichern", "Weben", "Alles rechnen", "Einstellungen…"})
    QVERIFY2(actions.contains(QString::fromUtf8(german)), german);
  QVERIFY(studio.press(QStringLiteral("Beispiel ausprobieren")));
  QTRY_VERIFY(!studio.document.graph().nodes.empty());
  for (const auto& [id, node] : studio.document.graph().nodes)
    if (node.type == "recon.fbp" || node.type == "correct.flat_field")
      QVERIFY(QString("FBP Hellbildkorrektur").contains(studio.document.card_title(QString::fromStdString(id))));
  test::keep_picture(studio.window, "german", 2000);
}

void TranslationsTest::values_are_filled_into_patterns() {
  if (!has_german()) QSKIP("lrelease (qt6-l10n-tools) is not installed here");
  LanguageTranslator german;
  QVERIFY(german.load_language("de"));
  // Of the window's own texts, which have German ones.
  german.set_patterns({"%1 of %2 rows", "%1 of %2", "Removes the unsaved changes of %1"});
  const auto said = [&](const char* text, const char* context) { return german.translate(context, text, nullptr, -1); };
  QCOMPARE(said("3 of 90 rows", core_context), QString("3 von 90 Zeilen"));
  QCOMPARE(said("3 of 90 rows", core_context), QString("3 von 90 Zeilen"));  // kept
  QCOMPARE(said("a %2 of 9", core_context), QString("a %2 von 9"));
  QCOMPARE(said("Removes the unsaved changes of a.json", core_context),
           QString("Entfernt die ungespeicherten Änderungen von a.json"));
  QCOMPARE(said("nothing like this", core_context), QString());
  QCOMPARE(said("3 of 90 rows", "elsewhere"), QString());
}

void TranslationsTest::numbers_stay_in_c() {
  if (has_german()) use_language("de");
  QCOMPARE(QLocale().decimalPoint(), QString("."));
  QCOMPARE(error_text(invalid("a", "b", "c")), QString("a (b). c"));
  QCOMPARE(translated(""), QString());
}

void TranslationsTest::it_is_chosen_in_the_preferences() {
  Studio studio;
  QVERIFY(studio.open());
  Preferences preferences(studio.settings, &studio.window);
  QComboBox* box = nullptr;
  for (QComboBox* b : preferences.findChildren<QComboBox*>())
    if (b->accessibleName() == "Language") box = b;
  QVERIFY(box != nullptr);
  QCOMPARE(box->currentIndex(), 0);  // of the system
  QVERIFY(test::open_window(preferences));
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Down);
  QCOMPARE(studio.settings.language(), QString("en"));
  const Settings next(studio.folder.filePath("studio.ini"));
  QCOMPARE(next.language_at_start(), QString("en"));
}

TL_TEST_CASE(TranslationsTest)

}  // namespace tl::ui::translations_test

#include "translations.moc"
