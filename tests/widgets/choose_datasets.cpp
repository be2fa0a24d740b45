// Choosing the datasets of an HDF5 file of no known layout: a dialog with its tree opens by itself, what is chosen
// opens as a scan and is remembered for files of the same layout; the form of the load node opens it on request.
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeView>

#include "tests/support/gui/studio.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"
#include "widgets/inspector/dialogs/datasets_dialog.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/node_form.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/theme/theme.h"

namespace tl::ui::choose_datasets_test {
namespace {

using io::DatasetRole;

// Frames, flats, darks and angles under names that no format has; the number of the scan is part of them.
QString scan_file(const QTemporaryDir& folder, const char* name, int scan, hsize_t views) {
  const QString path = folder.filePath(QString::fromLatin1(name));
  const std::string group = "/beamtime/scan_" + std::to_string(scan);
  test::Hdf5Maker h5(path.toStdString());
  h5.numbers<uint16_t>(group + "/camera/images", {views, 8, 16}, std::vector<uint16_t>(views * 8 * 16, 500));
  h5.numbers<uint16_t>(group + "/camera/flats", {2, 8, 16}, std::vector<uint16_t>(2 * 8 * 16, 1000));
  h5.numbers<uint16_t>(group + "/camera/darks", {1, 8, 16}, std::vector<uint16_t>(8 * 16, 100));
  h5.numbers<uint16_t>(group + "/camera/preview", {3, 4, 8}, std::vector<uint16_t>(3 * 4 * 8, 1));
  h5.numbers<double>(group + "/motors/stage", {views},
                     test::ramp(static_cast<int>(views), 0, 180.0 / static_cast<double>(views)), "deg");
  h5.numbers<double>(group + "/motors/current", {views + 1}, std::vector<double>(views + 1, 200), "mA");
  h5.text(group + "/title", "none of the known layouts");
  h5.attribute(group, "NX_class", "NXentry");
  return path;
}

// An NXtomo with fewer keys than frames.
QString wrong_nxtomo(const QTemporaryDir& folder, const char* name) {
  const QString path = folder.filePath(QString::fromLatin1(name));
  test::Hdf5Maker h5(path.toStdString());
  h5.text("/entry/definition", "NXtomo");
  h5.numbers<uint16_t>("/entry/instrument/detector/data", {4, 8, 16}, std::vector<uint16_t>(4 * 8 * 16, 500));
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {2}, {0, 0});
  h5.numbers<double>("/entry/sample/rotation_angle", {4}, test::ramp(4, 0, 45), "deg");
  return path;
}

DatasetsDialog* shown_dialog(const QWidget& window) {
  for (auto* dialog : window.findChildren<DatasetsDialog*>())
    if (dialog->isVisible()) return dialog;
  return nullptr;
}

void select(DatasetsDialog& dialog, const std::string& path) {
  const QModelIndex index = dialog.model().index_of(path);
  QVERIFY2(index.isValid(), path.c_str());
  dialog.tree_view().scrollTo(index);
  QTest::mouseClick(dialog.tree_view().viewport(), Qt::LeftButton, {}, dialog.tree_view().visualRect(index).center());
  QCOMPARE(dialog.tree_view().currentIndex().siblingAtColumn(0), index);
}

std::string param_text(const GraphNode& node, const char* param) {
  const auto set = node.params.find(param);
  return set == node.params.end() ? std::string() : std::get<std::string>(set->second);
}

}  // namespace

class ChooseDatasetsTest final : public QObject {
  Q_OBJECT

  static const GraphNode* load_node(const test::Studio& studio) {
    for (const auto& [id, node] : studio.document.graph().nodes)
      if (node.type == "input.load_scan") return &node;
    return nullptr;
  }

