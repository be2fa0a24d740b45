// Times the response of the views: the next slice of a volume in memory, in one pane and in four.
#include <QApplication>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tests/support/gui/fake_pictures.h"
#include "widgets/views/views_area.h"

namespace {

using namespace tl;

// A volume as one block of floats; slices are copied out of it as a session would.
class Memory final : public ui::PictureSource {
 public:
  explicit Memory(int64_t size) : size_(size), voxels_(static_cast<std::size_t>(size * size * size)) {
    for (std::size_t i = 0; i < voxels_.size(); ++i) voxels_[i] = std::sin(1e-3F * static_cast<float>(i % 104729));
    info_ = VolumeInfo{VolumeGrid::cubic(size, size, size, 0.01), Unit::per_mm};
  }
  [[nodiscard]] const Graph& graph() const override { return shape_.graph(); }
  [[nodiscard]] const Registry& registry() const override { return shape_.registry(); }
  [[nodiscard]] const Info* info(const ui::Output& output) const override {
    return output.port == QLatin1String("volume") ? &info_ : nullptr;
  }
  [[nodiscard]] live::NodeStatus status(const QString&) const override { return {}; }
  void forget(const QString&) override {}
  void request(const QString& view, const live::PictureRequest& request) override {
    const auto* grid = std::get_if<VolumeGrid>(&request.region);
    if (grid == nullptr || (grid->nz > 1 && grid->ny > 1 && grid->nx > 1)) return;
    live::Image image{grid->nz == 1 ? grid->ny : grid->nz, grid->nx == 1 ? grid->ny : grid->nx, {}};
    image.pixels.resize(static_cast<std::size_t>(image.rows * image.cols));
    const auto start = [this](double at) { return std::llround(at / 0.01 + 0.5 * static_cast<double>(size_ - 1)); };
    const int64_t k = grid->nz == 1 ? start(grid->centre.z) : 0, j = grid->ny == 1 ? start(grid->centre.y) : 0;
    const int64_t i = grid->nx == 1 ? start(grid->centre.x) : 0;
    const int64_t down = grid->nz == 1 ? size_ : size_ * size_, right = grid->nx == 1 ? size_ : 1;
    float* to = image.pixels.data();
    for (int64_t r = image.rows - 1; r >= 0; --r)
      for (int64_t c = 0; c < image.cols; ++c)
        *to++ = voxels_[static_cast<std::size_t>((k * size_ + j) * size_ + i + r * down + c * right)];
    live::Picture picture;
    picture.request = request;
    picture.image = std::make_shared<const live::Image>(std::move(image));
    picture.unit = "1/mm";
    Q_EMIT picture_ready(view, picture);
  }

 private:
  test::FakePictures shape_;
  int64_t size_;
  std::vector<float> voxels_;
  Info info_;
};

void wheel(QWidget& widget, int turn) {
  const QPointF middle = QRectF(widget.rect()).center();
  QWheelEvent event(middle, widget.mapToGlobal(middle), {}, {0, turn}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(&widget, &event);
}

// Median and worst milliseconds from the wheel to the repainted window.
void measure(const char* name, ui::ViewsArea& views, QWidget& pane) {
  std::vector<double> times;
  constexpr int warm = 5, steps = 60;
  for (int i = 0; i < warm + steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    wheel(pane, i % 2 == 0 ? 120 : -240);
    for (std::size_t c = 0; c < ui::ViewsArea::cells; ++c)
      if (views.cell(c).isVisible()) views.cell(c).pane()->repaint();
    QApplication::processEvents();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (i >= warm) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"case\": \"%s\", \"median_ms\": %.2f, \"p95_ms\": %.2f, \"worst_ms\": %.2f}\n", name,
              times[times.size() / 2], times[times.size() * 95 / 100], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  QApplication app(argc, argv);
  Memory source(512);
  ui::ViewsArea views(source);
  views.state().set_crosshair({0.01, 0.01, 0.01});
  views.resize(1100, 1060);
  views.set_layout(ui::ViewsLayout::see);
  views.cell(3).set_kind(ui::PaneKind::xy);
  views.show();
  QApplication::processEvents();
  measure("next slice of 512^3, four panes", views, *views.cell(0).pane());
  views.fill(0);
  QApplication::processEvents();
  measure("next slice of 512^3, one pane of 1100 x 1060", views, *views.cell(0).pane());
  return 0;
}
