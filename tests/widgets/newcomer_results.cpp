// The first hour, continued: somebody who has mouse and keyboard alone learns axis and tilt of a scan, compares two
// filters, measures, and makes an image and a movie of the volume. Clicks and keys are counted.
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>

#include "tests/support/gui/learning_studio.h"
#include "tests/support/gui/newcomer.h"
#include "tests/support/gui/shown_views.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/export/export_dialog.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/panes/view_bar.h"
#include "widgets/views/volume/movie_writer.h"

namespace tl::ui::newcomer_results_test {
namespace {

using test::Budget;
using test::Newcomer;
using test::Studio;

constexpr Budget learning_budget{3, 5};
constexpr Budget compare_budget{6, 0};
constexpr Budget measuring_budget{6, 4};
constexpr Budget movie_budget{10, 12};

// The example, open and sharp, before a task begins.
struct OpenExample : Studio {
  [[nodiscard]] bool is_ready() { return open_example() && is_sharp(); }
  [[nodiscard]] bool is_sharp() {
    return QTest::qWaitFor(
        [this] { return views().cell(0).image_pane()->picture() && test::is_every_view_sharp(window); }, patience_ms);
  }
  [[nodiscard]] ViewsArea& views() { return *window.findChild<ViewsArea*>(); }
};

}  // namespace

class NewcomerResultsTest final : public QObject {
  Q_OBJECT
  const test::NewHome home_;

 private Q_SLOTS:
  void initTestCase() { QVERIFY(home_.enter()); }
  void axis_and_tilt_are_learned_and_accepted();
  void two_filters_are_compared_side_by_side();
  void what_is_shown_is_measured_and_exported();
  void the_volume_is_exported_as_image_and_movie();
};

void NewcomerResultsTest::axis_and_tilt_are_learned_and_accepted() {
  constexpr double tilt = 2;                            // degrees, of the simulated scan
  constexpr double axis_error = 0.2, tilt_error = 0.3;  // px, degrees: 1e5 photons, 128 columns
  Studio studio;
  const QString pipeline = studio.folder.filePath("tilted.json");
  Graph misaligned = scan(180, 160, 128);
  auto& simulated = misaligned.nodes["simulate"].params;
  simulated["rows"] = int64_t{48};
  simulated["photons"] = Number{1e5, {}};
  simulated["tilt"] = Number{tilt, Unit::deg};
  auto& geometry = misaligned.nodes["axis"].params;
  geometry["tilt"] = Number{0, Unit::deg};
  misaligned.nodes["wedge"] = {"objective.wedge", 1, {{"where", std::string("spread")}, {"rows", int64_t{9}}}};
  misaligned.links.push_back({"axis", "projections", "wedge", "projections"});
  Document made;
  made.reset(misaligned);
  QVERIFY(made.save(pipeline).ok());
  QVERIFY(studio.open());
  LearningSession& learning = studio.window.learning();
  test::do_task("4-learning", learning_budget, studio.window, [&](Newcomer& user) {
    user.name_a_file([&] { user.key(Qt::Key_O, Qt::ControlModifier); }, pipeline);
    user.wait_for("the pipeline is open", [&] { return studio.session.info("fbp", "volume") != nullptr; });
    user.key(Qt::Key_3, Qt::ControlModifier);
    user.press_in(studio.window.learning_panel(), "∇ Axis");
    user.press_in(studio.window.learning_panel(), "∇ Tilt");
    user.wait_for("learning can start", [&] {
      const auto buttons = studio.window.learning_panel().findChildren<QPushButton*>();
      return std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == "Learn" && button->isVisible() && button->isEnabled();
      });
    });
    user.expect(learning.settings().targets.size() == 2, "axis and tilt are marked");
    user.key(Qt::Key_F6);
    user.wait_for("learning ends", [&] { return learning.state() == JobState::ended; });
    const auto& found = learning.end()->learned.found;
    user.expect(found.size() == 2, "both values are found");
    for (const learn::Found& value : found)
      user.expect(value.trust == learn::Trust::resolved, QString::fromStdString(value.name + ": " + value.explanation));
    test::keep_picture(studio.window, "newcomer-4-learned");
    user.press_in(studio.window.learning_panel(), "Accept");
    user.expect(learning.state() == JobState::idle, "the result is accepted");
    const auto& set = studio.document.graph().nodes.at("axis").params;
    const auto value = [&](const char* name) { return std::get<Number>(set.at(name)).value; };
    qInfo("axis %.3f px, tilt %.3f degrees", value("axis"), value("tilt"));
    user.expect(std::abs(value("axis") - true_axis) < axis_error, "the axis of the scan is in the pipeline");
    user.expect(std::abs(value("tilt") - tilt) < tilt_error, "the tilt of the scan is in the pipeline");
  });
  QVERIFY(studio.document.save(pipeline).ok());
}

void NewcomerResultsTest::two_filters_are_compared_side_by_side() {
  OpenExample studio;
  QVERIFY(studio.is_ready());
  test::do_task("5-compare", compare_budget, studio.window, [&](Newcomer& user) {
    user.press("Compare");
    CompareArea* area = studio.views().compare_area();
    user.expect(area != nullptr && area->isVisible(), "the workspace is shown");
    user.choose_in_list(*area, "Parameter that differs in B", "FBP · Filter");
    user.choose_in_list(*area, "Value of the parameter in B", "Hann");
    const ImagePane &left = area->left(), &right = area->right();
    user.wait_for("both sides are sharp", [&] { return left.is_current() && right.is_current(); });
    user.expect(left.isVisible() && right.isVisible(), "both sides are visible");
    user.expect(right.kind_text().contains("Hann"), "the caption names the filter: " + right.kind_text());
    user.expect(!left.kind_text().contains("Hann"), "and that of the other side: " + left.kind_text());
    user.expect(test::roughness(*right.picture()->image) < 0.8 * test::roughness(*left.picture()->image),
                "the Hann window is smoother");
    user.expect(!studio.document.is_modified(), "the pipeline is as before");
  });
}