  // The dialog of a load node that is the whole pipeline, by the button of its form.
  static DatasetsDialog* opened_by_form(test::Studio& studio) {
    auto* inspector = studio.window.findChild<Inspector*>();
    const auto is_ready = [&] { return inspector->form() != nullptr && inspector->form()->node() == u"load"; };
    studio.selection.set_one(QStringLiteral("load"));
    if (!QTest::qWaitFor(is_ready, test::patience_ms) || !studio.press(QStringLiteral("Datasets in the file…")))
      return nullptr;
    const auto is_read = [&] {
      const DatasetsDialog* dialog = shown_dialog(studio.window);
      return dialog != nullptr && dialog->model().rowCount() > 0;
    };
    return QTest::qWaitFor(is_read, test::patience_ms) ? shown_dialog(studio.window) : nullptr;
  }
  static void load_alone(test::Studio& studio, const std::map<std::string, ParamValue>& params) {
    studio.document.edit(QStringLiteral("Load"), [&](Graph& g) {
      g.nodes.clear();
      g.links.clear();
      g.nodes["load"] = {"input.load_scan", 1, params};
    });
  }

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void an_unknown_layout_asks_and_is_remembered();
  void what_does_not_fit_is_reported();
  void cancelling_says_why_nothing_opened();
  void the_form_opens_the_tree_on_request();
  void flats_of_another_file_stay();
  void a_known_layout_says_what_is_wrong();
};

void ChooseDatasetsTest::an_unknown_layout_asks_and_is_remembered() {
  test::Studio studio;
  QVERIFY(studio.open());
  studio.drop(scan_file(studio.folder, "first.h5", 7, 12));
  QTRY_VERIFY_WITH_TIMEOUT(shown_dialog(studio.window) != nullptr, test::patience_ms);
  DatasetsDialog& dialog = *shown_dialog(studio.window);
  // Suggested by shapes and names; the tree says what each is, and what it is used as.
  QCOMPARE(dialog.line(DatasetRole::frames).text(), QStringLiteral("/beamtime/scan_7/camera/images"));
  QCOMPARE(dialog.line(DatasetRole::flats).text(), QStringLiteral("/beamtime/scan_7/camera/flats"));
  QCOMPARE(dialog.line(DatasetRole::darks).text(), QStringLiteral("/beamtime/scan_7/camera/darks"));
  QCOMPARE(dialog.line(DatasetRole::angles).text(), QStringLiteral("/beamtime/scan_7/motors/stage"));
  QVERIFY(dialog.line(DatasetRole::kinds).text().isEmpty() && dialog.accept_button().isEnabled());
  const QModelIndex frames = dialog.model().index_of("/beamtime/scan_7/camera/images");
  QCOMPARE(frames.siblingAtColumn(DatasetModel::contents_column).data().toString(),
           QStringLiteral("uint16 12 × 8 × 16"));
  QCOMPARE(frames.siblingAtColumn(DatasetModel::use_column).data().toString(), QStringLiteral("Frames"));
  for (const char* theme : {"dark", "light"}) {
    Theme::instance().set(QLatin1String(theme));
    test::keep_picture(dialog, QStringLiteral("datasets-") + QLatin1String(theme), 100);
  }
  Theme::instance().set(QStringLiteral("dark"));
  QTest::mouseClick(&dialog.accept_button(), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(load_node(studio) != nullptr, test::patience_ms);
  QCOMPARE(param_text(*load_node(studio), "data"), std::string("/beamtime/scan_7/camera/images"));
  QCOMPARE(param_text(*load_node(studio), "flats"), std::string("/beamtime/scan_7/camera/flats"));
  QCOMPARE(param_text(*load_node(studio), "angles_dataset"), std::string("/beamtime/scan_7/motors/stage"));
  studio.document.undo_stack().setClean();

  // Another scan of the same layout, of other sizes: nothing is asked.
  studio.drop(scan_file(studio.folder, "second.h5", 8, 20));
  QTRY_VERIFY_WITH_TIMEOUT(
      load_node(studio) != nullptr && param_text(*load_node(studio), "data") == "/beamtime/scan_8/camera/images",
      test::patience_ms);
  QVERIFY(shown_dialog(studio.window) == nullptr);
  QVERIFY(studio.has_message(QStringLiteral("as in the last file of this layout")));
  studio.document.undo_stack().setClean();
}

void ChooseDatasetsTest::what_does_not_fit_is_reported() {
  test::Studio studio;
  QVERIFY(studio.open());
  studio.drop(scan_file(studio.folder, "scan.h5", 1, 12));
  QTRY_VERIFY_WITH_TIMEOUT(shown_dialog(studio.window) != nullptr, test::patience_ms);
  DatasetsDialog& dialog = *shown_dialog(studio.window);
  const std::string scan = "/beamtime/scan_1";
  // A list is not an image; an image of another size is not a flat.
  select(dialog, scan + "/motors/stage");
  QVERIFY(!dialog.use_button(DatasetRole::frames).isEnabled() && dialog.use_button(DatasetRole::angles).isEnabled());
  select(dialog, scan + "/camera/preview");
  QVERIFY(dialog.use_button(DatasetRole::frames).isEnabled() && !dialog.use_button(DatasetRole::flats).isEnabled());
  select(dialog, scan + "/camera");
  for (const DatasetRole role : io::dataset_roles) QVERIFY(!dialog.use_button(role).isEnabled());
  // Other frames, whose flats no longer fit: the dialog says so, and does not accept them.
  select(dialog, scan + "/camera/preview");
  QTest::mouseClick(&dialog.use_button(DatasetRole::frames), Qt::LeftButton);
  QCOMPARE(dialog.line(DatasetRole::frames).text(), QString::fromStdString(scan + "/camera/preview"));
  QVERIFY(!dialog.accept_button().isEnabled());
  const auto labels = dialog.findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text().startsWith(QStringLiteral("Flats: Its pixels"));
  }));
  test::keep_picture(dialog, QStringLiteral("datasets-problem"), 100);
  dialog.line(DatasetRole::flats).clear();
  dialog.line(DatasetRole::darks).clear();
  QVERIFY(dialog.accept_button().isEnabled());
  dialog.line(DatasetRole::frames).setText(QStringLiteral("/nothing"));
  QVERIFY(!dialog.accept_button().isEnabled());
}

