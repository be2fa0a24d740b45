// Executor: only what is requested is computed, blocks and sections change no values, gradients pass, errors are
// returned.
#include "core/run/executor.h"

#include "core/base/grid_projection.h"
#include "core/run/common/memory.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::executor_test {

namespace {

Graph fbp_graph(const std::string& between = {}) {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {}};
  g.nodes["geometry"] = {"geometry.set", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["stats"] = {"measure.statistics", 1, {}};
  g.links = {{"geometry", "projections", "fbp", "projections"}, {"fbp", "volume", "stats", "volume"}};
  if (between.empty()) {
    g.links.push_back({"scan", "projections", "geometry", "projections"});
  } else {
    g.nodes["between"] = {between, 1, {}};
    g.links.push_back({"scan", "projections", "between", "projections"});
    g.links.push_back({"between", "projections", "geometry", "projections"});
  }
  return g;
}

RunOptions options(int64_t memory = int64_t{1} << 30) {
  RunOptions o;
  o.memory = memory;
  return o;
}

double scalar(Executor& e, const Graph& g, const std::string& port) {
  auto value = e.pull(g, "stats", port);
  if (!value.ok()) qFatal("%s", value.error().message().c_str());
  return std::get<Scalar>(value.value()).value.item<double>();
}

const Volume& volume(const Value& v) { return std::get<Volume>(v); }

// Largest difference relative to the range of the reference.
double difference(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs().max() / (b.max() - b.min())).item<double>();
}

}  // namespace

class ExecutorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void one_slice_computes_one_slice() {
    const Graph g = fbp_graph();
    Executor whole(test::registry(), options()), one(test::registry(), options());
    const Value all = whole.pull(g, "fbp", "volume").or_throw();
    const VolumeGrid grid = volume(all).grid;
    QCOMPARE(grid.nz, int64_t{8});
    const Value slice = one.pull(g, "fbp", "volume", grid.slab({5, 6})).or_throw();
    // Slice 5 of 8 is row 2; interpolation may touch one row on either side.
    const int64_t per_row = 60 * 48;
    QVERIFY2(one.stats().at("scan").voxels <= 3 * per_row, std::to_string(one.stats().at("scan").voxels).c_str());
    QCOMPARE(one.stats().at("fbp").voxels, int64_t{48 * 48});
    // 1e-6 of range: rows are interpolated with weights that differ in the last bits.
    QVERIFY(difference(volume(slice).data[0], volume(all).data[5]) < 1e-6);
  }

  void oblique_plane_computes_that_plane() {
    const Graph g = fbp_graph();
    Executor e(test::registry(), options());
    // A plane within two rows of height 0.5, turned about z: a region that no block of the volume contains.
    const VolumeGrid plane = VolumeGrid::plane(30, 40, 0.9, {1, 2, 0.5}, {0.8, 0.6, 0}, {-0.6, 0.8, 0});
    const Value v = e.pull(g, "fbp", "volume", plane).or_throw();
    QCOMPARE(volume(v).data.numel(), int64_t{1200});
    QCOMPARE(e.stats().at("fbp").voxels, int64_t{1200});
    QVERIFY(e.stats().at("scan").voxels <= 4 * 60 * 48);
    QCOMPARE(e.stats().at("scan").calls, int64_t{1});
  }

  void asking_again_is_free() {
    const Graph g = fbp_graph();
    Executor e(test::registry(), options());
    const Value first = e.pull(g, "fbp", "volume").or_throw();
    const auto calls = e.stats().at("fbp").calls;
    const Value again = e.pull(g, "fbp", "volume").or_throw();
    QCOMPARE(e.stats().at("fbp").calls, calls);
    QVERIFY(volume(again).data.equal(volume(first).data));
    Graph other = g;
    other.nodes["fbp"].params["filter"] = std::string("hann");
    const Value changed = e.pull(other, "fbp", "volume").or_throw();
    QCOMPARE(e.stats().at("fbp").calls, calls + 1);
    QVERIFY(!volume(changed).data.equal(volume(first).data));
    QCOMPARE(e.stats().at("scan").calls, int64_t{1});  // upstream of the change: still cached
  }

  void blocks_change_nothing() {
    const Graph g = fbp_graph();
    Executor roomy(test::registry(), options());
    const double mean = scalar(roomy, g, "mean"), variance = scalar(roomy, g, "variance");
    // A quarter of what everything at once needs.
    Executor tight(test::registry(), options(300000));
    const double block_mean = scalar(tight, g, "mean"), block_variance = scalar(tight, g, "variance");
    QVERIFY2(tight.stats().at("stats").calls > 1, "the budget did not force blocks");
    QVERIFY(std::abs(block_mean - mean) < 1e-6 * std::abs(mean));
    QVERIFY(std::abs(block_variance - variance) < 1e-6 * variance);
  }

  void per_view_before_rows_is_stored_once() {
    const Graph g = fbp_graph("test.per_view");
    Executor roomy(test::registry(), options());
    const double mean = scalar(roomy, g, "mean");
    Executor tight(test::registry(), options(300000));
    QVERIFY(std::abs(scalar(tight, g, "mean") - mean) < 1e-6 * std::abs(mean));
    // Without a stored section every block of slices would compute every view again.
    const int64_t scan = 60 * 8 * 48;
    QVERIFY2(tight.stats().at("between").voxels <= scan, std::to_string(tight.stats().at("between").voxels).c_str());
    QVERIFY2(tight.stats().at("stats").calls > 1, std::to_string(tight.stats().at("scan").calls).c_str());
  }

  void too_small_a_budget_is_refused_with_numbers() {
    const Graph g = fbp_graph();
    Executor e(test::registry(), options(20000));
    const auto r = e.pull(g, "stats", "mean");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().kind, ErrorKind::device);
    QVERIFY(r.error().what.find("kB") != std::string::npos);
  }

  void driven_parameter_ends_a_phase() {
    Graph g = fbp_graph();
    // The mean of the volume, a small number, becomes the tilt's source: any scalar may drive any number.
    g.nodes["second"] = {"geometry.set", 1, {}};
    g.links.push_back({"scan", "projections", "second", "projections"});
    g.links.push_back({"stats", "variance", "second", "axis"});
    Executor e(test::registry(), options());
    const double variance = scalar(e, g, "variance");
    const auto infos = e.infos(g, "second").or_throw();
    const auto orbit = std::get<ProjectionsInfo>(infos.at("projections")).geometry.orbit();
    QVERIFY(std::abs(orbit->axis - variance) < 1e-9);
    QVERIFY(e.check(g).ok());  // without pixels: the value is not yet known, and that is fine
  }

  void gradient_of_variance_to_axis() {
    Graph g = fbp_graph();
    g.nodes["scan"].params["range"] = Number{360, Unit::deg};
    g.nodes["scan"].params["axis"] = Number{1.3, Unit::px};
    g.nodes["fbp"].params["filter"] = std::string("none");
    const auto loss = [&](at::ScalarType dtype, double axis, bool wanted, double* gradient) {
      RunOptions o = options();
      o.dtype = dtype;
      Executor e(test::registry(), o);
      at::Tensor supplied = at::scalar_tensor(axis, at::kDouble).requires_grad_(wanted);
      const Value v = e.pull(g, "stats", "variance", {}, {{{"geometry", "axis"}, supplied}}).or_throw();
      const at::Tensor value = std::get<Scalar>(v).value;
      if (wanted) {
        value.backward();
        *gradient = supplied.grad().item<double>();
      }
      return value.item<double>();
    };
    // A generic point; h small enough that no sample crosses a pixel centre (acceptance C10).
    const double axis = 0.3137, h = 1e-7;
    double exact = 0, single = 0;
    loss(at::kDouble, axis, true, &exact);
    const double numeric =
        (loss(at::kDouble, axis + h, false, nullptr) - loss(at::kDouble, axis - h, false, nullptr)) / (2 * h);
    loss(at::kFloat, axis, true, &single);
    qInfo("gradient %.12g, central difference %.12g, float32 %.9g", exact, numeric, single);
    QVERIFY(std::abs(exact) > 1e-9);
    QVERIFY(std::abs(exact - numeric) < 1e-6 * std::abs(exact));
    QVERIFY(std::abs(single - exact) < 1e-3 * std::abs(exact));
  }

  void a_cached_upstream_never_gives_a_zero_gradient() {
    Graph g = fbp_graph();
    g.nodes["scan"].params["range"] = Number{360, Unit::deg};
    g.nodes["geometry"].params["axis"] = Number{0.3137, Unit::px};
    g.nodes["fbp"].params["filter"] = std::string("none");
    Executor e(test::registry(), options());
    scalar(e, g, "variance");  // fills cache and memo with the same numbers
    double gradients[2];
    for (double& gradient : gradients) {
      at::Tensor supplied = at::scalar_tensor(0.3137, at::kDouble).requires_grad_(true);
      const Value v = e.pull(g, "stats", "variance", {}, {{{"geometry", "axis"}, supplied}}).or_throw();
      std::get<Scalar>(v).value.backward();
      QVERIFY(supplied.grad().defined());
      gradient = supplied.grad().item<double>();
    }
    QVERIFY(std::abs(gradients[0]) > 1e-9);
    QCOMPARE(gradients[0], gradients[1]);
    // And the learning pass has left nothing behind that a plain one would pick up.
    const Value plain = e.pull(g, "fbp", "volume").or_throw();
    QVERIFY(!volume(plain).data.requires_grad());
  }

  void exceptions_become_errors() {
    Graph g = fbp_graph("test.throws");
    const std::pair<const char*, ErrorKind> cases[] = {{"bad_alloc", ErrorKind::unavailable},
                                                       {"torch", ErrorKind::internal},
                                                       {"torch_memory", ErrorKind::unavailable},
                                                       {"std", ErrorKind::internal},
                                                       {"failure", ErrorKind::invalid}};
    for (const auto& [what, kind] : cases) {
      g.nodes["between"].params["what"] = std::string(what);
      Executor e(test::registry(), options());
      const auto r = e.pull(g, "fbp", "volume");
      QVERIFY(!r.ok());
      QCOMPARE(r.error().kind, kind);
      QVERIFY2(r.error().where.find("between") != std::string::npos, r.error().where.c_str());
    }
  }

  void cancel_stops() {
    RunOptions o = options();
    o.cancel.cancel();
    Executor e(test::registry(), o);
    const auto r = e.pull(fbp_graph(), "fbp", "volume");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().kind, ErrorKind::cancelled);
    // What is known has nothing to do with the call that was called off.
    const auto looks = e.look(fbp_graph());
    QCOMPARE(looks.size(), std::size_t{4});
    for (const auto& [id, look] : looks) QVERIFY2(!look.error && look.waits_for.empty(), id.c_str());
    QVERIFY(!e.pull(fbp_graph(), "fbp", "volume").ok());
  }

  // Before: a node that is a sequence of tensor operations ran to its end.
  void cancel_stops_between_operations_of_a_node() {
    struct Sink : EventSink {
      CancelToken token;
      int64_t last = -1;
      void metric(std::string_view, std::string_view, int64_t index, double) override {
        last = index;
        if (index == 5) token.cancel();
      }
    } sink;
    RunOptions o = options();
    o.cancel = sink.token;
    o.events = &sink;
    Executor e(test::registry(), o);
    const auto r = e.pull(fbp_graph("test.steps"), "fbp", "volume");
    QVERIFY(!r.ok());
    QCOMPARE(r.error().kind, ErrorKind::cancelled);
    QCOMPARE(sink.last, int64_t{5});
  }

  void bad_graphs_are_refused_before_work() {
    Graph g = fbp_graph();
    g.nodes["fbp"].params["filtre"] = std::string("hann");
    Executor e(test::registry(), options());
    const auto r = e.pull(g, "fbp", "volume");
    QVERIFY(!r.ok());
    QVERIFY(r.error().hint.find("filter") != std::string::npos);
    QVERIFY(e.stats().empty());
  }

  void what_cannot_be_supplied_is_refused() {
    const Graph g = fbp_graph();
    const auto refused = [&](const std::string& node, const std::string& param, const at::Tensor& supplied,
                             const char* words) {
      Executor e(test::registry(), options());
      const auto r = e.pull(g, "stats", "variance", {}, {{{node, param}, supplied}});
      if (r.ok() || r.error().kind != ErrorKind::invalid) return false;
      return r.error().message().find(words) != std::string::npos;
    };
    const at::Tensor one = at::scalar_tensor(0.3, at::kDouble);
    QVERIFY(refused("geometri", "axis", one, "no such node"));
    QVERIFY(refused("geometry", "axes", one, "no parameter"));
    QVERIFY(refused("fbp", "width", one, "cannot be learned"));
    QVERIFY(refused("geometry", "axis", at::Tensor(), "empty tensor"));
    QVERIFY(refused("geometry", "axis", one.to(at::kFloat), "float64"));
    QVERIFY(refused("geometry", "axis", at::zeros({3}, at::kDouble), "rank 1"));
    QVERIFY(refused("geometry", "shift_u", at::zeros({3, 2}, at::kDouble), "rank 2"));
    QVERIFY(refused("geometry", "shift_u", at::zeros({3}, at::kDouble), "views"));
  }
};

TL_TEST_CASE(ExecutorTest)

}  // namespace tl::executor_test

#include "executor.moc"
