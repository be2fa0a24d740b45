// VolumeScene: the scene of the 3D view's tests: a ball off the centre, and its position in an image.
#pragma once

#include <QtTest>

#include "tests/support/gui/fake_pictures.h"
#include "tests/support/gui/window.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::test {

// A ball, off the middle: to the right, to the back, high up.
struct VolumeScene {
  VolumeScene() : state(source) {
    source.set_grid(VolumeGrid::cubic(32, 40, 48, 0.1));
    source.value = [](Vec3 p) { return norm(p - Vec3{1.2, 0.6, 0.9}) < 0.6 ? 1.0F : 0.0F; };
    state.set_levels({"fbp", "volume"}, {0, 1}, ui::LevelsMode::manual);
    state.set_volume_color_map(ui::ColorMap::magma);
  }
  void show(ui::VolumePane& pane) {
    pane.resize(360, 300);
    QVERIFY(open_window(pane));
    settle(pane);
  }
  // Waits for the final image after the last change.
  static void settle(ui::VolumePane& pane) {
    QTRY_VERIFY_WITH_TIMEOUT(pane.is_settled(), patience_ms);
    QCOMPARE(pane.image().size(), pane.size());
  }
  FakePictures source;
  ui::ViewState state;
};

// Pixels that clearly differ from background and box, and their centre.
struct BrightPixels {
  int64_t count = 0;
  QPointF middle;
};
inline BrightPixels bright_pixels(const QImage& image) {
  BrightPixels s;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (qGray(image.pixel(x, y)) > 110) {
        ++s.count;
        s.middle += QPointF(x, y);
      }
  if (s.count > 0) s.middle /= static_cast<double>(s.count);
  return s;
}

}  // namespace tl::test
