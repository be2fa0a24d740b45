// Live engine: runs that write files with progress and an end, values, thumbnails, and stopping.
#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::runs_test {

using namespace tl::test;

class LiveRunsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_run_writes_reports_and_refuses_to_replace() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(test::registry(), options(), record);
    engine.set_graph(save_graph(folder));
    engine.run({});
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    QVERIFY2(!record.ends[0].error, record.ends[0].error ? record.ends[0].error->message().c_str() : "");
    QCOMPARE(record.ends[0].files.size(), std::size_t{1});
    QVERIFY(std::filesystem::exists(folder.filePath("v.tif").toStdString()));
    QVERIFY(record.reaches("save", State::current));
    QVERIFY(record.reaches("fbp", State::current));
    QVERIFY(record.look([&] { return record.runs.front().running && !record.runs.back().running; }));
    engine.run({});
    QVERIFY(record.wait([&] { return record.ends.size() == 2; }));
    QVERIFY(record.ends[1].error && record.ends[1].error->kind == ErrorKind::invalid);
    QCOMPARE(record.look([&] { return record.statuses["save"].state; }), State::current);  // the file is still right
    engine.run({}, live::Existing::replace);
    QVERIFY(record.wait([&] { return record.ends.size() == 3; }));
    QVERIFY(!record.ends[2].error);
    QVERIFY(record.wait([&] { return !record.forecasts.empty() && record.forecasts.back().seconds > 0; }));
    QVERIFY(record.forecasts.back().known && record.forecasts.back().fits && record.forecasts.back().peak > 0);
  }

  // An export: files of another graph, results of the same nodes, and no state of nodes that the pipeline has not.
  void another_graph_is_run_with_the_results_of_this_one() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(test::registry(), options(), record);
    const Graph pipeline = scan_graph();
    engine.set_graph(pipeline);
    Graph exported = pipeline;
    exported.nodes["written"] = {
        "output.save_volume", 1, {{"file", folder.filePath("e.nrrd").toStdString()}, {"format", std::string("nrrd")}}};
    exported.links.push_back({"fbp", "volume", "written", "volume"});
    engine.run_graph(exported, {"written"}, live::Existing::replace, {});
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    QVERIFY2(!record.ends[0].error, record.ends[0].error ? record.ends[0].error->message().c_str() : "");
    QVERIFY(std::filesystem::exists(folder.filePath("e.nrrd").toStdString()));
    QVERIFY(record.look([&] { return record.statuses.count("written") == 0; }));
    // What cannot be run is refused before.
    exported.nodes["written"].params["format"] = std::string("nifti");
    engine.run_graph(exported, {"written"}, live::Existing::replace, {});
    QVERIFY(record.wait([&] { return record.ends.size() == 2; }));
    QVERIFY(record.ends[1].error && record.ends[1].error->kind == ErrorKind::invalid);
  }

  void a_stopped_run_leaves_nothing_and_pictures_go_on() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = save_graph(folder, 400);
    g.nodes["scan"].params["views"] = int64_t{400};
    g.nodes["scan"].params["rows"] = int64_t{40};
    engine.set_graph(g);
    engine.run({});
    QVERIFY(record.reaches("scan", State::running));
    engine.stop();
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    QVERIFY(record.ends[0].error && record.ends[0].error->kind == ErrorKind::cancelled);
    QVERIFY(record.reaches("save", State::cancelled));
    QVERIFY(!std::filesystem::exists(folder.filePath("v.tif").toStdString()));
    PictureRequest r;
    r.node = "scan";
    r.port = "projections";
    r.ticket = 5;
    engine.request("a", r);
    const auto picture = record.sharp("a", 5);
    QVERIFY(picture && !picture->error);
  }

  void a_picture_comes_between_the_blocks_of_a_run() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(registry(), options(), record);
    Graph g = save_graph(folder, 500);
    g.nodes["scan"].params["views"] = int64_t{500};
    g.nodes["scan"].params["rows"] = int64_t{128};
    engine.set_graph(g);
    engine.run({});
    QVERIFY(record.reaches("scan", State::running));
    PictureRequest r;
    r.node = "scan";
    r.port = "projections";
    r.ticket = 9;
    engine.request("a", r);
    const auto picture = record.sharp("a", 9);
    QVERIFY(picture && !picture->error);
    QCOMPARE(record.look([&] { return record.ends.size(); }), std::size_t{0});
    engine.stop();
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
  }

  // The image waits at a gate. The run comes to its end all the same, and then the image: nothing is lost.
  void a_run_overtakes_a_picture_under_way() {
    const QTemporaryDir folder;
    Record record;
    live::Engine engine(registry(), options(), record);
    Graph g = save_graph(folder);
    g.nodes["gate"] = {"test.gate", 1, {}};
    g.nodes["slow"] = {"recon.fbp", 1, {}};
    g.links.push_back({"geometry", "projections", "gate", "projections"});
    g.links.push_back({"gate", "projections", "slow", "projections"});
    close_gate();
    const auto open = qScopeGuard([] { open_gate(); });
    engine.set_graph(g);
    engine.request("slow", slice_of("slow", WholeRegion{}, 1, 1));
    engine.request("quick", slice_of("fbp", WholeRegion{}, 2, 1));
    QTRY_VERIFY_WITH_TIMEOUT(anyone_waits_at_the_gate(), patience_ms);
    engine.run({});
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    QVERIFY2(!record.ends[0].error, record.ends[0].error ? record.ends[0].error->message().c_str() : "");
    QVERIFY(record.look([&] { return record.pictures["slow"].empty(); }));
    open_gate();
    const auto slow = record.sharp("slow", 1), quick = record.sharp("quick", 2);
    QVERIFY(slow && !slow->error && slow->image != nullptr);
    QVERIFY(quick && !quick->error);
  }

  void values_are_plain_numbers() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    g.nodes["scan"].params["axis"] = Number{2.5, Unit::px};
    g.nodes["axis"] = {"axis.wedge", 1, {}};
    g.links.push_back({"scan", "projections", "axis", "projections"});
    engine.set_graph(g);
    engine.ask("axis", "curve", live::Effort::cached_only);
    QVERIFY(record.wait([&] { return record.values.size() == 1; }));
    QVERIFY(!record.values[0].known && !record.values[0].error);
    engine.ask("axis", "axis", live::Effort::compute);
    QVERIFY(record.wait([&] { return record.values.size() == 2; }));
    QVERIFY(record.values[1].known);
    QVERIFY(std::abs(record.values[1].columns.at(0).values.at(0) - 2.5) < 0.3);
    QCOMPARE(record.values[1].columns[0].unit, std::string("px"));
    engine.ask("axis", "curve", live::Effort::cached_only);
    QVERIFY(record.wait([&] { return record.values.size() == 3; }));
    QVERIFY(record.values[2].known);
    QCOMPARE(record.values[2].columns.size(), std::size_t{2});
    QVERIFY(record.values[2].columns[0].values.size() > 2);
    QVERIFY(record.wait([&] { return record.statuses["axis"].found.count("axis") != 0; }));
    QVERIFY(record.look([&] { return record.statuses["axis"].found["axis"]; }).find(" px") != std::string::npos);
  }

  void thumbnails_come_when_it_is_quiet() {
    Record record;
    live::EngineOptions o = options();
    o.switches.thumbnails = true;
    live::Engine engine(test::registry(), o, record);
    Graph g = scan_graph();
    g.nodes["scan"].params["cols"] = int64_t{400};
    engine.set_graph(g);
    QVERIFY(record.wait([&] { return record.thumbnails.count("scan") != 0 && record.thumbnails.count("fbp") != 0; }));
    QVERIFY(record.look([&] { return record.thumbnails["scan"]->cols; }) <= 188);
    const auto image = record.look([&] { return record.thumbnails["fbp"]; });
    QCOMPARE(image->rows, image->cols);
    QCOMPARE(live::auto_contrast_8bit(*image).size(), image->pixels.size());
  }

  // Whatever plane, slice or view is on screen: the card shows the middle.
  void a_thumbnail_is_always_the_middle() {
    Record record;
    live::EngineOptions o = options();
    o.switches.thumbnails = true;
    live::Engine engine(test::registry(), o, record);
    Graph g = scan_graph();
    g.nodes["scan"].params["rows"] = int64_t{20};
    engine.set_graph(g);
    QVERIFY(record.wait([&] { return record.thumbnails.count("scan") != 0 && record.thumbnails.count("fbp") != 0; }));
    const auto grid = std::get<VolumeInfo>(record.look([&] { return record.known["fbp"]["volume"]; })).grid;
    record.look([&] {
      record.thumbnails.clear();
      return 0;
    });
    engine.request("oblique", slice_of("fbp", VolumeGrid::plane(30, 30, 1, grid.centre, {0.6, 0.8, 0}, {0, 0, 1}), 1));
    QVERIFY(record.sharp("oblique", 1));
    engine.request("first", slice_of("fbp", grid.slab({0, 1}), 1));
    QVERIFY(record.sharp("first", 1));
    PictureRequest view = slice_of("scan", WholeRegion{}, 1);
    view.port = "projections";
    engine.request("view", view);
    QVERIFY(record.sharp("view", 1));
    QVERIFY(record.look([&] { return record.thumbnails.count("fbp") == 0; }));
    engine.request("middle", slice_of("fbp", grid.slab({grid.nz / 2, grid.nz / 2 + 1}), 1));
    QVERIFY(record.wait([&] { return record.thumbnails.count("fbp") != 0; }));
    QVERIFY(record.look([&] { return record.thumbnails.count("scan") == 0; }));
  }

  void without_thumbnails_nothing_is_computed_for_them() {
    Record record;
    live::EngineOptions o = options();
    o.switches.thumbnails = true;
    live::Engine engine(test::registry(), o, record);
    engine.set_switches({.thumbnails = false});
    engine.set_graph(scan_graph());
    engine.request("a", slice_of("fbp", WholeRegion{}, 1));
    QVERIFY(record.sharp("a", 1));
    QVERIFY(record.wait([&] { return !record.forecasts.empty(); }));  // it was quiet
    QVERIFY(record.look([&] { return record.thumbnails.empty(); }));
    engine.set_switches({.thumbnails = true});
    QVERIFY(record.wait([&] { return record.thumbnails.count("scan") != 0 && record.thumbnails.count("fbp") != 0; }));
  }

  void destroyed_while_it_runs() {
    const QTemporaryDir folder;
    Record record;
    {
      live::Engine engine(test::registry(), options(), record);
      Graph g = save_graph(folder, 600);
      g.nodes["scan"].params["views"] = int64_t{600};
      g.nodes["scan"].params["rows"] = int64_t{60};
      engine.set_graph(g);
      engine.request("a", slice_of("fbp", WholeRegion{}, 1));
      engine.run({});
      QVERIFY(record.reaches("scan", State::running));
    }
    QVERIFY(!std::filesystem::exists(folder.filePath("v.tif").toStdString()));
    { live::Engine unused(test::registry(), options(), record); }
  }
};

TL_TEST_CASE(LiveRunsTest)

}  // namespace tl::runs_test

#include "runs.moc"
