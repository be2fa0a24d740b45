// Live engine: newest requests win, coarse images come first, states follow the work, no exception escapes and
// nothing hangs.
#include "core/live/engine.h"

#include <malloc.h>

#include "core/io/output/volume_writer.h"
#include "tests/support/live_record.h"
#include "tests/support/test_case.h"

namespace tl::engine_test {

using namespace tl::test;

class LiveEngineTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void coarse_comes_first_then_sharp() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    const Graph g = scan_graph();
    engine.set_graph(g);
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 7));
    const auto sharp = record.sharp("a", 7);
    QVERIFY(sharp && !sharp->error);
    const auto all = record.look([&] { return record.pictures["a"]; });
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(!all[0].final);
    QCOMPARE(all[0].level, int64_t{4});
    QCOMPARE(all[0].image->cols, int64_t{12});
    QCOMPARE(sharp->level, int64_t{1});
    QCOMPARE(sharp->image->cols, int64_t{48});
    QCOMPARE(sharp->unit, std::string("1/mm"));
    QCOMPARE(sharp->source, live::Picture::Source::computed);
    // The same once more: known, so nothing coarse.
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 8));
    const auto again = record.sharp("a", 8);
    QVERIFY(again && again->source == live::Picture::Source::cached);
    QCOMPARE(record.look([&] { return record.pictures["a"].size(); }), std::size_t{3});
    QVERIFY(again->image->pixels == sharp->image->pixels);
  }

  // Once nothing else is to be done, and again for each state of the graph.
  void a_finer_picture_follows_when_idle() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    engine.set_graph(g);
    const VolumeGrid all = grid_of(g);
    PictureRequest box = slice_of("fbp", all.binned(4), 7, 1);
    box.finer = all;
    engine.request("3d", box);
    const auto fine = [&] {
      return std::count_if(record.pictures["3d"].begin(), record.pictures["3d"].end(),
                           [&](const live::Picture& p) { return p.region == Region(all); });
    };
    QVERIFY(record.wait([&] { return fine() == 1; }));
    const auto pictures = record.look([&] { return record.pictures["3d"]; });
    QCOMPARE(pictures.size(), std::size_t{2});
    QVERIFY(pictures[0].region == Region(all.binned(4)));
    QVERIFY(!pictures[1].error && pictures[1].final);
    QCOMPARE(pictures[1].request.ticket, uint64_t{7});
    QCOMPARE(pictures[1].slices, all.nz);
    Executor e(test::registry(), direct());
    const at::Tensor wanted = std::get<Volume>(e.pull(g, "fbp", "volume", all).or_throw()).data;
    QVERIFY(tensor(pictures[1]).equal(wanted.flip(1)));

    g.nodes["fbp"].params["cutoff"] = Number{0.5, Unit::nyquist};
    engine.set_graph(g);
    QVERIFY(record.wait([&] { return fine() == 2; }));
    QCOMPARE(record.look([&] { return record.pictures["3d"].size(); }), std::size_t{4});
  }

  // An edit of another node that comes while an image is computed is taken between the iterations, and gives the worker
  // other descriptions of all outputs; the image goes on and is the executor's own.
  void an_edit_elsewhere_comes_between_the_iterations_of_a_picture() {
    // What uses freed memory fails here: it is overwritten, but for the first few pieces of a size that are freed.
    constexpr int freed_memory_is = 0xA5, pieces = 30;
    mallopt(M_PERTURB, freed_memory_is);
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    g.nodes["a sirt"] = {"recon.sirt", 1, {{"iterations", int64_t{200}}}};
    g.links.push_back({"geometry", "projections", "a sirt", "projections"});
    for (int i = 0; i < pieces; ++i) {
      const std::string id = "z" + std::to_string(i);
      g.nodes[id] = {"recon.fbp", 1, {}};
      g.links.push_back({"geometry", "projections", id, "projections"});
    }
    int edits = 0;
    record.on_metric = [&](const live::Metric& metric) {
      if (metric.node != "a sirt" || edits == 10) return;
      Graph other = g;
      other.nodes["fbp"].params["cutoff"] = Number{0.5 + 0.01 * ++edits, Unit::nyquist};
      engine.set_graph(other);
    };
    engine.set_graph(g);
    engine.request("a", slice_of("a sirt", grid_of(g), 7, 1));
    const auto picture = record.sharp("a", 7);
    QVERIFY(picture && !picture->error);
    QVERIFY(record.reaches("a sirt", State::current));  // the whole volume, by the description of before
    mallopt(M_PERTURB, 0);
    QCOMPARE(edits, 10);
    QVERIFY(picture->graph == 1);
    Executor e(test::registry(), direct());
    const at::Tensor wanted = std::get<Volume>(e.pull(g, "a sirt", "volume", grid_of(g)).or_throw()).data;
    QVERIFY(tensor(*picture).equal(wanted.flip(1)));
  }

  // The same node, while its first image is computed: the view ends with the image of the edit.
  void an_edit_during_the_first_picture_is_shown() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph(), other;
    g.nodes["sirt"] = {"recon.sirt", 1, {{"iterations", int64_t{30}}}};
    g.links.push_back({"geometry", "projections", "sirt", "projections"});
    other = g;
    other.nodes["sirt"].params["iterations"] = int64_t{31};
    bool edited = false;
    record.on_metric = [&](const live::Metric& metric) {
      if (metric.node == "sirt" && !std::exchange(edited, true)) engine.set_graph(other);
    };
    const VolumeGrid slice = grid_of(g).slab({4, 5});
    Executor e(test::registry(), direct());
    const at::Tensor wanted = std::get<Volume>(e.pull(other, "sirt", "volume", slice).or_throw()).data.flip(1);
    engine.set_graph(g);
    engine.request("a", slice_of("sirt", slice, 7, 1));
    QVERIFY(record.wait([&] {
      const auto& all = record.pictures["a"];
      return !all.empty() && all.back().image && tensor(all.back()).equal(wanted);
    }));
  }

  void planes_are_the_executors_own_with_the_top_first_data() {
    QTest::addColumn<int>("kind");
    for (const char* name : {"xy", "xz", "yz", "oblique"}) QTest::newRow(name) << static_cast<int>(*name + name[1]);
  }
  void planes_are_the_executors_own_with_the_top_first() {
    const std::string kind = QTest::currentDataTag();
    const Graph g = scan_graph();
    const VolumeGrid all = grid_of(g);
    const VolumeGrid plane = kind == "xy"   ? all.slab({5, 6})
                             : kind == "xz" ? all.sub({0, all.nz}, {20, 21}, {0, all.nx})
                             : kind == "yz"
                                 ? all.sub({0, all.nz}, {0, all.ny}, {30, 31})
                                 : VolumeGrid::plane(30, 40, 0.9, {1, 2, 0.5}, {0.8, 0.6, 0}, {-0.6, 0.8, 0.1});
    Record record;
    live::Engine engine(test::registry(), options(), record);
    engine.set_graph(g);
    engine.request("a", slice_of("fbp", plane, 1, 1));
    const auto picture = record.sharp("a", 1);
    QVERIFY(picture && !picture->error);
    Executor e(test::registry(), direct());
    const at::Tensor v = std::get<Volume>(e.pull(g, "fbp", "volume", plane).or_throw()).data;
    const at::Tensor wanted = kind == "xz"   ? v.select(1, 0).flip(0)
                              : kind == "yz" ? v.select(2, 0).flip(0)
                                             : v[0].flip(0);
    QVERIFY(tensor(*picture)[0].equal(wanted));
    QVERIFY(picture->region == Region(plane));
  }

  void sinograms_views_and_references_are_the_executors_own() {
    Graph g = scan_graph();
    g.nodes["scan"].params["kind"] = std::string("counts");
    Executor e(test::registry(), direct());
    const Projections all = std::get<Projections>(e.pull(g, "scan", "projections").or_throw());
    Record record;
    live::Engine engine(test::registry(), options(), record);
    engine.set_graph(g);
    const ScanRegion full = all.geometry.full();
    PictureRequest r;
    r.node = "scan";
    r.port = "projections";
    const auto show = [&](const ScanRegion& region, PictureRequest::Series series, int64_t frame = -1) {
      r.region = region;
      r.series = series;
      r.frame = frame;
      ++r.ticket;
      engine.request("p", r);
      const auto picture = record.sharp("p", r.ticket);
      return picture && !picture->error ? tensor(*picture) : at::Tensor();
    };
    using Series = PictureRequest::Series;
    const at::Tensor sinogram = show({full.views, {3, 4}, full.cols}, Series::data);
    QVERIFY(sinogram.defined());
    QVERIFY(sinogram[0].equal(all.data.select(1, 3)));
    QVERIFY(show({{17, 18}, full.rows, full.cols}, Series::data)[0].equal(all.data[17]));
    QVERIFY(show({{0, 1}, full.rows, full.cols}, Series::flats, 2)[0].equal(all.references.flats[2]));
    QVERIFY(at::allclose(show({{0, 1}, full.rows, full.cols}, Series::darks)[0], all.references.darks.mean(0)));
    r.region = ScanRegion{{60, 61}, full.rows, full.cols};
    r.series = Series::data;
    r.ticket = 99;
    engine.request("p", r);
    const auto outside = record.sharp("p", 99);
    QVERIFY(outside && outside->error);
    QCOMPARE(outside->error->kind, ErrorKind::invalid);
  }

  void states_follow_the_work() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    engine.set_graph(g);
    QVERIFY(record.reaches("fbp", State::ready));
    QVERIFY(record.look([&] { return record.statuses["fbp"].summary; }).find("48 x 48 x 8 voxels") == 0);
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 1));
    QVERIFY(record.reaches("fbp", State::partial));
    QVERIFY(record.reaches("scan", State::partial));
    g.nodes["fbp"].params["filter"] = std::string("hann");
    engine.forget("a");
    engine.set_graph(g);
    QVERIFY(record.reaches("fbp", State::stale));
    QCOMPARE(record.look([&] { return record.statuses["scan"].state; }), State::partial);  // upstream of the change
    engine.compute({"fbp"});
    QVERIFY(record.reaches("fbp", State::current));
    QVERIFY(record.wait([&] { return record.ends.size() == 1; }));
    QVERIFY(!record.ends[0].error);
    // Back to the first settings: what was computed then is remembered.
    g.nodes["fbp"].params.erase("filter");
    engine.set_graph(g);
    QVERIFY(record.reaches("fbp", State::partial));
    g.nodes["fbp"].params["cutoff"] = Number{2, Unit::nyquist};
    engine.set_graph(g);
    QVERIFY(record.reaches("fbp", State::unconfigured));
    QVERIFY(record.look([&] { return record.statuses["fbp"].error.has_value(); }));
    engine.free_cache();
    g.nodes["fbp"].params.erase("cutoff");
    engine.set_graph(g);
    QVERIFY(record.reaches("fbp", State::ready));
  }

  void one_nodes_cache_is_reported_freed_and_pinned() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    const Graph g = scan_graph();
    engine.set_graph(g);
    engine.compute({"fbp"});
    QVERIFY(record.reaches("fbp", State::current));
    QVERIFY(record.wait([&] { return record.cached.by_node.count("fbp") != 0; }));
    // The volume alone is that large; what the books say adds up.
    const int64_t volume = grid_of(g).count() * static_cast<int64_t>(sizeof(float));
    record.look([&] {
      int64_t sum = 0;
      for (const auto& [node, bytes] : record.cached.by_node) sum += bytes;
      if (record.cached.by_node["fbp"] < volume || sum > record.cached.used) qFatal("the cache is counted wrongly");
      return 0;
    });
    engine.pin("scan");
    engine.free_cache("fbp");
    QVERIFY(record.wait(
        [&] { return record.cached.by_node.count("fbp") == 0 && record.cached.pinned.count("scan") != 0; }));
    QVERIFY(record.reaches("fbp", State::ready));
    QCOMPARE(record.look([&] { return record.statuses["scan"].state; }), State::partial);
    engine.unpin("scan");
    QVERIFY(record.wait([&] { return record.cached.pinned.empty(); }));
    // It is computed again when it is wanted.
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 1, 1));
    const auto again = record.sharp("a", 1);
    QVERIFY(again && !again->error);
    QCOMPARE(again->source, live::Picture::Source::computed);
  }

  void a_standing_request_follows_the_graph() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    engine.set_graph(g);
    engine.request("a", slice_of("fbp", grid_of(g).slab({4, 5}), 3));
    const auto first = record.sharp("a", 3);
    QVERIFY(first);
    const std::size_t before = record.look([&] { return record.pictures["a"].size(); });
    g.nodes["other"] = {"test.phantom", 1, {}};  // nothing to do with it
    engine.set_graph(g);
    QVERIFY(record.wait([&] { return record.statuses.count("other") != 0; }));
    g.nodes["fbp"].params["filter"] = std::string("hann");
    engine.set_graph(g);
    QVERIFY(
        record.wait([&] { return record.pictures["a"].size() >= before + 2 && record.pictures["a"].back().final; }));
    const live::Picture now = record.look([&] { return record.pictures["a"].back(); });
    QCOMPARE(record.look([&] { return record.pictures["a"].size(); }), before + 2);
    QVERIFY(now.image->pixels != first->image->pixels);
    engine.forget("a");
    g.nodes["fbp"].params["filter"] = std::string("cosine");
    engine.set_graph(g);
    const int checks = record.look([&] { return record.checks; });
    QVERIFY(record.wait([&] { return record.checks > checks || record.statuses["fbp"].state == State::stale; }));
    QCOMPARE(record.look([&] { return record.pictures["a"].size(); }), before + 2);
  }

  void two_hundred_requests_end_with_the_newest() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    const Graph g = scan_graph();
    engine.set_graph(g);
    for (uint64_t i = 1; i <= 200; ++i) {
      VolumeGrid plane = VolumeGrid::plane(200, 200, 0.2, {0, 0, 0.01 * static_cast<double>(i)}, {1, 0, 0}, {0, 1, 0});
      engine.request("a", slice_of("fbp", plane, i));
    }
    const auto last = record.sharp("a", 200);
    QVERIFY(last && !last->error);
    QVERIFY(record.look([&] { return record.pictures["a"].size(); }) < 60);
    QCOMPARE(record.look([&] { return record.pictures["a"].back().request.ticket; }), uint64_t{200});
  }

  void an_error_is_on_the_node_and_in_the_picture() {
    Record record;
    live::Engine engine(test::registry(), options(), record);
    Graph g = scan_graph();
    g.nodes["bad"] = {"test.throws", 1, {}};
    g.links[1] = {"bad", "projections", "fbp", "projections"};
    g.links.push_back({"geometry", "projections", "bad", "projections"});
    engine.set_graph(g);
    engine.request("a", slice_of("fbp", WholeRegion{}, 1, 1));
    const auto picture = record.sharp("a", 1);
    QVERIFY(picture && picture->error && picture->image == nullptr);
    QVERIFY(record.reaches("bad", State::failed));
    QVERIFY(record.look([&] { return record.statuses["bad"].error->what.find("memory") != std::string::npos; }));
    // A graph that is unsound here is known there, and works there.
    g.links.pop_back();
    engine.set_graph(g);
    QVERIFY(record.reaches("bad", State::unconfigured));
    QVERIFY(record.reaches("fbp", State::waiting));
    PictureRequest r;
    r.node = "scan";
    r.port = "projections";
    r.ticket = 2;
    engine.request("b", r);
    const auto view = record.sharp("b", 2);
    QVERIFY(view && !view->error);
    QCOMPARE(view->image->cols, int64_t{48});
  }

  void a_missing_file_works_again_when_it_appears() {
    const QTemporaryDir folder;
    const auto file = folder.filePath("scan.nx").toStdString();
    Graph g;
    g.nodes["load"] = {"input.load_scan", 1, {{"file", file}}};
    Record record;
    live::Engine engine(test::registry(), options(), record);
    engine.set_graph(g);
    QVERIFY(record.reaches("load", State::failed));
    QVERIFY(record.look([&] { return record.statuses["load"].error->message().find("scan.nx") != std::string::npos; }));
    Graph maker = scan_graph();
    maker.nodes["scan"].params["kind"] = std::string("counts");
    Executor e(test::registry(), direct());
    const Value scan = e.pull(maker, "scan", "projections").or_throw();
    QVERIFY(io::write_nxtomo(file, std::get<Projections>(scan), 20, io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(record.reaches("load", State::ready));
  }
};

TL_TEST_CASE(LiveEngineTest)

}  // namespace tl::engine_test

#include "engine.moc"
