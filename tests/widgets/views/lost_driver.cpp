// A graphics driver that takes the context of the 3D view away: said, and the view comes back with the driver.
#include <QOffscreenSurface>
#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui/volume_scene.h"
#include "tests/support/test_case.h"
#include "widgets/views/volume/volume_pane.h"
#include "widgets/views/volume/volume_thread.h"

namespace tl::ui::lost_driver_test {

using Scene = test::VolumeScene;
using test::bright_pixels;

class LostDriverTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_view_comes_back();
};

void LostDriverTest::the_view_comes_back() {
  Scene s;
  VolumePane pane(s.source, s.state, "3d");
  s.show(pane);
  const auto pixels = bright_pixels(pane.image()).count;
  const auto* thread = pane.findChild<VolumeThread*>();
  auto* surface = thread == nullptr ? nullptr : thread->findChild<QOffscreenSurface*>();
  QVERIFY(surface != nullptr);
  QSignalSpy failed(thread, &VolumeThread::failed);
  surface->destroy();  // as after a loss, the context cannot be made current
  QTest::keyClick(&pane, Qt::Key_Plus);
  QTRY_VERIFY(!failed.isEmpty());
  QVERIFY2(failed.back().front().toString().contains("driver"), qPrintable(failed.back().front().toString()));
  surface->create();
  QTest::keyClick(&pane, Qt::Key_F);
  Scene::settle(pane);
  const auto again = bright_pixels(pane.image()).count;
  QVERIFY2(std::abs(static_cast<double>(again) - static_cast<double>(pixels)) < 0.02 * static_cast<double>(pixels),
           qPrintable(QStringLiteral("%1 of %2 pixels").arg(again).arg(pixels)));
}

TL_TEST_CASE(LostDriverTest)

}  // namespace tl::ui::lost_driver_test

#include "lost_driver.moc"
