// The views of the whole studio with a real scan of two rows: which panes there are, and one grey window everywhere.
#include <QUndoStack>
#include <filesystem>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/panes/compare_pane.h"
#include "widgets/views/views_area.h"

namespace tl::ui::views_studio_test {

class ViewsStudioTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_scan_of_two_rows();
  void another_value_does_not_set_the_window();
};

namespace {

using test::patience_ms;

std::filesystem::path tooth_scan() {
  std::filesystem::path shared = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
  if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) shared = qgetenv("TL_SHARED_DATA").toStdString();
  return shared / "aps_tooth.h5";
}

bool show_workspace(test::Studio& studio, const QString& name) {
  for (QAction* action : studio.window.actions())
    if (action->text() == name && action->isCheckable()) {
      action->trigger();
      return true;
    }
  return false;
}

}  // namespace

void ViewsStudioTest::a_scan_of_two_rows() {
  const std::filesystem::path scan = tooth_scan();
  if (!std::filesystem::exists(scan)) QSKIP("the shared data folder is not here");
  test::Studio studio;
  studio.window.resize(1440, 900);
  QVERIFY(studio.open());
  studio.drop(QString::fromStdString(scan.string()));
  auto* views = studio.window.findChild<ViewsArea*>();
  QTRY_VERIFY_WITH_TIMEOUT(!views->state().volume().empty(), patience_ms);
  QVERIFY(show_workspace(studio, QStringLiteral("See")));
  const auto is_settled = [views] {
    const ImagePane* pane = views->cell(0).image_pane();
    return pane != nullptr && pane->is_current() && pane->is_sharp();
  };
  QTRY_VERIFY_WITH_TIMEOUT(is_settled() && views->cell(1).kind() == PaneKind::sinogram, patience_ms);
  QVERIFY(views->cell(0).kind() == PaneKind::xy && views->cell(3).kind() == PaneKind::before);
  QVERIFY(views->cell(2).isHidden());
  test::keep_picture(studio.window, QStringLiteral("studio-see"), 1500);

  // The same limits in every workspace.
  const Output volume = views->state().volume();
  QTRY_VERIFY_WITH_TIMEOUT(views->state().levels(volume).has_value(), patience_ms);
  const auto of_slice = [views] {
    return picture::percentile_levels(*views->cell(0).image_pane()->picture()->image, picture::clipped_percent);
  };
  QTRY_VERIFY_WITH_TIMEOUT(is_settled() && views->state().levels(volume) == of_slice(), patience_ms);
  const auto first = *views->state().levels(volume);
  for (const char* name : {"Weave", "Compare", "Learn", "See"}) {
    QVERIFY(show_workspace(studio, QLatin1String(name)));
    QTest::qWait(100);
    QVERIFY(views->state().levels(volume) == first);
    QVERIFY(views->state().levels_mode(volume) == LevelsMode::automatic);
    test::keep_picture(studio.window, QStringLiteral("studio-") + QLatin1String(name).toString().toLower(), 1500);
  }
  // A changed parameter keeps them for the moment; undo brings them back.
  QTRY_VERIFY_WITH_TIMEOUT(is_settled(), patience_ms);
  const std::string node = volume.node.toStdString();
  studio.document.edit(QStringLiteral("Change the cutoff"), [&node](Graph& g) {
    g.nodes.at(node).params["cutoff"] = Number{0.1, Unit::nyquist};
  });
  QVERIFY(views->state().levels(volume) == first);
  QTRY_VERIFY_WITH_TIMEOUT(views->state().levels(volume) != first, patience_ms);
  studio.document.undo_stack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(views->state().levels(volume) == first, patience_ms);

  // A measurement is a step that can be undone.
  ImagePane* pane = views->cell(0).image_pane();
  pane->setFocus();
  QTest::keyClick(pane, Qt::Key_D);
  QTest::keyClick(pane, Qt::Key_Return);
  QCOMPARE(pane->measurements().all().size(), std::size_t{1});
  QVERIFY(studio.document.graph().ui.find("measurements") != std::string::npos);
  studio.document.undo_stack().undo();
  QVERIFY(pane->measurements().empty());
  studio.document.undo_stack().redo();
  QCOMPARE(pane->measurements().all().size(), std::size_t{1});
  if (!qEnvironmentVariableIsSet("TL_PICTURES")) return;
  QTest::keyClick(pane, Qt::Key_L);
  QTest::keyClick(pane, Qt::Key_Return);
  QTest::keyClick(pane, Qt::Key_R);
  QTest::keyClick(pane, Qt::Key_Return);
  for (const char* theme : {"dark", "light"}) {
    Theme::instance().set(QLatin1String(theme));
    test::keep_picture(studio.window, QStringLiteral("studio-tools-") + QLatin1String(theme), 500);
  }
}

// Before: the image of another value in Compare set the window of the pipeline's own result, in every workspace.
void ViewsStudioTest::another_value_does_not_set_the_window() {
  test::Studio studio;
  QVERIFY(studio.open_example());
  QVERIFY(show_workspace(studio, QStringLiteral("See")));
  auto* views = studio.window.findChild<ViewsArea*>();
  const auto levels = [views] { return views->state().levels(views->state().volume()); };
  const auto is_measured = [&] {
    const ImagePane* pane = views->cell(0).image_pane();
    return pane != nullptr && pane->is_current() && pane->is_sharp() &&
           levels() == picture::percentile_levels(*pane->picture()->image, picture::clipped_percent);
  };
  QTRY_VERIFY_WITH_TIMEOUT(is_measured(), patience_ms);
  const auto own = *levels();

  QVERIFY(show_workspace(studio, QStringLiteral("Compare")));
  auto* compare = studio.window.findChild<CompareArea*>();
  const Output volume = views->state().volume();
  const auto is_compared = [&](const char* value) {
    const auto image = [compare] {
      const ComparePane& right = compare->right();
      return right.is_current() && right.is_sharp() ? right.picture()->image : nullptr;
    };
    const auto before = image();
    return compare->compare_value(volume, volume.node, QStringLiteral("cutoff"), QLatin1String(value)).ok() &&
           QTest::qWaitFor([&] { return image() != nullptr && image() != before; }, patience_ms);
  };
  for (const char* value : {"0.2", "0.1"}) {
    QVERIFY(is_compared(value));
    QCOMPARE(levels()->high, own.high);
  }
  QVERIFY(show_workspace(studio, QStringLiteral("See")));
  QTRY_VERIFY_WITH_TIMEOUT(is_measured(), patience_ms);
  QVERIFY(*levels() == own);
  studio.document.undo_stack().setClean();
}

TL_TEST_CASE(ViewsStudioTest)

}  // namespace tl::ui::views_studio_test

#include "studio.moc"
