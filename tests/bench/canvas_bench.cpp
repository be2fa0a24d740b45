// How long one frame of the node editor takes while it is panned and zoomed: 200 nodes, 300 links, 1680 x 1020.
// Run under Xvfb; prints one JSON line per case with median and worst frame in milliseconds.
#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <algorithm>
#include <clocale>
#include <cstdio>

#include "gpu/device/device.h"
#include "widgets/canvas/canvas.h"

namespace {

using namespace tl;
using namespace tl::ui;

constexpr int columns = 20, rows = 10, wanted_links = 300, frames = 60;

// Rows of filters, each chain fed by a simulated scan, and outputs across until there are enough links.
Graph large_graph() {
  Graph g;
  std::vector<std::string> chain_ends;
  for (int r = 0; r < rows; ++r) {
    std::string last;
    for (int c = 0; c < columns; ++c) {
      const char* type = c == 0       ? "input.simulate_scan"
                         : c == 1     ? "recon.fbp"
                         : c % 5 == 4 ? "measure.statistics"
                                      : "filter.gaussian";
      const std::string id = edit::add_node(g, Registry::all(), type).or_throw();
      if (!last.empty()) {
        const auto& outputs = Registry::all().find(g.nodes.at(last).type)->outputs;
        const auto names = edit::fitting_inputs(g, Registry::all(), last, outputs.front().name, id);
        if (!names.empty()) (void)edit::connect(g, Registry::all(), {last, outputs.front().name, id, names.front()});
      }
      if (c % 5 != 4) last = id;
    }
  }
  // Scalars of the statistics drive widths of filters.
  for (const auto& [from, node] : g.nodes)
    for (const auto& [to, other] : g.nodes) {
      if (g.links.size() >= wanted_links) return g;
      if (node.type != "measure.statistics" || other.type != "filter.gaussian") continue;
      if (g.link_into(to, "sigma") != nullptr) continue;
      (void)edit::connect(g, Registry::all(), {from, "mean", to, "sigma"});
    }
  return g;
}

// What a frame paints: all of the view, or, as when a person pans, only what comes into sight, through the event loop.
enum class Painted { everything, what_is_new };

// One frame: the view is changed and painted at once.
void measure(const char* name, Canvas& canvas, const std::function<void(int)>& change,
             Painted painted = Painted::everything) {
  std::vector<double> times;
  for (int i = 0; i < frames; ++i) {
    QElapsedTimer timer;
    timer.start();
    change(i);
    if (painted == Painted::everything) canvas.view().viewport()->repaint();
    if (painted == Painted::what_is_new) QCoreApplication::processEvents();
    times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    QCoreApplication::processEvents();
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"case\": \"%s\", \"median_ms\": %.2f, \"p95_ms\": %.2f, \"worst_ms\": %.2f, \"budget_ms\": 16}\n",
              name, times[times.size() / 2], times[times.size() * 95 / 100], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  tl::init_devices();
  QApplication app(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  QApplication::setStyle(QStringLiteral("Fusion"));
  std::setlocale(LC_ALL, "C");
  Document document;
  document.reset(large_graph());
  live::EngineOptions options;
  options.switches.thumbnails = false;
  LiveSession session(document, options);
  Selection selection;
  Canvas canvas(session, selection);
  canvas.resize(1680, 1020);
  canvas.show();
  for (int i = 0; i < 50; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  QImage noise(188, 92, QImage::Format_Grayscale8);
  for (int y = 0; y < noise.height(); ++y)
    for (int x = 0; x < noise.width(); ++x) noise.scanLine(y)[x] = static_cast<uchar>((x * 7 + y * 13) & 255);
  for (NodeItem* item : canvas.scene().nodes()) {
    Card card = item->card();
    card.picture = noise;
    item->set_card(card);
  }
  std::printf("{\"nodes\": %zu, \"links\": %zu}\n", document.graph().nodes.size(), document.graph().links.size());
  CanvasView& view = canvas.view();
  const auto pan = [&](int i) { view.pan_by({i % 20 < 10 ? 9 : -9, i % 20 < 10 ? 5 : -5}); };
  for (const double zoom : {1.0, 0.6, 0.3}) {
    view.zoom_by(zoom / view.transform().m11(), view.viewport()->rect().center());
    view.viewport()->repaint();
    measure(("pan at " + std::to_string(zoom).substr(0, 3)).c_str(), canvas, pan);
    measure(("pan by hand at " + std::to_string(zoom).substr(0, 3)).c_str(), canvas, pan, Painted::what_is_new);
  }
  canvas.fit_all();
  measure("pan, all in sight", canvas, pan);
  canvas.fit_all();
  const QPoint middle = view.viewport()->rect().center();
  measure("zoom from all to life size", canvas, [&](int i) { view.zoom_by(i % 30 < 15 ? 1.08 : 1 / 1.08, middle); });
  return 0;
}
