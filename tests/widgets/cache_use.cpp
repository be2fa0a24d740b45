// Cache use of a node: shown in inspector and outline; freed and pinned there and in the menu.
#include <QLabel>

#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/inspector/cache_row.h"
#include "widgets/inspector/inspector.h"
#include "widgets/text/amounts.h"
#include "widgets/theme/theme.h"

namespace tl::ui::cache_use_test {

using test::Studio;

class CacheUseTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { Theme::instance().set(QStringLiteral("dark")); }
  void it_is_shown_freed_and_pinned();
};

namespace {

using test::patience_ms;

QString words(const CacheRow& row) { return row.findChild<QLabel*>()->text(); }

QToolButton* button(const CacheRow& row, const QString& text) {
  for (QToolButton* b : row.findChildren<QToolButton*>())
    if (b->text() == text) return b;
  return nullptr;
}

}  // namespace

void CacheUseTest::it_is_shown_freed_and_pinned() {
  Studio studio;
  studio.window.resize(1440, 900);
  QVERIFY(studio.open_example());
  studio.selection.set_one(QStringLiteral("fbp"));
  auto& row = *studio.window.inspector().findChild<CacheRow*>();
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.cached_bytes(QStringLiteral("fbp")) > 0, patience_ms);
  const auto cached_text = [&] { return bytes_text(studio.session.cached_bytes(QStringLiteral("fbp"))); };
  QTRY_COMPARE_WITH_TIMEOUT(words(row), QStringLiteral("In the cache: ") + cached_text(), patience_ms);
  auto* outline = studio.window.findChild<OutlineView*>();
  const auto line = [&] {
    const auto* model = outline->model();
    for (int i = 0; i < model->rowCount(); ++i)
      if (model->index(i, 0).data().toString() == QStringLiteral("FBP"))
        return model->index(i, 0).data(Qt::ToolTipRole).toString();
    return QString();
  };
  QVERIFY2(line().contains(cached_text() + QStringLiteral(" in the cache")), qPrintable(line()));

  studio.window.inspector().ensureWidgetVisible(&row);
  QTest::mouseClick(button(row, QStringLiteral("Pin")), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.is_pinned(QStringLiteral("fbp")), patience_ms);
  const GraphActions& actions = studio.window.findChild<Canvas*>()->graph_actions();
  QTRY_VERIFY_WITH_TIMEOUT(actions.pin->isChecked(), patience_ms);
  QVERIFY2(line().endsWith(QStringLiteral("pinned")), qPrintable(line()));
  test::keep_picture(studio.window, QStringLiteral("cache-pinned"));
  actions.pin->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(
      !studio.session.is_pinned(QStringLiteral("fbp")) && !button(row, QStringLiteral("Pin"))->isChecked(),
      patience_ms);

  // A view that does not change requests nothing again: what is freed stays free.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session.run_progress().running, patience_ms);
  QVERIFY(actions.free_node->isEnabled() && actions.free_node->text().contains(cached_text()));
  QTest::mouseClick(button(row, QStringLiteral("Free")), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session.cached_bytes(QStringLiteral("fbp")), qint64{0}, patience_ms);
  QTRY_COMPARE_WITH_TIMEOUT(words(row), QStringLiteral("Nothing in the cache"), patience_ms);
  QVERIFY(!actions.free_node->isEnabled() && !button(row, QStringLiteral("Free"))->isEnabled());
  // Another pipeline begins with no pins.
  studio.session.keep(QStringLiteral("fbp"), LiveSession::Keep::pinned);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session.is_pinned(QStringLiteral("fbp")), patience_ms);
  studio.session.forget_pipeline();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session.is_pinned(QStringLiteral("fbp")), patience_ms);
  studio.document.undo_stack().setClean();
}

TL_TEST_CASE(CacheUseTest)

}  // namespace tl::ui::cache_use_test

#include "cache_use.moc"
