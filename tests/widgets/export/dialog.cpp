// The export dialog as a person uses it, by mouse and keyboard: every format written and read again, what is clipped
// against a plain count, region and binning, stopping, inputs that stay, choices that are remembered, the history.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>

#include "core/history/store.h"
#include "core/io/open_volume.h"
#include "core/run/executor.h"
#include "tests/support/gui/exporting.h"
#include "tests/support/gui/studio_process.h"
#include "tests/support/test_case.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/range_histogram.h"
#include "widgets/export/region_preview.h"
#include "widgets/history/history_keeper.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/image_pane.h"
#include "widgets/views/views_area.h"

namespace tl::ui::export_dialog_test {
namespace {

using test::Answer;
using test::Exporting;
using test::patience_ms;

constexpr int64_t phantom_width = 24, phantom_height = 10;

// A volume with classes and a table of them.
void add_phantom(Document& document, int64_t width = phantom_width, int64_t height = phantom_height) {
  document.edit("Phantom", [&](Graph& g) {
    g.nodes["phantom"] = {"input.labelled_phantom", 1, {{"width", width}, {"height", height}, {"bodies", int64_t{6}}}};
    g.nodes["table"] = {"measure.regions", 1, {}};
    g.links = {{"phantom", "labels", "table", "labels"}};
  });
}

void add_scan(Document& document, int64_t views, int64_t rows, int64_t cols) {
  document.edit("Scan", [=](Graph& g) {
    g.nodes["scan"] = {
        "input.simulate_scan", 1, {{"views", views}, {"rows", rows}, {"cols", cols}, {"flats", int64_t{2}}}};
    g.nodes["flat"] = {"correct.flat_field", 1, {}};
    g.nodes["recon"] = {"recon.fbp", 1, {}};
    g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "recon", "projections"}};
  });
}

// One whose reconstruction takes minutes.
void add_long_scan(Document& document) { add_scan(document, 900, 400, 600); }

at::Tensor phantom_values(const Graph& graph) {
  Executor executor(Registry::all(), RunOptions());
  return std::get<Volume>(executor.pull(graph, "phantom", "volume").or_throw()).data;
}

at::Tensor voxels_in(const QString& file) {
  const auto reader = io::open_volume(file.toStdString()).or_throw();
  const VolumeGrid& g = reader->info().grid;
  return reader->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).or_throw();
}

QByteArray bytes_of(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

bool open_phantom(Exporting& e) {
  return e.open([](Document& d) { add_phantom(d); }, "phantom") &&
         QTest::qWaitFor([&e] { return e.dialog->session().grid() != nullptr; }, patience_ms);
}

}  // namespace

class ExportDialogTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Theme::instance().set(QStringLiteral("dark"));
  }

  void every_format_is_written_and_read_again() {
    Exporting e;
    QVERIFY(open_phantom(e));
    const at::Tensor values = phantom_values(e.studio.document.graph());
    const double range = (values.max() - values.min()).item<double>();
    int written = 0;
    for (const exports::Format& format : std::vector(e.dialog->session().formats())) {
      if (format.node_type.empty()) continue;  // of the views: below
      const QString id = QString::fromStdString(format.id);
      e.choose(id);
      e.type("File", QStringLiteral("out%1").arg(written));
      QCOMPARE(e.file(),
               e.studio.folder.filePath(QStringLiteral("out%1").arg(written) + QString::fromStdString(format.ending)));
      if (format.has_range(e.dialog->session().settings().type)) e.press("Range: Full");
      e.export_and_wait();
      QVERIFY2(QFileInfo::exists(e.file()) && QFileInfo::exists(e.file() + ".json"), qPrintable(id));
      if (format.node_type == "output.save_volume") {
        const at::Tensor read = voxels_in(e.file());
        QCOMPARE(read.sizes(), values.sizes());
        QVERIFY2((read - values).abs().max().item<double>() < 1e-4 * range, qPrintable(id));
      } else if (format.ending == ".png") {
        QCOMPARE(QImage(e.file()).size(), QSize(phantom_width, phantom_width));
      } else {
        QVERIFY2(format.is_folder || QFileInfo(e.file()).size() > 40, qPrintable(id));
      }
      ++written;
    }
    QVERIFY(written > 20);
    // What the window draws itself.
    e.choose("report");
    e.type("File", "page");
    e.export_and_wait();
    QVERIFY(bytes_of(e.studio.folder.filePath("page.html")).contains("<html"));
  }

  void the_clipped_share_is_that_of_a_plain_count() {
    Exporting e;
    QVERIFY(open_phantom(e));
    e.choose("output.save_volume nrrd");
    e.press("Type: uint8");
    e.press("Range: Percentiles");
    e.wait_until_ready();
    e.type("Lower percentile", "3");
    e.type("Upper percentile", "90");
    e.wait_until_ready();
    QVERIFY(e.dialog->session().counts_all());
    const exports::Settings& s = e.dialog->session().settings();
    QCOMPARE(s.percent_below, 3.0);
    const at::Tensor values = phantom_values(e.studio.document.graph());
    const double half = 0.5 * (s.high - s.low) / 255;
    const auto below = values.lt(s.low - half).sum().item<int64_t>();
    const auto above = values.gt(s.high + half).sum().item<int64_t>();
    QCOMPARE(e.dialog->session().clipped().below, below);
    QCOMPARE(e.dialog->session().clipped().above, above);
    const auto percent = [&](int64_t n) {
      return QString::number(100.0 * static_cast<double>(n) / static_cast<double>(values.numel()), 'g', 2);
    };
    QCOMPARE(e.text("What is clipped"), QString("clipped: %1 % below, %2 % above").arg(percent(below), percent(above)));
    // The handles say the same as the fields, by keys too.
    auto* histogram = e.dialog->findChild<RangeHistogram*>();
    const double low = s.low;
    histogram->setFocus();
    QTest::keyClick(histogram, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(e.dialog->session().settings().low > low);
    QCOMPARE(e.dialog->session().settings().range, exports::RangeMode::fixed);
    QVERIFY(e.dialog->session().clipped().below > below);
    QTest::mousePress(histogram, Qt::LeftButton, {}, QPoint(qRound(histogram->x_of(s.high)), histogram->height() / 2));
    QTest::mouseMove(histogram, QPoint(qRound(histogram->x_of(s.high)) - 30, histogram->height() / 2));
    QTest::mouseRelease(histogram, Qt::LeftButton, {},
                        QPoint(qRound(histogram->x_of(s.high)) - 30, histogram->height() / 2));
    QVERIFY(e.dialog->session().clipped().above > above);
    // A range that is empty is refused, and said.
    e.type("Upper value", "-1e9");
    QVERIFY(!e.is_ready());
    QVERIFY(!e.button("Export")->isEnabled());
    test::keep_picture(*e.dialog, "export_refused");
  }

  void region_and_binning_are_written() {
    Exporting e;
    QVERIFY(open_phantom(e));
    e.choose("output.save_volume nifti");
    auto* first = e.named<QSpinBox>("First x");
    first->setFocus();
    first->selectAll();
    QTest::keyClicks(first, "4");
    Q_EMIT e.dialog->session().changed();  // counts arrive meanwhile: what is being typed stays
    QTest::keyClick(first, Qt::Key_Tab);
    QVERIFY(e.dialog->session().settings().box);
    QCOMPARE(e.dialog->session().settings().box->x.begin, int64_t{4});
    // The right edge, by keys: ten voxels to the left.
    RegionPreview* xy = e.named<RegionPreview>("Region in the slice XY");
    xy->setFocus();
    QTest::keyClick(xy, Qt::Key_Space);
    QTest::keyClick(xy, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(e.dialog->session().settings().box->x.end, int64_t{14});
    // The lower edge of the other slice, by the mouse, to its middle.
    RegionPreview* xz = e.named<RegionPreview>("Region in the slice XZ");
    const QRectF frame = xz->frame();
    const QPoint from(qRound(frame.center().x()), qRound(frame.bottom())), to(from.x(), qRound(frame.center().y()));
    QTest::mousePress(xz, Qt::LeftButton, {}, from);
    QTest::mouseMove(xz, to);
    QTest::mouseRelease(xz, Qt::LeftButton, {}, to);
    QCOMPARE(e.dialog->session().settings().box->z.begin, phantom_height / 2);
    e.press("Binning: 2");
    e.press("Labels");
    e.type("File", "part");
    e.export_and_wait();
    QCOMPARE(voxels_in(e.studio.folder.filePath("part.nii")).sizes(), (at::IntArrayRef{2, 12, 5}));
    QCOMPARE(voxels_in(e.studio.folder.filePath("part_labels.nii")).sizes(), (at::IntArrayRef{2, 12, 5}));
    e.press("All");
    QVERIFY(!e.dialog->session().settings().box);
  }

  // Time is said before the click, from the rates of the slices that are shown; writing, once something was written.
  void the_time_is_forecast() {
    Exporting e;
    QVERIFY(e.open([](Document& d) { add_scan(d, 240, 100, 200); }, "recon"));
    QTRY_VERIFY_WITH_TIMEOUT(e.dialog->session().grid() != nullptr, patience_ms);
    e.choose("output.save_volume nrrd");
    e.type("File", "timed");
    QTRY_VERIFY2_WITH_TIMEOUT(e.text("Size").contains(" s + writing"), qPrintable(e.text("Size")), patience_ms);
    const auto seconds = [&] {
      const live::Forecast* forecast = e.dialog->session().forecast();
      return forecast == nullptr || !forecast->known ? -1 : forecast->seconds;
    };
    const double whole = seconds();
    QVERIFY(whole > 0);
    test::keep_picture(*e.dialog, "export_time");
    // A step that is added for the export has no rate, and does not hide the others.
    e.press("Binning: 2");
    QTRY_VERIFY2_WITH_TIMEOUT(e.dialog->session().forecast()->unmeasured.size() == 2 && seconds() > 0,
                              qPrintable(e.text("Size")), patience_ms);
    // Of a small region less is computed.
    e.press("Binning: 1");
    e.dialog->session().change([](exports::Settings& s) { s.box = GridBox{{49, 51}, {0, 200}, {0, 200}}; });
    QTRY_VERIFY2_WITH_TIMEOUT(seconds() > 0 && seconds() < 0.5 * whole, qPrintable(e.text("Size")), patience_ms);
  }

  void keys_of_the_views_open_it_at_their_format() {
    Exporting e;
    QVERIFY(open_phantom(e));
    QTest::keyClick(e.dialog, Qt::Key_Escape);
    QTRY_VERIFY(e.dialog == nullptr);
    QWidget* pane = e.studio.window.findChild<ViewsArea*>()->active_pane();
    for (const Qt::KeyboardModifier keys : {Qt::NoModifier, Qt::ShiftModifier}) {
      QTest::keyClick(pane, Qt::Key_S, keys);
      e.dialog = e.studio.window.findChild<ExportDialog*>();
      QVERIFY(e.dialog != nullptr && test::open_window(*e.dialog));
      QCOMPARE(e.dialog->session().settings().format, keys == Qt::NoModifier ? "view annotated" : "view pixels");
      auto* name = e.named<QLineEdit>("File");
      QVERIFY(name->hasFocus());
      QTest::keyClicks(name, keys == Qt::NoModifier ? "seen" : "bare");
      QTest::keyClick(name, Qt::Key_Return);
      QVERIFY2(QFileInfo(e.file()).size() > 0, qPrintable(e.file()));
      test::keep_picture(*e.dialog, "export_view");
      QTest::keyClick(e.dialog, Qt::Key_Escape);
      QTRY_VERIFY(e.dialog == nullptr);
    }
    QVERIFY(QImage(e.studio.folder.filePath("seen.png")).width() > phantom_width);
    QVERIFY(!QImage(e.studio.folder.filePath("bare.png")).isNull());
  }

  void stopping_leaves_nothing() {
    Exporting e;
    QVERIFY(e.open(add_long_scan, "recon"));
    QTRY_VERIFY_WITH_TIMEOUT(e.dialog->session().grid() != nullptr, patience_ms);
    e.choose("output.save_volume imagej_tiff");
    e.type("File", "long");
    e.wait_until_ready();
    e.press("Export");
    QVERIFY(e.dialog->is_exporting());
    QTRY_VERIFY_WITH_TIMEOUT(e.studio.session.run_progress().running, patience_ms);
    e.press("Stop");
    QTRY_VERIFY_WITH_TIMEOUT(!e.dialog->is_exporting(), patience_ms);
    QCOMPARE(e.text("State of the export"), QString("Stopped: nothing was written."));
    QCOMPARE(QDir(e.studio.folder.path()).entryList({"*long*"}, QDir::Files | QDir::Hidden), QStringList());
  }

  void an_input_is_never_replaced_and_a_file_only_if_allowed() {
    Exporting e;
    QVERIFY(open_phantom(e));
    e.choose("output.save_volume nrrd");
    e.type("File", "mine");
    e.export_and_wait();
    const QString file = e.file();
    const QByteArray first = bytes_of(file);
    QVERIFY(!first.isEmpty());
    {
      const Answer no(Qt::Key_Escape, "export_replace");
      e.press("Export");
      QVERIFY2(no.words.contains("mine.nrrd"), qPrintable(no.words));
      QVERIFY(!e.dialog->is_exporting());
      QCOMPARE(bytes_of(file), first);
    }
    // The file as an input of the pipeline.
    QTest::keyClick(e.dialog, Qt::Key_Escape);
    QTRY_VERIFY(e.dialog == nullptr);
    e.studio.document.edit("Load", [&](Graph& g) {
      g = {};
      g.nodes["load"] = {"input.load_volume", 1, {{"file", file.toStdString()}}};
    });
    e.studio.selection.set_one("load");
    QVERIFY(e.open_again());
    QTRY_VERIFY_WITH_TIMEOUT(e.dialog->session().grid() != nullptr, patience_ms);
    e.choose("output.save_volume nrrd");
    e.type("File", "mine");
    e.wait_until_ready();
    e.press("Export");
    QVERIFY(!e.dialog->is_exporting());
    QVERIFY2(e.text("State of the export").contains("replace an input"), qPrintable(e.text("State of the export")));
    QCOMPARE(bytes_of(file), first);
  }

  void choices_are_remembered_with_the_pipeline() {
    Exporting e;
    QVERIFY(open_phantom(e));
    e.choose("output.save_volume metaimage");
    e.press("Type: uint16");
    e.press("Range: Full");
    e.press("Binning: 2");
    e.type("File", "kept");
    e.export_and_wait();
    QTest::keyClick(e.dialog, Qt::Key_Escape);
    QTRY_VERIFY(e.dialog == nullptr);
    const QString pipeline = e.studio.folder.filePath("p.json");
    QVERIFY(e.studio.document.save(pipeline).ok());
    QVERIFY(bytes_of(pipeline).contains("metaimage"));
    QVERIFY(!bytes_of(pipeline).contains(e.studio.folder.path().toUtf8() + "/kept"));
    QVERIFY(e.studio.document.open(pipeline).ok());
    e.studio.selection.set_one("phantom");
    QVERIFY(e.open_again());
    const exports::Settings& s = e.dialog->session().settings();
    QCOMPARE(s.format, std::string("output.save_volume metaimage"));
    QCOMPARE(s.type, std::string("uint16"));
    QCOMPARE(s.range, exports::RangeMode::full);
    QCOMPARE(s.bin, int64_t{2});
    QVERIFY(e.file().endsWith("kept.mhd"));
  }

  void exports_are_in_the_history() {
    const QTemporaryDir folder;
    qputenv("TL_HISTORY", folder.filePath("history.sqlite").toUtf8());
    const auto off = qScopeGuard([] { qputenv("TL_HISTORY", "off"); });
    Exporting e;
    QVERIFY(open_phantom(e));
    e.choose("output.save_volume nrrd");
    e.type("File", "entered");
    e.export_and_wait();
    e.choose("report");
    e.type("File", "page");
    e.export_and_wait();
    e.studio.window.findChild<HistoryKeeper*>()->wait();
    const history::Store store{std::filesystem::path(folder.filePath("history.sqlite").toStdString())};
    history::Filter exported;
    exported.kind = "export";
    const auto entries = store.list(exported).or_throw().entries;
    QCOMPARE(entries.size(), std::size_t{2});
    QVERIFY(QString::fromStdString(entries[0].outputs.at(0).path).endsWith("page.html"));
    QVERIFY(QString::fromStdString(entries[1].outputs.at(0).path).endsWith("entered.nrrd"));
    QCOMPARE(entries[1].state, history::State::done);
  }

  // Nothing lies outside or is squeezed, in both themes, in the smallest window.
  void all_of_it_fits_into_a_small_window() {
    for (const char* theme : {"dark", "light"}) {
      Theme::instance().set(QString::fromLatin1(theme));
      Exporting e;
      e.studio.window.resize(1000, 700);
      QVERIFY(open_phantom(e));
      QVERIFY(e.dialog->width() <= 1000 && e.dialog->height() <= 700);
      e.choose("output.save_volume tiff_stack");
      e.press("Type: uint16");
      e.wait_until_ready();
      test::handle_queued_events();
      auto* scroll = e.dialog->findChild<QScrollArea*>();
      QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
      QWidget* const last = e.button("Export");
      QVERIFY(e.dialog->rect().contains(QRect(last->mapTo(static_cast<QWidget*>(e.dialog), QPoint()), last->size())));
      for (const auto* button : e.dialog->findChildren<QAbstractButton*>())
        if (button->isVisible())
          QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
      test::keep_picture(*e.dialog, QStringLiteral("export-%1").arg(QLatin1String(theme)));
    }
    Theme::instance().set(QStringLiteral("dark"));
  }

  void the_keyboard_alone_exports() {
    Exporting e;
    QVERIFY(open_phantom(e));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&e.list()));
    e.list().setCurrentItem(e.item("output.save_volume imagej_tiff"));
    QTest::keyClick(&e.list(), Qt::Key_Down);
    QCOMPARE(e.dialog->session().settings().format, std::string("output.save_volume tiff_stack"));
    auto* name = e.named<QLineEdit>("File");
    for (int i = 0; i < 100 && !name->hasFocus(); ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(name->hasFocus());
    name->selectAll();
    QTest::keyClicks(name, "keys");
    e.wait_until_ready();
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(e.text("State of the export").startsWith("Wrote"),
                              qPrintable(e.text("State of the export")), patience_ms);
    QVERIFY(QFileInfo(e.studio.folder.filePath("keys")).isDir());
  }
};

TL_TEST_CASE(ExportDialogTest)

}  // namespace tl::ui::export_dialog_test

#include "dialog.moc"