void ChooseDatasetsTest::cancelling_says_why_nothing_opened() {
  test::Studio studio;
  QVERIFY(studio.open());
  studio.drop(scan_file(studio.folder, "scan.h5", 1, 12));
  QTRY_VERIFY_WITH_TIMEOUT(shown_dialog(studio.window) != nullptr, test::patience_ms);
  QTest::keyClick(shown_dialog(studio.window), Qt::Key_Escape);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  QVERIFY(studio.has_message(QStringLiteral("not a scan that can be read")));
  QVERIFY(load_node(studio) == nullptr);
}

void ChooseDatasetsTest::the_form_opens_the_tree_on_request() {
  test::Studio studio;
  QVERIFY(studio.open_example());
  const QString file = scan_file(studio.folder, "scan.h5", 3, 12);
  studio.document.edit(QStringLiteral("Load"), [&](Graph& g) {
    g.nodes.clear();
    g.links.clear();
    g.nodes["load"] = {"input.load_scan", 1, {{"file", file.toStdString()}, {"angle_step", Number{15, Unit::deg}}}};
  });
  studio.selection.set_one(QStringLiteral("load"));
  auto* inspector = studio.window.findChild<Inspector*>();
  QTRY_VERIFY(inspector->form() != nullptr && inspector->form()->node() == QStringLiteral("load"));
  QVERIFY(studio.press(QStringLiteral("Datasets in the file…")));
  QTRY_VERIFY_WITH_TIMEOUT(
      shown_dialog(studio.window) != nullptr && shown_dialog(studio.window)->accept_button().isEnabled(),
      test::patience_ms);
  DatasetsDialog& dialog = *shown_dialog(studio.window);
  select(dialog, "/beamtime/scan_3/camera/images");
  QTest::mouseClick(&dialog.use_button(DatasetRole::frames), Qt::LeftButton);
  QTest::mouseClick(&dialog.accept_button(), Qt::LeftButton);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  const GraphNode& node = studio.document.graph().nodes.at("load");
  QCOMPARE(param_text(node, "data"), std::string("/beamtime/scan_3/camera/images"));
  QCOMPARE(param_text(node, "angles_dataset"), std::string("/beamtime/scan_3/motors/stage"));
  QVERIFY(!node.params.contains("angle_step"));
  // One step; and what was chosen is remembered, here too.
  studio.document.undo_stack().undo();
  QVERIFY(param_text(studio.document.graph().nodes.at("load"), "data").empty());
  studio.document.undo_stack().setClean();
  studio.drop(scan_file(studio.folder, "other.h5", 4, 9));
  QTRY_VERIFY_WITH_TIMEOUT(
      load_node(studio) != nullptr && param_text(*load_node(studio), "data") == "/beamtime/scan_4/camera/images",
      test::patience_ms);
  QVERIFY(shown_dialog(studio.window) == nullptr);
  studio.document.undo_stack().setClean();
}

