// Graphs that are long, wide or have many paths: they run, or are refused with a number, in time that grows with their
// size and not with the number of paths.
#include <sys/mount.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <csignal>
#include <filesystem>

#include "core/graph/bypass.h"
#include "core/graph/graph_json.h"
#include "core/graph/json_document.h"
#include "core/run/common/deep_stack.h"
#include "core/run/executor.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::large_graphs_test {

namespace {

RunOptions options(int64_t memory = int64_t{1} << 30) {
  RunOptions o;
  o.memory = memory;
  return o;
}

// A small phantom, `count` filters that hand views on, and the statistics of the volume.
Graph chain(int count) {
  Graph g;
  g.nodes["scan"] = {"test.phantom", 1, {{"views", int64_t{4}}, {"rows", int64_t{1}}, {"cols", int64_t{8}}}};
  std::string last = "scan";
  for (int i = 0; i < count; ++i) {
    const std::string id = "f" + std::to_string(i);
    g.nodes[id] = {"test.per_view", 1, {}};
    g.links.push_back({last, "projections", id, "projections"});
    last = id;
  }
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["stats"] = {"measure.statistics", 1, {}};
  g.links.push_back({last, "projections", "fbp", "projections"});
  g.links.push_back({"fbp", "volume", "stats", "volume"});
  return g;
}

// An objective, and `count` sums that each take the one before four times: 4^count paths.
Graph sums(int count) {
  Graph g = chain(0);
  g.nodes["entropy"] = {"objective.entropy", 1, {}};
  g.links.push_back({"fbp", "volume", "entropy", "volume"});
  std::string last = "entropy";
  for (int i = 0; i < count; ++i) {
    const std::string id = "s" + std::to_string(i);
    g.nodes[id] = {"objective.sum", 1, {}};
    for (const char* letter : {"a", "b", "c", "d"}) {
      g.nodes[id].params[std::string("weight_") + letter] = Number{0.25, Unit::none};
      g.links.push_back({last, "loss", id, letter});
    }
    last = id;
  }
  return g;
}

// Volumes that meet again: each is projected, and what reconstructs the projections starts from it. 2^count paths.
Graph diamonds(int count) {
  Graph g = chain(0);
  std::string last = "fbp";
  for (int i = 0; i < count; ++i) {
    const std::string there = "p" + std::to_string(i), back = "b" + std::to_string(i);
    g.nodes[there] = {"recon.forward_projection", 1, {}};
    g.nodes[back] = {"recon.sirt", 1, {{"iterations", int64_t{1}}}};
    g.links.push_back({last, "volume", there, "volume"});
    g.links.push_back({"scan", "projections", there, "like"});
    g.links.push_back({there, "projections", back, "projections"});
    g.links.push_back({last, "volume", back, "start"});
    last = back;
  }
  g.nodes["last"] = {"measure.statistics", 1, {}};
  g.links.push_back({last, "volume", "last", "volume"});
  return g;
}

double scalar_value(const Result<Value>& value) {
  if (!value.ok()) qFatal("%s", value.error().message().c_str());
  return std::get<Scalar>(value.value()).value.item<double>();
}

std::string said(const std::vector<GraphProblem>& found) { return found.empty() ? "" : found.front().error.message(); }

}  // namespace

class LargeGraphsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Before: the stack of the thread was full after some 2 000 filters.
  void a_long_chain_runs() {
    Executor e(test::registry(), options());
    const double mean = scalar_value(e.pull(chain(0), "stats", "mean"));
    const Graph g = chain(2200);
    QVERIFY(e.check(g).ok());
    QVERIFY(e.forecast(g).ok());
    QCOMPARE(scalar_value(e.pull(g, "stats", "mean")), mean);
    QCOMPARE(e.look(g).size(), g.nodes.size());
    QCOMPARE(e.stats().at("f2199").calls, e.stats().at("f0").calls);
  }

  // A thread with a stack for a small graph is too small for a large one.
  void a_deep_stack_fits_what_it_was_made_for() {
    const Graph small = chain(200), large = chain(3000);
    QVERIFY(needs_deep_stack(small) && needs_deep_stack(large));
    bool small_needs = true, large_needs = false;
    const auto ask = [&] {
      small_needs = needs_deep_stack(small);
      large_needs = needs_deep_stack(large);
    };
    QVERIFY(run_on_deep_stack(small.nodes.size(), ask).ok());
    QVERIFY(!small_needs && large_needs);
    QVERIFY(run_on_deep_stack(max_nodes, ask).ok());
    QVERIFY(!small_needs && !large_needs);
  }

  void the_longest_chain_that_is_allowed_runs() {
    Executor e(test::registry(), options());
    const Graph g = chain(static_cast<int>(max_nodes) - 3);
    QVERIFY2(problems(g, test::registry()).empty(), said(problems(g, test::registry())).c_str());
    QVERIFY(e.pull(g, "stats", "mean").ok());
    QVERIFY(e.needed(g, "fbp", "volume", {{"scan", "projections"}}).ok());
  }

  // Before: every path was followed, and 2^24 or 4^30 of them never end.
  void what_several_ways_lead_to_is_computed_once() {
    Executor e(test::registry(), options());
    const double entropy = scalar_value(e.pull(sums(0), "entropy", "loss"));
    const double sum = scalar_value(e.pull(sums(30), "s29", "loss"));
    QVERIFY(std::abs(sum - entropy) <= 1e-12 * std::abs(entropy));
    QCOMPARE(e.stats().at("s0").calls, int64_t{1});
    QVERIFY(e.forecast(diamonds(24)).ok());
    scalar_value(e.pull(diamonds(24), "last", "mean"));
    QCOMPARE(e.stats().at("p0").calls, e.stats().at("p23").calls);
    QVERIFY(e.needed(diamonds(24), "b23", "volume", {{"scan", "projections"}}).ok());
  }

  // The cache keeps nothing of what is learned: it was computed once for every path.
  void learning_goes_through_them_once() {
    Graph g = sums(12);
    g.nodes["geometry"] = {"geometry.set", 1, {}};
    for (Link& link : g.links)
      if (link.to_node == "fbp") link.from_node = "geometry";
    g.links.push_back({"scan", "projections", "geometry", "projections"});
    double gradient[2];
    Executor e(test::registry(), options());
    for (const int i : {0, 1}) {
      const at::Tensor supplied = at::scalar_tensor(0.3137, at::kDouble).requires_grad_(true);
      const Value v = e.pull(g, i == 0 ? "entropy" : "s11", "loss", {}, {{{"geometry", "axis"}, supplied}}).or_throw();
      std::get<Scalar>(v).value.backward();
      gradient[i] = supplied.grad().item<double>();
    }
    QVERIFY(gradient[0] != 0);
    QVERIFY(std::abs(gradient[1] - gradient[0]) <= 1e-9 * std::abs(gradient[0]));
    QCOMPARE(e.stats().at("s3").calls, int64_t{1});
  }

  // Values that are kept for their second use are in the plan.
  void what_is_shared_counts() {
    Executor e(test::registry(), options());
    const Graph few = diamonds(1), many = diamonds(6);
    const auto peak = [&](const Graph& g, const std::string& node) {
      const Infos infos = e.infos(g, node).or_throw();
      return e.peak(g, node, "volume", full_region(infos.at("volume"))).or_throw();
    };
    QVERIFY(peak(many, "b5") > peak(few, "b0"));
  }

  void too_many_are_refused_with_the_number() {
    const Graph g = chain(10'000);
    QVERIFY(said(problems(g, test::registry())).find("10003 nodes, more than 4000") != std::string::npos);
    Executor e(test::registry(), options());
    QCOMPARE(e.check(g).error().kind, ErrorKind::invalid);
    QCOMPARE(e.look(g).size(), g.nodes.size());
    const auto read = graph_from_json(to_json(chain(5000)), test::registry(), "long.json");
    QVERIFY(!read.ok());
    QVERIFY2(read.error().message().find("5003 nodes") != std::string::npos, read.error().message().c_str());
    Graph linked = chain(1);
    for (std::size_t i = 0; i <= max_links; ++i) linked.links.push_back(linked.links.front());
    QVERIFY(said(problems(linked, test::registry())).find("links, more than 16000") != std::string::npos);
    Graph named = chain(0);
    named.nodes[std::string(101, 'n')] = {"measure.statistics", 1, {}};
    QVERIFY(said(problems(named, test::registry())).find("101 bytes") != std::string::npos);
  }

  // Before: the pointer of every element was a copy of all keys around it, 8 MB each.
  void long_keys_are_refused() {
    const std::string key(json::max_key + 1, 'k');
    std::string text = "{\"" + key + "\": [";
    for (int i = 0; i < 1000; ++i) text += i == 0 ? "[]" : ",[]";
    const auto read = json::read_document(text + "]}", "keys.json");
    QVERIFY(!read.ok());
    QVERIFY2(read.error().message().find("bytes, more than 1000") != std::string::npos, read.error().message().c_str());
  }

  // Before: a cycle together with another problem was walked for ever.
  void a_cycle_is_looked_at() {
    Graph g = chain(3);
    g.links.front().from_node = "f2";  // f0 <- f2 <- f1 <- f0
    g.nodes["odd"] = {"no.such_node", 1, {}};
    Executor e(test::registry(), options());
    const auto looks = e.look(g);
    QVERIFY(looks.at("f1").error.has_value());
    QVERIFY(looks.at("odd").error.has_value());
  }

  void long_bypassed_chains_pass_through() {
    Graph g = chain(2000);
    for (int i = 0; i < 2000; ++i) g.nodes["f" + std::to_string(i)].use = NodeUse::bypassed;
    const UsedGraph used = used_graph(g, test::registry());
    QCOMPARE(used.graph.nodes.size(), std::size_t{3});
    QCOMPARE(used.graph.link_into("fbp", "projections")->from_node, std::string("scan"));
    for (int i = 0; i < 2000; ++i) g.nodes["f" + std::to_string(i)].use = NodeUse::active;
    g.nodes["f0"].use = NodeUse::muted;
    QCOMPARE(used_graph(g, test::registry()).muted.size(), std::size_t{2002});
  }

  // Before: writing into the mapping of a file that had no blocks ended the program with SIGBUS.
  void a_full_scratch_disk_is_an_error() {
    QTemporaryDir folder;
    const std::string disk = folder.path().toStdString();
    // As root a disk of its own; else a limit for the size of files.
    const bool mounted = mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=16k") == 0;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    if (!mounted) {
      const rlimit small{16 << 10, before.rlim_max};
      if (setrlimit(RLIMIT_FSIZE, &small) != 0) QSKIP("neither a mount nor a limit for the size of files is permitted");
    }
    const QByteArray was = qgetenv("TMPDIR");
    qputenv("TMPDIR", disk.c_str());
    Graph g = chain(1);
    g.nodes["scan"].params = {{"rows", int64_t{64}}};
    Executor e(test::registry(), options(700'000));
    const auto value = e.pull(g, "stats", "mean");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    was.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", was);
    const bool litter = !std::filesystem::is_empty(disk);
    if (mounted) umount(disk.c_str());
    qInfo("%s: %s", mounted ? "a full disk" : "a limit for files", value.ok() ? "ok" : value.error().message().c_str());
    QVERIFY(!value.ok());
    QCOMPARE(value.error().kind, ErrorKind::io);
    QVERIFY(value.error().message().find("scratch file of 737 kB") != std::string::npos);
    QVERIFY(value.error().message().find("TMPDIR") != std::string::npos);
    QVERIFY(!litter);
    // With room the same plan runs.
    Executor again(test::registry(), options(700'000));
    QVERIFY(again.pull(g, "stats", "mean").ok());
  }
};

TL_TEST_CASE(LargeGraphsTest)

}  // namespace tl::large_graphs_test

#include "large_graphs.moc"