void NewcomerResultsTest::what_is_shown_is_measured_and_exported() {
  OpenExample studio;
  QVERIFY(studio.is_ready());
  const QString table = studio.folder.filePath("measured.csv");
  ImagePane& slice = *studio.views().cell(0).image_pane();
  const auto at = [&](double x, double y) { return QPoint(qRound(x * slice.width()), qRound(y * slice.height())); };
  const QPoint from = at(0.3, 0.4), to = at(0.7, 0.4);
  test::do_task("6-measure", measuring_budget, studio.window, [&](Newcomer& user) {
    user.point_at(slice, at(0.5, 0.5));
    auto* bar = slice.findChild<ViewBar*>();
    user.wait_for("the tools appear over the view", [&] { return bar != nullptr && bar->isVisible(); });
    user.press_in(*bar, "Line profile");
    user.drag(slice, from, to);
    user.key(Qt::Key_D);
    user.drag(slice, from, to);
    user.key(Qt::Key_R);
    user.drag(slice, at(0.45, 0.5), at(0.55, 0.6));
    const auto& drawn = slice.measurements().all();
    user.expect(drawn.size() == 3, "three measurements are drawn");
    user.expect(slice.profile_visible(), "the profile is plotted");
    user.name_a_file([&] { user.press("Save all measurements as CSV"); }, table);
    user.wait_for("the table is written", [&] { return QFile::exists(table); });
    QFile file(table);
    user.expect(file.open(QIODevice::ReadOnly), "the table can be read");
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    user.expect(lines.size() == 4, "a line for each measurement, and one of titles");
    const auto titles = lines[0].split(',');
    const auto value = [&](int line, const char* column) {
      return lines[line].split(',').value(titles.indexOf(QByteArray(column)));
    };
    user.expect(value(1, "kind") == "profile" && value(2, "kind") == "distance" && value(3, "kind") == "region",
                "the table names what was measured");
    const double drawn_mm = QLineF(slice.to_pane(from), slice.to_pane(to)).length() * slice.mm_per_unit();
    user.expect(value(2, "length unit") == "mm" && std::abs(value(2, "length").toDouble() / drawn_mm - 1) < 0.02,
                "the distance is in millimetres");
    const MeasureNumbers region = measure_numbers(drawn[2], slice.measure_context());
    user.expect(value(3, "n").toLongLong() == region.statistics->count && region.statistics->count > 50,
                "the region has its pixels");
    user.expect(
        std::abs(value(3, "mean").toDouble() - region.statistics->mean) <= 1e-6 * std::abs(region.statistics->mean),
        "the region has its mean");
  });
  QVERIFY(studio.document.save(studio.folder.filePath("kept.json")).ok());
}

void NewcomerResultsTest::the_volume_is_exported_as_image_and_movie() {
  constexpr int frames = 10;  // 0.4 s
  OpenExample studio;
  QVERIFY(studio.is_ready());
  const bool has_ffmpeg = !ffmpeg_program().isEmpty();
  const QString picture = studio.folder.filePath("volume.png");
  const QString movie = studio.folder.filePath(has_ffmpeg ? "turn.mp4" : "turn");
  ViewCell* cell = test::cell_of(studio.views(), PaneKind::volume);
  QVERIFY(cell != nullptr);
  auto& pane = *qobject_cast<VolumePane*>(cell->pane());
  test::do_task("7-movie", movie_budget, studio.window, [&](Newcomer& user) {
    const QSize before = pane.size();
    user.double_click(pane, pane.rect().center());
    user.wait_for("3D has the place of all views", [&] { return pane.width() > 3 * before.width() / 2; });
    const QString first_tint = pane.preset();
    user.key(Qt::Key_T);
    user.expect(pane.preset() != first_tint, "another tint is chosen");
    user.wait_for("3D is sharp", [&] { return pane.is_settled(); });
    user.key(Qt::Key_S);
    auto* dialog = studio.window.findChild<ExportDialog*>();
    user.expect(dialog != nullptr && dialog->isVisible(), "the export dialog opens");
    user.activate(*dialog);
    user.type_file_name(picture);
    user.key(Qt::Key_Return);
    user.wait_for("the picture is written", [&] { return QFile::exists(picture); });
    user.expect(QImage(picture).width() >= pane.width(), "the picture is that of the view");
    user.press_in(*dialog, "Cancel");
    user.press("Movie…");
    auto* film = studio.window.findChildren<ExportDialog*>().last();
    user.activate(*film);
    user.expect(film->session().settings().format == (has_ffmpeg ? movie_as_mp4 : movie_as_frames),
                "the dialog is at the movie");
    user.type_file_name(movie);
    auto* length = user.named<QDoubleSpinBox>(*film, "Length");
    user.double_click(*length, QPoint(12, length->height() / 2));
    user.key(Qt::Key_A, Qt::ControlModifier);
    user.type("0.4");
    user.press_in(*film, "Export");
    user.wait_for("the movie is written", [&] { return QFileInfo::exists(movie) && !film->is_exporting(); });
    if (has_ffmpeg)
      user.expect(QFileInfo(movie).size() > 0, "the movie is not empty");
    else
      user.expect(QDir(movie).entryList({"*.png"}).size() == frames, "the folder has the frames of 0.4 s");
    user.press_in(*film, "Close");
  });
}

TL_TEST_CASE(NewcomerResultsTest)

}  // namespace tl::ui::newcomer_results_test

#include "newcomer_results.moc"
