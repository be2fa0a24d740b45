// The page of the history, by mouse and keyboard: cards, search, filters, open, compare two, repeat, locate, delete;
// what the window enters; and a history that cannot be read.
#include "widgets/history/history_page.h"

#include <ATen/core/Tensor.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "core/graph/graph_json.h"
#include "core/history/recorder.h"
#include "core/run/automatic/batch.h"
#include "tests/support/gui/window.h"
#include "tests/support/test_case.h"
#include "widgets/history/compare_dialog.h"
#include "widgets/history/history_filters.h"
#include "widgets/theme/theme.h"

namespace tl::ui::history_page_test {

namespace {

history::Entry named(const char* scan, double begun, const char* value, double sigma, const char* verdict) {
  history::Entry e;
  e.state = history::State::done;
  e.begun = begun;
  e.seconds = 164;
  e.title = "Foam, phase, axis";
  e.digest = "d";
  e.inputs = {{std::string("/data/") + scan, "", 1}};
  e.values = {{"axis", "axis", value, "px", sigma, verdict}};
  return e;
}

// A history of real small results and of rows that stand for others.
struct Folder {
  QTemporaryDir folder;
  history::Store store{std::filesystem::path(folder.filePath("history.sqlite").toStdString())};

  [[nodiscard]] std::filesystem::path path(const char* name) const {
    return folder.filePath(QLatin1String(name)).toStdString();
  }

  // A phantom of so many columns is computed, and its run entered.
  history::Entry run(const std::string& name, int cols, double cutoff) {
    const Registry& registry = Registry::all();
    const std::string text =
        "{\"format\": \"tomoloom-pipeline\", \"schema_version\": 1, \"title\": \"Disc, FBP\", \"nodes\": { "
        "\"simulate\": {\"type\": \"input.simulate_scan\", \"version\": 1, \"parameters\": {\"views\": 60, \"rows\": "
        "4, \"cols\": " +
        std::to_string(cols) +
        "}}, \"fbp\": {\"type\": \"recon.fbp\", \"version\": 1, \"parameters\": {\"cutoff\": \"" +
        std::to_string(cutoff) +
        " Nyquist\"}}, \"flat_field\": {\"type\": \"correct.flat_field\", \"version\": 1, \"parameters\": {}}, "
        "\"save\": "
        "{\"type\": \"output.save_volume\", \"version\": 1, \"parameters\": {\"file\": \"" +
        name +
        "\"}}}, \"links\": [{\"from\": \"simulate.projections\", \"to\": \"flat_field.projections\"}, {\"from\": "
        "\"flat_field.projections\", \"to\": \"fbp.projections\"}, {\"from\": \"fbp.volume\", \"to\": "
        "\"save.volume\"}]}";
    const auto graph = graph_from_json(text, registry);
    if (!graph.ok()) qWarning("%s", graph.error().message().c_str());
    const history::Recorder recorder(store, "test", registry,
                                     [](const Error& e) { qWarning("%s", e.message().c_str()); });
    history::Entry entry = history::entry_of(history::Kind::run, graph.value(), registry);
    recorder.begin(entry);
    RunOptions options;
    options.output_dir = folder.path().toStdString();
    Executor executor(registry, options);
    const auto report = run_batch(executor, graph.value(), registry);
    if (!report.ok()) qWarning("%s", report.error().message().c_str());
    recorder.end(entry, {report.value().files, 1.5, {}});
    return entry;
  }

