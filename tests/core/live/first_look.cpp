// First look: an expensive region is approximated from a subset of the views and cached apart from results.
#include <ATen/ATen.h>

#include "core/run/executor.h"
#include "tests/support/test_case.h"

namespace tl::first_look_test {

namespace {

constexpr int64_t views = 240, rows = 48, cols = 64;
constexpr int64_t scan_bytes = views * rows * cols * static_cast<int64_t>(sizeof(float));

Graph graph() {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"views", views}, {"rows", rows}, {"cols", cols}, {"photons", Number{1e4, Unit::none}}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.links = {{"scan", "projections", "flat", "projections"}, {"flat", "projections", "fbp", "projections"}};
  return g;
}

VolumeGrid plane() { return VolumeGrid::plane(20, 24, 2.5, {1, -2, 0.5}, {0.8, 0.6, 0}, {-0.36, 0.48, 0.8}); }

at::Tensor data(const Value& v) { return std::get<Volume>(v).data; }
RunOptions options() {
  RunOptions o;
  o.memory = int64_t{1} << 30;
  return o;
}

}  // namespace

class FirstLookTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // The same as a reconstruction from a scan that has only these views, bit for bit.
  void it_is_the_result_of_fewer_views() {
    constexpr int64_t every = 12;
    Executor e(Registry::all(), options());
    const FirstLookLimits how{scan_bytes / every, 8};
    const Value look = e.pull_first_look(graph(), "fbp", "volume", plane(), how).or_throw();
    Graph fewer = graph();
    fewer.nodes["some"] = {"geometry.select_views", 1, {{"every", every}, {"first", every / 2}}};
    fewer.links = {{"scan", "projections", "flat", "projections"},
                   {"flat", "projections", "some", "projections"},
                   {"some", "projections", "fbp", "projections"}};
    Executor other(Registry::all(), options());
    const Value wanted = other.pull(fewer, "fbp", "volume", plane()).or_throw();
    QVERIFY(data(look).equal(data(wanted)));
    QVERIFY(data(look).abs().max().item<double>() > 0);
    QCOMPARE(e.stats().at("scan").voxels, views / every * rows * cols);  // nothing else was made
  }

  // Stripe removal needs all views of a row for each of them: it is done once, and not again for the sharp image.
  void what_needs_all_views_is_computed_once() {
    constexpr int64_t every = 12;
    Graph g = graph();
    g.nodes["rings"] = {"correct.stripe_removal", 1, {}};
    g.links = {{"scan", "projections", "flat", "projections"},
               {"flat", "projections", "rings", "projections"},
               {"rings", "projections", "fbp", "projections"}};
    Executor e(Registry::all(), options()), fresh(Registry::all(), options());
    const Value look = e.pull_first_look(g, "fbp", "volume", plane(), {scan_bytes / every, 8}).or_throw();
    QCOMPARE(e.stats().at("rings").calls, int64_t{1});
    const Value sharp = e.pull(g, "fbp", "volume", plane()).or_throw();
    QCOMPARE(e.stats().at("rings").calls, int64_t{1});
    QVERIFY(data(sharp).equal(data(fresh.pull(g, "fbp", "volume", plane()).or_throw())));
    g.nodes["some"] = {"geometry.select_views", 1, {{"every", every}, {"first", every / 2}}};
    g.links.back() = {"rings", "projections", "some", "projections"};
    g.links.push_back({"some", "projections", "fbp", "projections"});
    QVERIFY(data(look).equal(data(fresh.pull(g, "fbp", "volume", plane()).or_throw())));
  }

  void it_leaves_no_trace_in_what_follows() {
    Executor e(Registry::all(), options()), fresh(Registry::all(), options());
    const Value look = e.pull_first_look(graph(), "fbp", "volume", plane(), {scan_bytes / 12, 8}).or_throw();
    QVERIFY(!e.known(graph(), "fbp", "volume", plane()).or_throw());
    const Value sharp = e.pull(graph(), "fbp", "volume", plane()).or_throw();
    QVERIFY(data(sharp).equal(data(fresh.pull(graph(), "fbp", "volume", plane()).or_throw())));
    QVERIFY(!data(sharp).equal(data(look)));
  }

  // The views are known by now: then all of them are used.
  void what_is_known_is_used() {
    Executor e(Registry::all(), options());
    const Value sharp = e.pull(graph(), "fbp", "volume", plane()).or_throw();
    const VolumeGrid other = VolumeGrid::plane(18, 18, 3, {0, 1, 0}, {1, 0, 0}, {0, 0.6, 0.8});
    const Value look = e.pull_first_look(graph(), "fbp", "volume", other, {scan_bytes / 12, 8}).or_throw();
    Executor fresh(Registry::all(), options());
    QVERIFY(data(look).equal(data(fresh.pull(graph(), "fbp", "volume", other).or_throw())));
  }

  // Little enough to be read in no time, or too few views to leave some out.
  void small_regions_are_not_thinned() {
    Executor a(Registry::all(), options()), b(Registry::all(), options());
    const Value wanted = a.pull(graph(), "fbp", "volume", plane()).or_throw();
    QVERIFY(data(wanted).equal(data(b.pull_first_look(graph(), "fbp", "volume", plane(), {scan_bytes, 8}).or_throw())));
    Executor c(Registry::all(), options());
    QVERIFY(
        data(wanted).equal(data(c.pull_first_look(graph(), "fbp", "volume", plane(), {1, views / 2 + 1}).or_throw())));
  }

  // Fewer iterations with larger pixels, also where the iterations are before the node that is shown: near the result,
  // without a trace in what follows, and not instead of what is known already.
  void iterations_are_approximated() {
    constexpr FirstLookLimits all_views{int64_t{1} << 40, 8};
    Graph g = graph();
    g.nodes["sirt"] = {"recon.sirt", 1, {{"iterations", int64_t{100}}}};
    g.nodes["smooth"] = {"filter.gaussian", 1, {}};
    g.nodes.erase("fbp");
    g.links = {{"scan", "projections", "flat", "projections"},
               {"flat", "projections", "sirt", "projections"},
               {"sirt", "volume", "smooth", "volume"}};
    for (const char* node : {"sirt", "smooth"}) {
      Executor e(Registry::all(), options()), fresh(Registry::all(), options());
      const VolumeGrid full = std::get<VolumeInfo>(e.infos(g, node).or_throw().at("volume")).grid;
      for (const VolumeGrid& region :
           {full.slab({20, 21}).binned(2), full.sub({0, rows}, {30, 31}, {0, cols}).binned(2)}) {
        const at::Tensor look = data(e.pull_first_look(g, node, "volume", region, all_views).or_throw());
        QVERIFY(!e.known(g, node, "volume", region).or_throw());
        const at::Tensor sharp = data(fresh.pull(g, node, "volume", region).or_throw());
        const double difference = ((look - sharp).square().mean() / sharp.square().mean()).sqrt().item<double>();
        QVERIFY2(difference > 0 && difference < 0.4, qPrintable(QString("%1: %2").arg(node).arg(difference)));
        QVERIFY(data(e.pull(g, node, "volume", region).or_throw()).equal(sharp));
        if (node == std::string("smooth"))
          QVERIFY(data(e.pull_first_look(g, node, "volume", region, all_views).or_throw()).equal(sharp));
      }
    }
  }

  // A node that does not take a scan is pulled as ever.
  void other_nodes_are_not_concerned() {
    Graph g = graph();
    g.nodes["smooth"] = {"filter.gaussian", 1, {}};
    g.links.push_back({"fbp", "volume", "smooth", "volume"});
    Executor a(Registry::all(), options()), b(Registry::all(), options());
    const VolumeGrid slab = std::get<VolumeInfo>(a.infos(g, "smooth").or_throw().at("volume")).grid.slab({20, 21});
    const Value look = a.pull_first_look(g, "smooth", "volume", slab, {1, 8}).or_throw();
    QVERIFY(data(look).equal(data(b.pull(g, "smooth", "volume", slab).or_throw())));
  }
};

TL_TEST_CASE(FirstLookTest)

}  // namespace tl::first_look_test

#include "first_look.moc"
