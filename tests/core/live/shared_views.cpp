// Views that several windows of a stream share: corrected once, filtered once, weighted by the angles of each window; a
// window is the same as one of which nothing is known from before.
#include <ATen/ATen.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <optional>
#include <string_view>

#include "core/base/units.h"
#include "core/live/windows/arrivals.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/window_sums.h"
#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::shared_views_test {

namespace {

constexpr int64_t rows = 6, cols = 40, frames = 60, length = 24, hop = 6;
constexpr int64_t windows = (frames - length) / hop + 1;
// Of the range. Weights follow the filter instead of going before it, which is the same but for rounding in float32.
constexpr double same = 1e-6;

enum class Order { turn, sweep, golden };

// Of view i [deg]. Every window covers half a turn, or a full one.
double angle_of(Order order, int64_t i, double period) {
  constexpr int64_t of_sweep = length / 2;
  const double step = period / static_cast<double>(order == Order::sweep ? of_sweep : length);
  const int64_t there = i % of_sweep;
  switch (order) {
    case Order::turn: return step * static_cast<double>(i);
    case Order::sweep: return step * static_cast<double>((i / of_sweep) % 2 == 0 ? there : of_sweep - 1 - there);
    case Order::golden: break;
  }
  return std::fmod(period * 0.6180339887498949 * static_cast<double>(i), period);
}

// Absorption of two discs [1], with some noise.
double absorption(double angle, int64_t view, int64_t row, int64_t col) {
  const double u = static_cast<double>(col) - 0.5 * (cols - 1), t = to_stored(angle, Unit::deg);
  const auto disc = [&](double x, double y, double radius, double mu) {
    const double away = u - (x * std::cos(t) + y * std::sin(t));
    return 2 * mu * std::sqrt(std::max(radius * radius - away * away, 0.0));
  };
  const double noise =
      0.01 * std::sin(12.9898 * static_cast<double>(view) + 78.233 * static_cast<double>(row * cols + col));
  return disc(0, 0, 15, 0.02) + disc(5, 3 + 0.2 * static_cast<double>(row), 4, 0.05) + noise;
}

template <class T>
stream::FramePtr frame_of(int64_t number, stream::FrameKind kind, double angle, stream::PixelType type,
                          const std::function<double(int64_t row, int64_t col)>& value) {
  stream::Frame frame;
  frame.number = number;
  frame.kind = kind;
  frame.angle = angle;
  frame.rows = rows;
  frame.cols = cols;
  frame.type = type;
  frame.pixels.resize(static_cast<std::size_t>(rows * cols) * sizeof(T));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t col = 0; col < cols; ++col) {
      const T pixel = static_cast<T>(value(row, col));
      std::memcpy(frame.pixels.data() + static_cast<std::size_t>(row * cols + col) * sizeof(T), &pixel, sizeof(T));
    }
  return std::make_shared<const stream::Frame>(std::move(frame));
}

stream::FramePtr counts(int64_t view, double angle) {
  return frame_of<uint16_t>(
      view + 1, stream::FrameKind::view, angle, stream::PixelType::uint16,
      [=](int64_t row, int64_t col) { return 20000 * std::exp(-absorption(angle, view, row, col)); });
}

using MakeFrame = std::function<stream::FramePtr(int64_t view, double angle)>;

stream::Window window_of(int64_t index, const std::function<double(int64_t)>& angle, const MakeFrame& make) {
  stream::Window window;
  window.index = index;
  for (int64_t i = index * hop; i < index * hop + length; ++i) window.views.push_back({make(i, angle(i)), i + 1, i});
  window.flats.push_back({frame_of<uint16_t>(0, stream::FrameKind::flat, 0, stream::PixelType::uint16,
                                             [](int64_t, int64_t) { return 20000; }),
                          -0.5});
  return window;
}

Graph pipeline(Beam beam) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {}};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"change", std::string("before")}}};
  g.nodes["recon"] = {"recon.fbp", 1, {}};
  if (beam == Beam::cone) {
    g.nodes["load"].params = {{"beam", std::string("cone")},
                              {"source_to_axis", Number{300, Unit::mm}},
                              {"axis_to_detector", Number{100, Unit::mm}}};
    g.nodes["recon"].type = "recon.fdk";
  }
  g.links = {{"load", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "recon", "projections"}};
  return g;
}

RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

at::Tensor volume(Executor& executor, const Graph& graph, const std::optional<Region>& part) {
  return std::get<Volume>(executor.pull(graph, "recon", "volume", part).or_throw()).data;
}

int64_t counted(const Executor& executor, std::string_view what) {
  const auto stats = executor.stats().find("recon");
  if (stats == executor.stats().end()) return 0;
  const auto count = stats->second.counts.find(std::string(what));
  return count == stats->second.counts.end() ? 0 : count->second;
}
int64_t filtered(const Executor& executor) { return counted(executor, filtered_views_count); }
int64_t back_projected(const Executor& executor) { return counted(executor, back_projected_views_count); }