  void fill() {
    const double now = static_cast<double>(QDateTime::currentSecsSinceEpoch());
    Q_UNUSED(store.add(named("foam_014.nx", now - 3600, "6.31", 0.02, "resolved")).ok());
    Q_UNUSED(store.add(named("foam_015.nx", now - 7200, "5.9", 1.4, "flat")).ok());
    history::Entry failed = named("foam_016.nx", now - 9000, "0", 0, "");
    failed.state = history::State::failed;
    failed.error = "No flat frames in the scan (foam_016.nx). Choose flats";
    failed.values.clear();
    Q_UNUSED(store.add(failed).ok());
    history::Entry learned = named("foam_014.nx", now - 86400, "6.31", 0.02, "resolved");
    learned.kind = history::Kind::learning;
    Q_UNUSED(store.add(learned).ok());
    history::Entry old = named("tooth_01.h5", now - 40 * 86400.0, "0.97", 0, "");
    old.kind = history::Kind::exported;
    old.outputs = {{"/nowhere/tooth_01.tif", "xxh128:0", 10'000'000'000}};
    Q_UNUSED(store.add(old).ok());
    run("first.tif", 64, 1);
    run("second.tif", 64, 0.4);
  }
};

struct Page {
  HistoryPage page;
  explicit Page(const history::Store& store) : page(store) { page.resize(1100, 620); }
  [[nodiscard]] bool open() { return test::open_window(page) && settle(); }
  [[nodiscard]] bool settle() const {
    return QTest::qWaitFor([this] { return !page.is_busy(); }, test::patience_ms);
  }
  [[nodiscard]] int count() const { return page.model().rowCount(); }
  [[nodiscard]] int row(const char* name) const {
    for (int i = 0; i < count(); ++i)
      if (HistoryModel::name(page.model().at(i).entry) == QLatin1String(name)) return i;
    return -1;
  }
  void click(int row, Qt::KeyboardModifiers keys = {}) {
    QListView& cards = page.cards();
    cards.scrollTo(cards.model()->index(row, 0));
    QTest::mouseClick(cards.viewport(), Qt::LeftButton, keys, cards.visualRect(cards.model()->index(row, 0)).center());
  }
  [[nodiscard]] QPushButton* button(const QString& beginning) {
    for (QPushButton* b : page.findChildren<QPushButton*>())
      if (b->text().startsWith(beginning)) return b;
    return nullptr;
  }
  void press(const QString& beginning) {
    QPushButton* b = button(beginning);
    QVERIFY2(b != nullptr && b->isEnabled() && b->isVisible(), qPrintable(beginning));
    QTest::mouseClick(b, Qt::LeftButton);
  }
  [[nodiscard]] bool says(const QString& words) {
    for (const QLabel* label : page.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(words)) return true;
    return false;
  }
  void type(QLineEdit& line, const QString& text) {
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, text);
  }
  // Presses the button of the message box that comes.
  static void answer(const QString& beginning) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, beginning] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      for (QAbstractButton* b : box->buttons())
        if (b->text().startsWith(beginning)) {
          test::keep_picture(*box, QStringLiteral("history_delete"), 100);
          timer->deleteLater();
          QTest::mouseClick(b, Qt::LeftButton);
          return;
        }
    });
    timer->start(30);
  }
};

}  // namespace

class HistoryPageTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    folder_ = std::make_unique<Folder>();
    folder_->fill();
  }
  void cleanupTestCase() { folder_.reset(); }

  void cards_show_what_was_found() {
    for (const char* const theme : {"light", "dark"}) {
      Theme::instance().set(QLatin1String(theme));
      Page p(folder_->store);
      QVERIFY(p.open());
      QCOMPARE(p.count(), 7);
      QVERIFY(p.says(QStringLiteral("7 of 7")));
      test::keep_picture(p.page, QStringLiteral("history_page_") + QLatin1String(theme));
    }
    Page p(folder_->store);
    QVERIFY(p.open());
    const auto outcome = [&](int row) { return HistoryModel::outcome(p.page.model().at(row)); };
    QCOMPARE(HistoryModel::name(p.page.model().at(0).entry), QStringLiteral("second.tif"));  // the newest
    QVERIFY(!p.page.model().thumbnail(0).isNull());
    QCOMPARE(outcome(p.row("foam_014.nx")), QStringLiteral("6.310 ± 0.020 px"));
    QCOMPARE(outcome(p.row("foam_015.nx")), QStringLiteral("5.9 ± 1.4 px · flat"));
    QCOMPARE(outcome(p.row("foam_016.nx")), QStringLiteral("No flat frames in the scan"));
    QCOMPARE(outcome(p.row("tooth_01.h5")), QStringLiteral("files missing"));
    QVERIFY(HistoryModel::kind_and_time(p.page.model().at(0).entry).startsWith(QStringLiteral("Run · today")));
  }

  void search_and_filters_choose() {
    Page p(folder_->store);
    QVERIFY(p.open());
    QTest::keyClick(&p.page.cards(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(p.page.filters().search().hasFocus());
    QTest::keyClicks(&p.page.filters().search(), QStringLiteral("foam_01"));
    QTRY_COMPARE(p.count(), 4);
    QVERIFY(p.settle());
    for (auto* chip : p.page.findChildren<QToolButton*>())
      if (chip->text() == QStringLiteral("Learning 1")) QTest::mouseClick(chip, Qt::LeftButton);
    QTRY_COMPARE(p.count(), 1);
    QVERIFY(p.page.model().at(0).entry.kind == history::Kind::learning);
  }

  void nothing_fits_offers_to_clear() {
    Page p(folder_->store);
    QVERIFY(p.open());
    p.type(p.page.filters().search(), QStringLiteral("unobtainium"));
    QTRY_VERIFY(p.says(QStringLiteral("Nothing fits")));
    p.press(QStringLiteral("Clear filters"));
    QTRY_COMPARE(p.count(), 7);
    QVERIFY(!p.says(QStringLiteral("Nothing fits")));
    for (auto* line : p.page.findChildren<QLineEdit*>())
      if (line->accessibleName() == QStringLiteral("Parameter")) p.type(*line, QStringLiteral("cutoff<0.5"));
    QTRY_COMPARE(p.count(), 1);
    p.page.filters().clear();
    for (auto* box : p.page.findChildren<QComboBox*>())
      if (box->accessibleName() == QStringLiteral("Period")) box->setCurrentIndex(3);
    QTRY_COMPARE(p.count(), 6);
  }

  // Enter, double click and the button give the file that was computed; Repeat gives the pipeline.
  void a_row_opens_its_voxels_and_repeats() {
    Page p(folder_->store);
    QVERIFY(p.open());
    QSignalSpy opened(&p.page, &HistoryPage::open_wanted);
    QString file;
    std::optional<Graph> graph;
    connect(&p.page, &HistoryPage::open_wanted, this, [&](const QString& one) { file = one; });
    connect(&p.page, &HistoryPage::repeat_wanted, this, [&](const Graph& one) { graph = one; });
    p.click(p.row("second.tif"));
    p.press(QStringLiteral("Open"));
    QCOMPARE(file.toStdString(), folder_->path("second.tif").string());
    p.page.cards().setFocus();
    QTest::keyClick(&p.page.cards(), Qt::Key_Return);
    QCOMPARE(opened.count(), 2);
    QTest::mouseDClick(p.page.cards().viewport(), Qt::LeftButton, {},
                       p.page.cards().visualRect(p.page.cards().currentIndex()).center());
    QCOMPARE(opened.count(), 3);
    p.press(QStringLiteral("Repeat"));
    QTRY_VERIFY(graph.has_value());
    QCOMPARE(graph->nodes.size(), 4U);
    QCOMPARE(std::get<Number>(graph->nodes.at("fbp").params.at("cutoff")).value, 0.4);
    p.click(p.row("tooth_01.h5"));  // its files are gone
    QVERIFY(!p.button(QStringLiteral("Open"))->isEnabled());
    QVERIFY(p.button(QStringLiteral("Locate"))->isVisible());
  }

  // The button asks where to, and the page is there: as HTML with both slices, and as PDF.
  void a_row_gives_a_report() {
    Page p(folder_->store);
    QVERIFY(p.open());
    QSignalSpy written(&p.page, &HistoryPage::report_written);
    QVERIFY(!p.button(QStringLiteral("Report"))->isEnabled());
    p.click(p.row("second.tif"));
    const QString copy = qEnvironmentVariable("TL_PICTURES");
    for (const char* const name : {"second.html", "second.pdf"}) {
      const QString file = folder_->folder.filePath(QLatin1String(name));
      QVERIFY(test::answer_file_dialog(p.page, file, [&p] { p.press(QStringLiteral("Report")); }));
      QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), test::patience_ms);
      QVERIFY(p.settle());
      if (!copy.isEmpty()) QFile::copy(file, copy + QStringLiteral("/history_") + QLatin1String(name));
    }
    QCOMPARE(written.count(), 2);
    QFile html(folder_->folder.filePath(QStringLiteral("second.html")));
    QVERIFY(html.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(html.readAll());
    for (const char* const word : {"second.tif", "Disc, FBP", "0.4 Nyquist", "<svg ", "Before", "After", "@misc{"})
      QVERIFY2(page.contains(QLatin1String(word)), word);
    QFile pdf(folder_->folder.filePath(QStringLiteral("second.pdf")));
    QVERIFY(pdf.open(QIODevice::ReadOnly) && pdf.read(5) == "%PDF-" && pdf.size() > 10'000);
  }

  void two_are_compared() {
    Page p(folder_->store);
    QVERIFY(p.open());
    p.click(p.row("second.tif"));
    QVERIFY(!p.button(QStringLiteral("Compare"))->isEnabled());
    p.click(p.row("first.tif"), Qt::ControlModifier);
    QVERIFY(p.says(QStringLiteral("2 selected")));
    test::keep_picture(p.page, QStringLiteral("history_two_selected"));
    p.press(QStringLiteral("Compare 2"));
    CompareDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = p.page.findChild<CompareDialog*>()) != nullptr);
    auto* table = dialog->findChild<QTableWidget*>();
    QTRY_VERIFY(table->isVisible());
    QCOMPARE(table->rowCount(), 1);
    QCOMPARE(table->item(0, 0)->text(), QStringLiteral("fbp.cutoff"));
    QCOMPARE(table->item(0, 1)->text(), QStringLiteral("1.0 Nyquist"));
    QCOMPARE(table->item(0, 2)->text(), QStringLiteral("0.4 Nyquist"));
    bool counted = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
      counted = counted || label->text().contains(QStringLiteral("voxels differ"));
    QVERIFY(counted);
    test::keep_picture(*dialog, QStringLiteral("history_compare"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(p.page.findChild<CompareDialog*>() == nullptr);
  }

  // Two scans are said by name; one name of two contents by what tells them apart.
  void inputs_that_differ_have_their_names() {
    history::Entry first = named("foam_014.nx", 0, "6.31", 0.02, "resolved");
    history::Entry second = named("foam_015.nx", 0, "5.9", 1.4, "flat");
    first.inputs.front().fingerprint = "xxh128:1";
    second.inputs.front().fingerprint = "xxh128:2";
    history::Comparison compared;
    compared.record.inputs = {{"load", "xxh128:1", "xxh128:2"}};
    const auto shown = [&] {
      CompareDialog dialog(nullptr);
      dialog.show_result(first, second, compared);
      const auto* table = dialog.findChild<QTableWidget*>();
      return QStringList{table->item(0, 1)->text(), table->item(0, 2)->text()};
    };
    QCOMPARE(shown(), QStringList({"foam_014.nx", "foam_015.nx"}));
    second.inputs.front().path = "/elsewhere/foam_014.nx";
    QCOMPARE(shown(), QStringList({"xxh128:1", "xxh128:2"}));
  }

  // What another program enters appears by itself; what is deleted goes, with its files where that is chosen.
  void rows_come_and_go() {
    Folder own;
    Page p(own.store);
    QVERIFY(p.open());
    QVERIFY(p.says(QStringLiteral("Runs appear here")));
    test::keep_picture(p.page, QStringLiteral("history_empty"));
    own.run("volume.tif", 32, 1);
    QTRY_COMPARE(p.count(), 1);
    own.run("other.tif", 32, 1);
    QTRY_COMPARE(p.count(), 2);
    QVERIFY(p.settle());
    QTRY_COMPARE(HistoryModel::mark(p.page.model().at(p.row("volume.tif"))), EntryMark::done);
    p.click(p.row("volume.tif"));
    QVERIFY(p.button(QStringLiteral("Delete, frees")) != nullptr);
    Page::answer(QStringLiteral("Cancel"));
    p.page.cards().setFocus();
    QTest::keyClick(&p.page.cards(), Qt::Key_Delete);
    QVERIFY(QTest::qWaitFor([&] { return QApplication::activeModalWidget() == nullptr && !p.page.is_busy(); },
                            test::patience_ms));
    QCOMPARE(p.count(), 2);
    Page::answer(QStringLiteral("Also delete files, which frees"));
    p.press(QStringLiteral("Delete, frees"));
    QTRY_COMPARE(p.count(), 1);
    QVERIFY(!std::filesystem::exists(own.path("volume.tif")));
    p.click(0);
    Page::answer(QStringLiteral("Delete from the history only"));
    p.press(QStringLiteral("Delete, frees"));
    QTRY_COMPARE(p.count(), 0);
    QVERIFY(std::filesystem::exists(own.path("other.tif")));
    QTRY_VERIFY(p.says(QStringLiteral("Runs appear here")));
  }

  void moved_files_are_located() {
    Folder own;
    own.run("volume.tif", 32, 1);
    std::filesystem::create_directory(own.path("archive"));
    std::filesystem::rename(own.path("volume.tif"), own.path("archive") / "renamed.tif");
    Page p(own.store);
    QVERIFY(p.open());
    p.click(0);
    QVERIFY(test::answer_file_dialog(p.page, QString::fromStdString(own.path("archive").string()),
                                     [&] { p.press(QStringLiteral("Locate")); }));
    QTRY_COMPARE(HistoryModel::mark(p.page.model().at(0)), EntryMark::done);
    QCOMPARE(HistoryModel::name(p.page.model().at(0).entry), QStringLiteral("renamed.tif"));
  }

  void a_damaged_history_is_said() {
    QTemporaryDir folder;
    const QString name = folder.filePath("history.sqlite");
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(4096, 'x'));
    file.close();
    Page p{history::Store(std::filesystem::path(name.toStdString()))};
    QVERIFY(p.open());
    QTRY_VERIFY(p.says(QStringLiteral("damaged")));
    test::keep_picture(p.page, QStringLiteral("history_damaged"));
    Page off{history::Store({})};
    QVERIFY(off.open());
    QTRY_VERIFY(off.says(QStringLiteral("The history is off")));
  }

 private:
  std::unique_ptr<Folder> folder_;
};

TL_TEST_CASE(HistoryPageTest)

}  // namespace tl::ui::history_page_test

#include "history_page.moc"