// What another file has is neither suggested nor checked nor removed, until the user chooses it here.
void ChooseDatasetsTest::flats_of_another_file_stay() {
  test::Studio studio;
  QVERIFY(studio.open_example());
  const std::string file = scan_file(studio.folder, "scan.h5", 3, 12).toStdString();
  const std::string other = scan_file(studio.folder, "open_beam.h5", 9, 12).toStdString();
  load_alone(studio, {{"file", file}, {"flats_file", other}, {"flats", std::string("/beamtime/scan_9/camera/flats")}});
  DatasetsDialog* dialog = opened_by_form(studio);
  QVERIFY(dialog != nullptr);
  QVERIFY(dialog->line(DatasetRole::flats).text().isEmpty());
  QVERIFY(dialog->line(DatasetRole::flats).placeholderText().contains(QStringLiteral("open_beam.h5")));
  QCOMPARE(dialog->line(DatasetRole::darks).text(), QStringLiteral("/beamtime/scan_3/camera/darks"));
  QVERIFY(dialog->accept_button().isEnabled());
  QTest::mouseClick(&dialog->accept_button(), Qt::LeftButton);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  const auto node = [&]() -> const GraphNode& { return studio.document.graph().nodes.at("load"); };
  QCOMPARE(param_text(node(), "flats"), std::string("/beamtime/scan_9/camera/flats"));
  QCOMPARE(param_text(node(), "flats_file"), other);
  QCOMPARE(param_text(node(), "darks"), std::string("/beamtime/scan_3/camera/darks"));
  // The paths of the other file are none of this one.
  dialog = opened_by_form(studio);
  QVERIFY(dialog != nullptr);
  QVERIFY(dialog->line(DatasetRole::flats).text().isEmpty() && dialog->accept_button().isEnabled());
  select(*dialog, "/beamtime/scan_3/camera/flats");
  QTest::mouseClick(&dialog->use_button(DatasetRole::flats), Qt::LeftButton);
  QTest::mouseClick(&dialog->accept_button(), Qt::LeftButton);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  QCOMPARE(param_text(node(), "flats"), std::string("/beamtime/scan_3/camera/flats"));
  QVERIFY(!node().params.contains("flats_file"));
  // Nor is a file whose name is empty another one.
  load_alone(studio, {{"file", file},
                      {"data", std::string("/beamtime/scan_3/camera/images")},
                      {"flats_file", std::string()},
                      {"flats", std::string("/beamtime/scan_3/camera/flats")}});
  dialog = opened_by_form(studio);
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->line(DatasetRole::flats).text(), QStringLiteral("/beamtime/scan_3/camera/flats"));
  dialog->line(DatasetRole::flats).clear();
  QTest::mouseClick(&dialog->accept_button(), Qt::LeftButton);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  QVERIFY(!node().params.contains("flats"));
  studio.document.undo_stack().setClean();
}

// No question about the layout, and no choice that is remembered for it, hides what is wrong in a file of a known one.
void ChooseDatasetsTest::a_known_layout_says_what_is_wrong() {
  test::Studio studio;
  QVERIFY(studio.open_example());
  load_alone(studio, {{"file", wrong_nxtomo(studio.folder, "first.nx").toStdString()}});
  DatasetsDialog* dialog = opened_by_form(studio);
  QVERIFY(dialog != nullptr);
  select(*dialog, "/entry/instrument/detector/data");
  QTest::mouseClick(&dialog->use_button(DatasetRole::frames), Qt::LeftButton);
  QVERIFY(dialog->accept_button().isEnabled());
  QTest::mouseClick(&dialog->accept_button(), Qt::LeftButton);
  QTRY_VERIFY(shown_dialog(studio.window) == nullptr);
  const std::string before = param_text(*load_node(studio), "file");
  studio.document.undo_stack().setClean();
  studio.drop(wrong_nxtomo(studio.folder, "second.nx"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.has_message(QStringLiteral("4 frames")) || shown_dialog(studio.window) != nullptr ||
                               param_text(*load_node(studio), "file") != before,
                           test::patience_ms);
  QVERIFY(shown_dialog(studio.window) == nullptr);
  QVERIFY(studio.has_message(QStringLiteral("second.nx")) && studio.has_message(QStringLiteral("image_key")));
  QCOMPARE(param_text(*load_node(studio), "file"), before);
  studio.document.undo_stack().setClean();
}

TL_TEST_CASE(ChooseDatasetsTest)

}  // namespace tl::ui::choose_datasets_test

#include "choose_datasets.moc"
