// Windows of a stream in the live engine: the newest one wins, images of one come before the next one is taken, sharp
// at once, and nothing else is computed meanwhile.
#include "core/stream/windows.h"

#include <cmath>
#include <cstring>

#include "core/learn/learning.h"
#include "core/live/windows/arrivals.h"
#include "core/live/windows/follower.h"
#include "core/live/windows/stream_input.h"
#include "tests/support/learn/scans.h"
#include "tests/support/live_record.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::live_windows_test {

using namespace tl::test;
using live::Job;
using live::PictureJob;
using live::Requests;
using live::WindowJob;

namespace {

constexpr int64_t views = 24, rows = 6, cols = 32;

stream::FramePtr frame_of(int64_t number, stream::FrameKind kind, int64_t seed) {
  stream::Frame frame = stream_frame(number, kind, rows, cols);
  frame.angle = 180.0 / views * static_cast<double>(number);
  for (int64_t i = 0; i < rows * cols; ++i) {
    const auto value = static_cast<uint16_t>(kind == stream::FrameKind::view ? 500 + (seed * 37 + i * 11) % 300 : 1000);
    std::memcpy(frame.pixels.data() + static_cast<std::size_t>(i) * sizeof(value), &value, sizeof(value));
  }
  return std::make_shared<const stream::Frame>(std::move(frame));
}

std::shared_ptr<const stream::Window> window_of(int64_t index) {
  auto window = std::make_shared<stream::Window>();
  window->index = index;
  for (int64_t i = 0; i < views; ++i) {
    const int64_t number = index * views + i + 1;
    window->views.push_back({frame_of(number, stream::FrameKind::view, number), number, number - 1});
  }
  window->flats.push_back({frame_of(0, stream::FrameKind::flat, 0), -0.5});
  window->newest = 1000 + static_cast<double>(index);
  return window;
}

Graph pipeline() {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {}};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"change", std::string("before")}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"load", "projections", "flat_field", "projections"}, {"flat_field", "projections", "fbp", "projections"}};
  return g;
}

// Views with these rows in a record, in a window that follows others.
stream::Window window_with(const std::vector<int64_t>& record_rows) {
  stream::Window window;
  for (const int64_t row : record_rows)
    window.views.push_back({frame_of(row, stream::FrameKind::view, row), row, row - 1});
  window.flats.push_back({frame_of(0, stream::FrameKind::flat, 0), -0.5});
  return window;
}

at::Tensor given_views(Arrivals& arrivals, Executor& executor, const Graph& graph, const stream::Window& window,
                       const std::string& node) {
  const GivenOutputs given = arrivals.outputs(executor, graph, window).or_throw();
  const GivenOutput& output = given.at({node, "projections"});
  return std::get<Projections>(output.read ? output.read(output.region, Samples::floats).or_throw() : output.value)
      .data;
}

const WindowJob* window_in(const Job& job) { return std::get_if<WindowJob>(&job); }

}  // namespace

class LiveWindowsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_newest_window_is_taken_after_the_images() {
    Requests requests;
    requests.set_graph(scan_graph());
    (void)requests.next(-1);
    requests.begin_arrivals();
    PictureRequest slice;
    slice.node = "fbp";
    requests.arrive(window_of(0));
    requests.arrive(window_of(1));
    QCOMPARE(requests.windows_replaced(), int64_t{1});
    requests.request("slice", slice);
    QVERIFY(std::holds_alternative<PictureJob>(requests.next(-1)));
    const Job first = requests.next(-1);
    QVERIFY(window_in(first) != nullptr);
    QCOMPARE(window_in(first)->window->index, int64_t{1});
    QVERIFY(window_in(first)->is_first);  // although the very first one was replaced
    requests.arrive(window_of(2));
    const Job second = requests.next(-1);
    QVERIFY(window_in(second) != nullptr && !window_in(second)->is_first);
    // Between the blocks of a run no window is taken: the run is of the one that it began with.
    requests.arrive(window_of(3));
    QVERIFY(!requests.urgent());
    requests.begin_arrivals();
    QVERIFY(!requests.anything());
    requests.arrive(window_of(4));
    const Job again = requests.next(-1);
    QVERIFY(window_in(again)->is_first && requests.windows_replaced() == 0);
    requests.arrive(window_of(5));
    requests.end_arrivals();
    const Job end = requests.next(-1);
    QVERIFY(window_in(end) != nullptr && window_in(end)->window == nullptr);
    QVERIFY(!requests.anything());
  }

  void standing_images_follow_sharp_and_alone() {
    Record record;
    live::EngineOptions options;
    live::Engine engine(Registry::all(), options, record);
    engine.set_graph(pipeline());
    engine.begin_arrivals();
    engine.arrive(window_of(0));
    QVERIFY(record.wait([&] { return record.known.count("fbp") != 0; }));
    const VolumeGrid grid = std::get<VolumeInfo>(record.look([&] { return record.known.at("fbp").at("volume"); })).grid;
    PictureRequest slice{"fbp", "volume", grid.slab({2, 3})};
    slice.ticket = 1;
    engine.request("slice", slice);
    const auto shown = [&](int64_t index) {
      return record.wait([&] {
        const auto& all = record.pictures["slice"];
        return !all.empty() && all.back().window.index == index;
      });
    };
    QVERIFY(shown(0));
    const int checks = record.look([&] { return record.checks; });
    const std::size_t forecasts = record.look([&] { return record.forecasts.size(); });
    for (int64_t i = 1; i < 5; ++i) {
      engine.arrive(window_of(i));
      QVERIFY(shown(i));
    }
    const std::vector<live::Picture> all = record.look([&] { return record.pictures["slice"]; });
    for (const live::Picture& p : all) {
      QVERIFY2(!p.error, p.error ? p.error->message().c_str() : "");
      QVERIFY(p.final && p.level == 1);
      QCOMPARE(p.window.newest, 1000 + static_cast<double>(p.window.index));
    }
    QVERIFY(all.back().image->pixels != all.front().image->pixels);
    // The grids are the same: nobody has to look again.
    QCOMPARE(record.look([&] { return record.checks; }), checks);
    QCOMPARE(record.look([&] { return record.forecasts.size(); }), forecasts);
    QVERIFY(record.look([&] { return record.thumbnails.empty(); }));
    // A changed setting of a node that runs once per view holds for the window that is shown.
    const auto before = record.look([&] { return record.pictures["slice"].back().image->pixels; });
    Graph changed = pipeline();
    changed.nodes["flat_field"].params["reference"] = std::string("none");
    engine.set_graph(changed);
    QVERIFY(record.wait([&] { return record.pictures["slice"].back().image->pixels != before; }));
    // The end: the graph's own scan again, which names no file.
    engine.end_arrivals();
    QVERIFY(record.wait([&] { return record.pictures["slice"].back().window.index < 0; }));
    QVERIFY(record.look([&] { return record.pictures["slice"].back().error.has_value(); }));
  }

  void the_box_of_a_window_is_small() {
    Record record;
    live::Engine engine(Registry::all(), {}, record);
    engine.set_graph(pipeline());
    engine.begin_arrivals();
    engine.arrive(window_of(0));
    QVERIFY(record.wait([&] { return record.known.count("fbp") != 0; }));
    const VolumeGrid grid = std::get<VolumeInfo>(record.look([&] { return record.known.at("fbp").at("volume"); })).grid;
    PictureRequest box{"fbp", "volume", VolumeGrid::cubic(200, 200, 200, grid.step_x.x / 8)};
    box.ticket = 2;
    engine.request("3d", box);
    const auto sent = record.sharp("3d", 2);
    QVERIFY(sent && !sent->error);
    QVERIFY(sent->image->pixels.size() <= std::size_t{128 * 128 * 128});
    QVERIFY(sent->image->pixels.size() > std::size_t{64 * 64 * 64});
  }

  // The first window measures, and those after it have its value as a parameter.
  void windows_are_reported_with_what_was_found() {
    Record record;
    live::Engine engine(Registry::all(), {}, record);
    Graph graph = pipeline();
    graph.nodes["axis"] = {"axis.moments", 1, {}};
    graph.links = {{"load", "projections", "flat_field", "projections"},
                   {"flat_field", "projections", "axis", "projections"},
                   {"axis", "projections", "fbp", "projections"}};
    engine.set_graph(graph);
    engine.begin_arrivals();
    engine.arrive(window_of(0));
    engine.request("slice", PictureRequest{"fbp", "volume", WholeRegion{}});
    const auto axis_of = [&](int64_t index) {
      std::string text;
      for (const ComputedWindow& window : record.windows)
        if (const auto set = window.settings.find("axis.given_axis");
            window.index == index && set != window.settings.end())
          text = set->second;
      return text;
    };
    const auto shown = [&](int64_t index) {
      const auto& all = record.pictures["slice"];
      return !all.empty() && all.back().window.index == index;
    };
    QVERIFY(record.wait([&] { return shown(0); }));
    engine.arrive(window_of(1));
    QVERIFY(record.wait([&] { return shown(1) && !axis_of(1).empty(); }));
    const std::string first = record.look([&] { return axis_of(0); });
    QVERIFY2(first.ends_with(" px"), first.c_str());
    QCOMPARE(record.look([&] { return axis_of(1); }), first);
    const ComputedWindow last = record.look([&] { return record.windows.back(); });
    QCOMPARE(last.views.size(), static_cast<std::size_t>(views));
    QCOMPARE(last.time, 1001.0);
    // Made of these settings, the pipeline measures nothing.
    QVERIFY(last.found.count("axis.axis [px]") == 1);
    QVERIFY(last.measured);
    // Measured again, in the second window; the third has that value.
    engine.measure_again();
    engine.arrive(window_of(2));
    QVERIFY(record.wait([&] { return shown(2) && !axis_of(2).empty(); }));
    const std::string again = record.look([&] { return axis_of(2); });
    QVERIFY2(again != first, again.c_str());
    QCOMPARE(record.look([&] { return axis_of(1); }), again);
    Record other;
    live::Engine alone(Registry::all(), {}, other);
    alone.set_graph(graph);
    alone.begin_arrivals();
    alone.arrive(window_of(1));
    alone.request("slice", PictureRequest{"fbp", "volume", WholeRegion{}});
    QVERIFY(other.wait(
        [&] { return !other.pictures["slice"].empty() && other.pictures["slice"].back().window.index == 1; }));
    alone.arrive(window_of(2));
    QVERIFY(other.wait([&] { return other.windows.size() >= 2 && other.windows.back().index == 2; }));
    QCOMPARE(other.look([&] { return other.windows.back().settings.at("axis.given_axis"); }), again);
  }

  // The model holds for the windows that follow, until the strokes change: then it is that of the newest window.
  void a_classifier_is_trained_on_the_window_in_which_strokes_change() {
    Graph graph = pipeline();
    // Strokes of two classes, wherever the volume has these values: 0 is not labelled.
    graph.nodes["strokes"] = {"segment.threshold", 1, {{"method", std::string("manual")}}};
    graph.nodes["classifier"] = {
        "segment.pixel_classifier", 1, {{"sigmas", NumberList{{1.0}, Unit::px}}, {"trees", int64_t{5}}}};
    graph.links.insert(graph.links.end(), {{"fbp", "volume", "strokes", "volume"},
                                           {"fbp", "volume", "classifier", "volume"},
                                           {"strokes", "labels", "classifier", "strokes"}});
    const auto set_strokes = [&](double low, double high) {
      graph.nodes["strokes"].params["values"] = NumberList{{low, high}, Unit::none};
    };
    const auto uncertainty = [&](Executor& executor, Arrivals& arrivals, const stream::Window& window) {
      executor.give(arrivals.outputs(executor, graph, window).or_throw());
      return std::get<Volume>(executor.pull(graph, "classifier", "uncertainty").or_throw()).data;
    };
    const auto alone = [&](const stream::Window& window) {
      Executor executor(Registry::all(), direct());
      Arrivals arrivals;
      return uncertainty(executor, arrivals, window);
    };
    Executor executor(Registry::all(), direct());
    Arrivals arrivals;
    set_strokes(0.005, 0.02);
    const auto first = window_of(0), second = window_of(1);
    QVERIFY(uncertainty(executor, arrivals, *first).equal(alone(*first)));
    QVERIFY(!uncertainty(executor, arrivals, *second).equal(alone(*second)));
    set_strokes(0.006, 0.02);
    QVERIFY(uncertainty(executor, arrivals, *second).equal(alone(*second)));
    // What measuring again is for.
    QVERIFY(!uncertainty(executor, arrivals, *first).equal(alone(*first)));
    arrivals.measure_again();
    QVERIFY(uncertainty(executor, arrivals, *first).equal(alone(*first)));
  }

  // The thread is free for four times as long as learning took; a value that moves is a jump, and a verdict in between
  // that is not resolved hides none.
  void following_keeps_to_a_fifth_and_reports_jumps() {
    test::AxisScan scan;
    scan.cols = 96;
    Executor executor(Registry::all(), test::roomy());
    Follower follower(test::learn_axis());
    const stream::Window window;
    const auto learned_at = [&](double axis) {
      scan.axis = axis;
      const Graph graph = test::axis_graph(scan, "objective.variance");
      const auto begin = Follower::Clock::now();
      const live::FollowEnd end = follower.learn(executor, Registry::all(), graph, window);
      const std::chrono::duration<double> until_due = follower.next_learning_time() - begin;
      if (until_due.count() < 5 * end.seconds) qFatal("the next one is due too early");
      return end;
    };
    const live::FollowEnd first = learned_at(3);
    QVERIFY2(!first.error, first.error ? first.error->message().c_str() : "");
    QVERIFY(std::abs(first.found.front().value.front() - 3) < 0.1);
    QVERIFY(first.jumps.empty() && !follower.is_due());
    const live::FollowEnd second = learned_at(3);
    QVERIFY(second.jumps.empty());
    const live::FollowEnd third = learned_at(6);
    QCOMPARE(third.jumps.size(), std::size_t{1});
    QVERIFY(std::abs(third.jumps.front().from - 3) < 0.1 && std::abs(third.jumps.front().to - 6) < 0.1);
    QVERIFY(live::words(third.jumps.front()).starts_with("axis.axis has jumped from "));
    // The values are those of the pipeline with which the next windows are computed.
    const Graph shown = follower.values_in(test::axis_graph(scan, "objective.variance"));
    QCOMPARE(std::get<Number>(shown.nodes.at("axis").params.at("axis")).value, third.found.front().value.front());
    follower.forget_values();
    QVERIFY(!follower.has_values());
  }

  void views_of_overlapping_windows_equal_those_made_at_once() {
    Graph graph = pipeline();
    graph.nodes["geometry"] = {"geometry.set", 1, {{"axis", Number{0.5, Unit::px}}}};
    graph.links = {{"load", "projections", "flat_field", "projections"},
                   {"flat_field", "projections", "geometry", "projections"},
                   {"geometry", "projections", "fbp", "projections"}};
    Executor executor(Registry::all(), direct()), at_once(Registry::all(), direct());
    Arrivals arrivals(ArrivalOptions{true});
    const std::vector<std::vector<int64_t>> windows = {
        {1, 2, 3, 4, 6, 7, 8}, {3, 4, 6, 7, 8, 9, 10}, {4, 5, 6, 7, 8, 9, 10, 11}, {12, 13, 14, 15, 16}};
    for (const std::vector<int64_t>& record_rows : windows) {
      const stream::Window window = window_with(record_rows);
      for (const char* node : {"load", "flat_field", "geometry"}) {
        Arrivals fresh(ArrivalOptions{true});
        const at::Tensor slid = given_views(arrivals, executor, graph, window, node),
                         expected = given_views(fresh, at_once, graph, window, node);
        QVERIFY2(at::equal(slid, expected), node);
      }
    }
    QCOMPARE(arrivals.views_made(), int64_t{7 + 2 + 2 + 5});
    // The pixels are those of the frames.
    const stream::Window window = window_with({20, 21});
    const at::Tensor loaded = given_views(arrivals, executor, graph, window, "load");
    const stream::Frame& frame = *window.views[1].frame;
    for (int64_t i = 0; i < rows * cols; ++i) {
      uint16_t count = 0;
      std::memcpy(&count, frame.pixels.data() + static_cast<std::size_t>(i) * sizeof(count), sizeof(count));
      QCOMPARE(loaded[1][i / cols][i % cols].item<float>(), static_cast<float>(count));
    }
    // A part of it, as an image of one view is.
    executor.give(arrivals.outputs(executor, graph, window).or_throw());
    const auto view = std::get<Projections>(
        executor.pull(graph, "load", "projections", ScanRegion{{1, 2}, {0, rows}, {0, cols}}).or_throw());
    QVERIFY(at::equal(view.data[0], loaded[1]));
  }

  void a_pipeline_without_one_scan_has_no_place_for_a_stream() {
    const auto input = live::stream_input(pipeline(), Registry::all());
    QVERIFY(input.ok());
    QCOMPARE(input.value().load_node, std::string("load"));
    QVERIFY(input.value().needs_flats);
    Graph two = pipeline();
    two.nodes["other"] = {"input.load_scan", 1, {}};
    QVERIFY(!live::stream_input(two, Registry::all()).ok());
    QVERIFY(!live::stream_input(Graph(), Registry::all()).ok());
  }
};

TL_TEST_CASE(LiveWindowsTest)

}  // namespace tl::live_windows_test

#include "windows.moc"
