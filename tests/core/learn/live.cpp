// Learning on the engine's thread: progress with images, pause, finish, stop; landscapes and gradient checks.
#include <QTemporaryDir>
#include <cmath>
#include <fstream>

#include "tests/support/learn/scans.h"
#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::live_test {

namespace {

Graph graph_with_picture() {
  test::AxisScan scan;
  scan.beam = Beam::parallel;
  Graph g = test::axis_graph(scan, "objective.variance");
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links.push_back({"axis", "projections", "fbp", "projections"});
  return g;
}

}  // namespace

class LearnLiveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void images_follow_the_parameters() {
    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    const Graph g = graph_with_picture();
    engine.set_graph(g);
    live::PictureRequest slice;
    slice.node = "fbp";
    slice.port = "volume";
    slice.coarse = 1;
    engine.request("view", slice);
    QVERIFY(record.wait([&] { return !record.pictures["view"].empty(); }));
    engine.learn(test::learn_axis());
    QVERIFY(record.wait([&] { return !record.learned_ends.empty(); }));
    const live::LearnEnd end = record.look([&] { return record.learned_ends.front(); });
    QVERIFY2(!end.error, end.error ? end.error->message().c_str() : "");
    QVERIFY2(std::abs(end.learned.found[0].value[0] - 3) < 0.05, test::describe(end.learned).c_str());
    QVERIFY(record.look([&] { return record.steps.size(); }) >= 3);
    // One image per step that was taken (a trial that was not leaves the values).
    const auto taken = record.look([&] {
      std::size_t n = 0;
      for (std::size_t i = 1; i < record.steps.size(); ++i)
        n += record.steps[i].values.front().value != record.steps[i - 1].values.front().value ? 1 : 0;
      return n;
    });
    QVERIFY(taken >= 1);
    QVERIFY(record.wait([&] { return record.pictures["view"].size() >= taken + 2; }));
    const auto last_is_first = [&] {
      const auto& all = record.pictures["view"];
      return all.back().image && all.front().image && all.back().image->pixels == all.front().image->pixels;
    };
    // What was found stays in sight, as it would look accepted, until the graph is set again.
    test::Record accepted;
    live::Engine other(Registry::all(), test::options(), accepted);
    other.set_graph(learn::accept(g, end.learned));
    other.request("view", slice);
    QVERIFY(accepted.wait([&] { return !accepted.pictures["view"].empty(); }));
    const auto wanted = accepted.look([&] { return accepted.pictures["view"].back().image->pixels; });
    QVERIFY(record.wait([&] { return record.pictures["view"].back().image->pixels == wanted; }));
    QVERIFY(!record.look(last_is_first));
    engine.set_graph(g);
    QVERIFY(record.wait(last_is_first));
  }
  // What is run is what was set, whatever the images show of what was found.
  void a_run_after_learning_uses_the_graph() {
    const QTemporaryDir folder;
    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    Graph g = graph_with_picture();
    const std::string file = folder.filePath("slice.tif").toStdString();
    g.nodes["save"] = {"output.save_volume", 1, {{"file", file}}};
    g.links.push_back({"fbp", "volume", "save", "volume"});
    const auto bytes = [&] {
      std::ifstream in(file, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(in), {}).substr(0, 1 << 16);
    };
    engine.set_graph(g);
    engine.run({});
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    const std::string before = bytes();
    QVERIFY(!before.empty());
    engine.learn(test::learn_axis());
    QVERIFY(record.wait([&] { return !record.learned_ends.empty(); }));
    engine.run({}, live::Existing::replace);
    QVERIFY(record.wait([&] { return record.ends.size() == 2; }));
    QVERIFY(!record.ends[1].error);
    QCOMPARE(bytes(), before);
  }

  void it_can_be_paused_finished_and_stopped() {
    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    engine.set_graph(graph_with_picture());
    learn::Settings settings = test::learn_axis();
    settings.survey = learn::Survey::none;
    settings.method = learn::Method::sgd;
    settings.rate = 0.02;  // slow
    settings.stop.tolerance = 1e-9;
    settings.stop.iterations = 100000;
    settings.stop.patience = 100000;
    record.on_learning = [&](const learn::Progress& p) {
      if (p.iteration == 3) engine.command(learn::LearnCommand::pause);
    };
    engine.learn(settings);
    QVERIFY(record.wait([&] { return record.steps.size() >= 4; }));
    const auto steps = [&] { return record.look([&] { return record.steps.size(); }); };
    const auto before = steps();
    // Nothing comes while it is paused: a step within this time fails at once.
    QVERIFY(!QTest::qWaitFor([&] { return steps() > before; }, 300));
    engine.command(learn::LearnCommand::go_on);
    QVERIFY(record.wait([&] { return record.steps.size() > before + 2; }));
    engine.command(learn::LearnCommand::finish);
    QVERIFY(record.wait([&] { return record.learned_ends.size() == 1; }));
    const live::LearnEnd end = record.look([&] { return record.learned_ends.front(); });
    QVERIFY(!end.error);
    QCOMPARE(end.learned.reason, learn::StopReason::stopped);
    QVERIFY(end.learned.loss < end.learned.first_loss);
    record.on_learning = nullptr;
    const auto finished = record.look([&] { return record.steps.size(); });
    engine.learn(settings);
    QVERIFY(record.wait([&] { return record.steps.size() >= finished + 3; }));
    engine.stop();
    QVERIFY(record.wait([&] { return record.learned_ends.size() == 2; }));
    QVERIFY(record.look([&] { return record.learned_ends.back().error.has_value(); }));
  }

  void landscape_and_gradients() {
    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    engine.set_graph(graph_with_picture());
    learn::LandscapeRequest request;
    request.settings = test::learn_axis();
    request.half_width[0] = Number{6, Unit::px};
    request.points = 13;
    engine.landscape(request);
    QVERIFY(record.wait([&] { return !record.landscapes.empty(); }));
    const live::LandscapeEnd end = record.look([&] { return record.landscapes.front(); });
    QVERIFY2(!end.error, end.error ? end.error->message().c_str() : "");
    QCOMPARE(end.landscape.loss.size(), std::size_t{13});
    const auto best =
        std::min_element(end.landscape.loss.begin(), end.landscape.loss.end()) - end.landscape.loss.begin();
    QCOMPARE(end.landscape.at[0][static_cast<std::size_t>(best)], 3.0);
    learn::Settings settings = test::learn_axis();
    settings.targets[0].start = Number{0.3137, Unit::px};
    settings.targets.push_back(test::target("axis", "tilt"));
    settings.targets[1].start = Number{0.7, Unit::deg};
    engine.check_gradients(settings);
    QVERIFY(record.wait([&] { return !record.gradient_checks.empty(); }));
    const auto checked = record.look([&] { return record.gradient_checks.front(); });
    QVERIFY2(!checked.error, checked.error ? checked.error->message().c_str() : "");
    QVERIFY2(checked.check.worst < 1e-4, std::to_string(checked.check.worst).c_str());
  }

  void errors_reach_the_listener() {
    test::Record record;
    live::Engine engine(Registry::all(), test::options(), record);
    engine.set_graph(graph_with_picture());
    learn::Settings settings = test::learn_axis();
    settings.targets[0].name = "nothing";
    engine.learn(settings);
    QVERIFY(record.wait([&] { return !record.learned_ends.empty(); }));
    QVERIFY(record.look([&] { return record.learned_ends.front().error.has_value(); }));
  }
};

TL_TEST_CASE(LearnLiveTest)

}  // namespace tl::live_test

#include "live.moc"