// A stream of windows, each also by itself.
struct Stream {
  explicit Stream(Graph g) : graph(std::move(g)) {}

  // The largest difference between the window and the same views of which nothing is known from before, over the range.
  double next(const stream::Window& window) {
    GivenOutputs given = arrivals.outputs(executor, graph, window).or_throw();
    executor.give(given);
    shown = volume(executor, graph, part);
    for (auto& [output, one] : given) std::get<Projections>(one.value).contents.clear();
    Executor alone(Registry::all(), options());
    alone.give(std::move(given));
    const at::Tensor wanted = volume(alone, graph, part);
    alone_filtered += filtered(alone);
    return ((shown - wanted).abs().amax() / (wanted.amax() - wanted.amin())).item<double>();
  }

  Graph graph;
  std::optional<Region> part;  // of the volume
  Executor executor{Registry::all(), options()};
  Arrivals arrivals;
  at::Tensor shown;
  int64_t alone_filtered = 0;
};

QByteArray text(auto difference) { return QByteArray::number(difference); }

}  // namespace

class SharedViewsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_view_is_corrected_and_filtered_once_in_every_order() {
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (const Order order : {Order::turn, Order::sweep, Order::golden}) {
        const double period = beam == Beam::parallel ? 180 : 360;
        Stream live(pipeline(beam));
        for (int64_t i = 0; i < windows; ++i) {
          const double difference = live.next(window_of(
              i, [&](int64_t view) { return angle_of(order, view, period); }, counts));
          QVERIFY2(difference <= same, text(difference));
        }
        QCOMPARE(live.arrivals.views_made(), frames);
        QCOMPARE(filtered(live.executor), frames);
        QCOMPARE(live.alone_filtered, windows * length);
      }
  }

  // From the third window on, when the first has shown that windows have views in common: the new views, and those of a
  // sum of which a part has left.
  void an_image_of_every_window_back_projects_new_views_alone() {
    constexpr int64_t longest_sum = 4, side = 12;  // the sums of a plane of this size take less memory than the views
    for (const Beam beam : {Beam::parallel, Beam::cone})
      for (const Order order : {Order::turn, Order::sweep, Order::golden}) {
        const double period = beam == Beam::parallel ? 180 : 360;
        Stream live(pipeline(beam));
        live.part = VolumeGrid::plane(side, side, 1.5, {2, 1, 0.5}, {1, 0, 0}, {0, 0.8, 0.6});
        for (int64_t i = 0; i < windows; ++i) {
          const int64_t before = back_projected(live.executor);
          const double difference = live.next(window_of(
              i, [&](int64_t view) { return angle_of(order, view, period); }, counts));
          QVERIFY2(difference <= same, text(difference));
          const int64_t more = back_projected(live.executor) - before;
          if (i < 2 || order == Order::golden) QCOMPARE(more, length);
          if (i >= 2 && order == Order::turn) QVERIFY2(more >= hop && more <= hop + longest_sum, text(more));
        }
        QCOMPARE(filtered(live.executor), frames);
      }
  }

  // An axis that is set again changes all of them.
  void sums_follow_the_geometry() {
    Graph graph = pipeline(Beam::parallel);
    graph.nodes["axis"] = {"geometry.set", 1, {}};
    graph.links = {{"load", "projections", "flat_field", "projections"},
                   {"flat_field", "projections", "axis", "projections"},
                   {"axis", "projections", "recon", "projections"}};
    Stream live(graph);
    live.part = VolumeGrid::plane(12, 12, 1.5, {}, {1, 0, 0}, {0, 1, 0});
    for (int64_t i = 0; i < windows; ++i) {
      live.graph.nodes["axis"].params["axis"] = Number{i < 4 ? 0.25 : 0.5, Unit::px};
      const int64_t before = back_projected(live.executor);
      const double difference = live.next(window_of(
          i, [](int64_t view) { return angle_of(Order::turn, view, 180); }, counts));
      QVERIFY2(difference <= same, text(difference));
      QCOMPARE(back_projected(live.executor) - before == length, i < 2 || i == 4 || i == 5);
    }
  }

  // Slices need no margin of rows, oblique planes do, and a box of large voxels leaves out the outermost rows.
  void all_images_of_a_window_share_its_filtered_views() {
    Stream live(pipeline(Beam::parallel));
    QVERIFY(live.next(window_of(
                0, [](int64_t view) { return angle_of(Order::turn, view, 180); }, counts)) <= same);
    const Infos infos = live.executor.infos(live.graph, "recon").or_throw();
    const VolumeGrid& grid = std::get<VolumeInfo>(infos.at("volume")).grid;
    const double pixel = norm(grid.step_x);
    const VolumeGrid plane = VolumeGrid::plane(cols, cols, pixel, grid.centre, {1, 0, 0}, {0, 0.8, 0.6});
    (void)live.executor.pull(live.graph, "recon", "volume", plane).or_throw();
    QCOMPARE(filtered(live.executor), length);
    constexpr int64_t many = 640, small = 128;
    const auto tall =
        ScanGeometry::parallel(equidistant_angles(length, std::numbers::pi), {many, cols, 1, 1}).or_throw();
    VolumeGrid box = VolumeGrid::cubic(small, small, small, many / small);
    ProjectionsInfo scan;
    scan.geometry = tall;
    QVERIFY(needed_views({{"projections", scan}}, box) == tall.full());
    box.nz = small / 2;
    QVERIFY(needed_views({{"projections", scan}}, box).rows.size() <= many / 2 + 2);
  }

  // 216 degrees of a parallel beam.
  void ray_weights_filter_every_window() {
    Stream live(pipeline(Beam::parallel));
    for (int64_t i = 0; i < windows; ++i) {
      const double difference = live.next(window_of(
          i, [](int64_t view) { return 9.0 * static_cast<double>(view); }, counts));
      QVERIFY2(difference <= same, text(difference));
    }
    QCOMPARE(live.arrivals.views_made(), frames);
    QCOMPARE(filtered(live.executor), windows * length);
  }

  void another_filter_takes_all_views_once() {
    const auto angle = [](int64_t view) { return angle_of(Order::turn, view, 180); };
    Stream live(pipeline(Beam::parallel));
    QVERIFY(live.next(window_of(0, angle, counts)) <= same);
    QCOMPARE(filtered(live.executor), length);
    const at::Tensor sharp = live.shown;
    live.graph.nodes["recon"].params["cutoff"] = Number{0.5, Unit::nyquist};
    QVERIFY(live.next(window_of(0, angle, counts)) <= same);
    QVERIFY(!live.shown.equal(sharp));
    QCOMPARE(filtered(live.executor), 2 * length);
    QVERIFY(live.next(window_of(1, angle, counts)) <= same);
    QCOMPARE(filtered(live.executor), 2 * length + hop);
    QCOMPARE(live.arrivals.views_made(), length + hop);
  }

  // Memory is not taken for views that are over: as much after many windows as after three.
  void views_of_earlier_windows_are_dropped() {
    const auto angle = [](int64_t view) { return angle_of(Order::turn, view, 180); };
    Stream live(pipeline(Beam::parallel));
    int64_t early = 0;
    for (int64_t i = 0; i < windows; ++i) {
      QVERIFY(live.next(window_of(i, angle, counts)) <= same);
      const int64_t used = live.executor.cache().used();
      // Those that left with the newest hop are dropped one window later.
      if (i == 2) early = used;
      QVERIFY2(i < 3 || used <= early + early / 10,
               qPrintable(QStringLiteral("window %1: %2 of %3").arg(i).arg(used).arg(early)));
    }
    live.executor.give({});
    QCOMPARE(live.executor.cache_by_node().count("recon"), std::size_t{0});
  }

  // Filled from the views at the nearest angles, of which every window has its own.
  void a_dead_view_is_filled_from_its_window() {
    constexpr int64_t dead = 20;
    const MakeFrame logarithms = [](int64_t view, double angle) {
      return frame_of<float>(
          view + 1, stream::FrameKind::view, angle, stream::PixelType::float32,
          [=](int64_t row, int64_t col) { return view == dead ? 3.0 : absorption(angle, view, row, col); });
    };
    Graph graph = pipeline(Beam::parallel);
    graph.nodes.erase("flat_field");
    graph.links = {{"load", "projections", "recon", "projections"}};
    Stream live(graph);
    for (int64_t i = 0; i < windows; ++i) {
      stream::Window window = window_of(
          i, [](int64_t view) { return angle_of(Order::turn, view, 180); }, logarithms);
      window.linear = true;
      const double difference = live.next(window);
      QVERIFY2(difference <= same, text(difference));
    }
    // The windows that begin after it share their views.
    QVERIFY(filtered(live.executor) > frames && filtered(live.executor) < windows * length);
  }

  // The executor clears the digests where a node changed pixels, whatever the node says about them.
  void changed_views_have_other_contents() {
    Graph graph = pipeline(Beam::parallel);
    graph.nodes["stripes"] = {"correct.stripe_removal", 1, {}};
    graph.links = {{"load", "projections", "flat_field", "projections"},
                   {"flat_field", "projections", "stripes", "projections"},
                   {"stripes", "projections", "recon", "projections"}};
    Stream live(graph);
    for (int64_t i = 0; i < windows; ++i) {
      const double difference = live.next(window_of(
          i, [](int64_t view) { return angle_of(Order::turn, view, 180); }, counts));
      QVERIFY2(difference <= same, text(difference));
      const Value made = live.executor.pull(graph, "stripes", "projections").or_throw();
      QVERIFY(std::get<Projections>(made).contents.empty());
    }
    QCOMPARE(live.arrivals.views_made(), frames);
    QCOMPARE(filtered(live.executor), windows * length);
  }
};

TL_TEST_CASE(SharedViewsTest)

}  // namespace tl::shared_views_test

#include "shared_views.moc"
