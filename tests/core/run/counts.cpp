// uint16 counts are passed only to nodes that take them and change no result: scans of integers compared with scans of
// the same numbers as floats.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <filesystem>
#include <tuple>

#include "core/io/open_scan.h"
#include "core/node/node_builder.h"
#include "core/run/executor.h"
#include "gpu/correction/counts.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/phantom_source.h"
#include "tests/support/test_case.h"

namespace tl::counts_test {

using tl::test::Hdf5Maker;
using tl::test::Packing;
namespace fs = std::filesystem;

namespace {

struct Nothing {};

// What "test.watch" was given, in order, and what "test.collect" put together.
std::vector<at::ScalarType> watched;
at::Tensor collected;

// "test.watch": takes counts and hands floats on.
Result<void> watch(const Nothing&, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  watched.push_back(out.data.scalar_type());
  out.data = out.data.to(r.dtype);
  r.out("projections", std::move(out));
  return ok();
}
void describe_watch(NodeBuilder<Nothing>& n) {
  n.id("test.watch", 1).title("Watch").category("Correction").summary("Test filter.").partition(Partition::pointwise);
  n.input<Projections>("projections", "Any.").output<Projections>("projections", "The same.").takes_counts().run(watch);
}

// "test.collect": an output node that puts the blocks of a run together in memory.
Result<std::shared_ptr<Nothing>> begin(const Nothing&, NodeRun& r) {
  const auto& all = std::get<ScanRegion>(r.full);
  collected = at::zeros({all.views.size(), all.rows.size(), all.cols.size()}, r.dtype);
  return std::make_shared<Nothing>();
}
Result<void> accumulate(const Nothing&, Nothing&, NodeRun& r) {
  const auto& at = std::get<ScanRegion>(r.region);
  const at::Tensor& data = r.in<Projections>("projections").data;
  TL_CHECK(data.is_floating_point(), "who does not take counts got some");
  collected.narrow(0, at.views.begin, at.views.size()).narrow(1, at.rows.begin, at.rows.size()).copy_(data);
  return ok();
}
Result<Findings> finish(const Nothing&, Nothing&, NodeRun&) { return Findings{}; }
void describe_collect(NodeBuilder<Nothing>& n) {
  n.id("test.collect", 1).title("Collect").category("Output").summary("Test output.").writes_files();
  n.input<Projections>("projections", "Any.").reduce<Nothing>(begin, accumulate, finish);
}

const Registry& registry() {
  static const Registry all = [] {
    auto types = test::registry().types();
    types.push_back(NodeBuilder<Nothing>::build(describe_watch));
    types.push_back(NodeBuilder<Nothing>::build(describe_collect));
    return Registry(std::move(types));
  }();
  return all;
}

constexpr int64_t views = 64, rows = 40, cols = 27;

// An NXtomo scan: counts of all sizes, five flats before and six after, two darks, dead pixels.
template <class T>
void write_scan(const fs::path& file, const std::vector<hsize_t>& chunk = {}, Packing packing = Packing::none) {
  const std::string entry = "/entry", detector = entry + "/instrument/detector";
  std::vector<int32_t> keys = {2, 2, 1, 1, 1, 1, 1};
  keys.insert(keys.end(), views, 0);
  keys.insert(keys.end(), 6, 1);
  std::vector<T> pixels;
  for (std::size_t frame = 0; frame < keys.size(); ++frame)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        const auto noise = static_cast<int>((frame * 7919 + static_cast<std::size_t>(r * cols + c) * 104729) % 251);
        int value = keys[frame] == 2 ? 10 : keys[frame] == 1 ? 200 : static_cast<int>(5 * (frame % 40)) + noise % 50;
        if (keys[frame] == 1 && frame > 20) value += 30;  // the beam grows
        if (keys[frame] == 1 && (r * cols + c) % 331 == 7) value = 0;
        if (keys[frame] == 0 && noise % 17 == 0) value = noise % 2 == 0 ? 0 : 255;
        pixels.push_back(static_cast<T>(value));
      }
  Hdf5Maker h5(file.string());
  h5.text(entry + "/definition", "NXtomo");
  h5.numbers<T>(detector + "/data", {keys.size(), rows, cols}, pixels, {}, chunk, packing);
  h5.numbers<int32_t>(detector + "/image_key", {keys.size()}, keys);
  h5.numbers<double>(entry + "/sample/rotation_angle", {keys.size()}, test::ramp(static_cast<int>(keys.size()), 0, 2),
                     "degree");
}

using Params = std::map<std::string, ParamValue>;

// load -> the given node -> collect
Graph graph(const fs::path& file, const std::string& node, Params load = {}, const Params& params = {}) {
  Graph g;
  load["file"] = file.string();
  g.nodes["load"] = {"input.load_scan", 1, load};
  g.nodes["node"] = {node, 1, params};
  g.nodes["collect"] = {"test.collect", 1, {}};
  g.links = {{"load", "projections", "node", "projections"}, {"node", "projections", "collect", "projections"}};
  return g;
}

RunOptions options(int64_t memory) {
  RunOptions o;
  o.memory = memory;
  return o;
}

constexpr int64_t roomy = int64_t{1} << 28;

at::Tensor run(const Graph& g, int64_t memory = roomy, at::ScalarType dtype = at::kFloat) {
  RunOptions o = options(memory);
  o.dtype = dtype;
  Executor e(registry(), o);
  watched.clear();
  e.run(g).or_throw();
  return collected;
}

int64_t smallest_budget(const Graph& g) {
  int64_t low = 1000, high = roomy;
  while (high - low > high / 50) {
    const int64_t middle = (low + high) / 2;
    (Executor(registry(), options(middle)).plan(g).ok() ? high : low) = middle;
  }
  return high;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return at::equal(a.contiguous().view(at::kInt), b.contiguous().view(at::kInt));
}

}  // namespace

class CountsTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  fs::path path(const char* name) const { return fs::path(dir_.path().toStdString()) / name; }

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(2);
    write_scan<uint16_t>(path("counts.nxs"));
    write_scan<uint8_t>(path("bytes.nxs"));
    write_scan<uint16_t>(path("packed.nxs"), {3, 7, 11}, Packing::deflate);
    write_scan<float>(path("floats.nxs"));
    write_scan<int32_t>(path("wide.nxs"));
  }

  void readers_give_the_same_numbers() {
    const std::vector<int64_t> some = {5, 6, 7, 3, 63, 0};
    for (const auto& [name, fits] : {std::pair{"counts.nxs", true},
                                     {"bytes.nxs", true},
                                     {"packed.nxs", true},
                                     {"floats.nxs", false},
                                     {"wide.nxs", false}}) {
      const auto reader = io::open_scan(path(name)).or_throw();
      for (const auto& [r, c] : {std::pair<Range, Range>{{0, rows}, {0, cols}}, {{4, 15}, {3, 20}}, {{7, 8}, {9, 9}}}) {
        const at::Tensor floats = reader->read_views(some, r, c, Samples::floats, {}).or_throw();
        const at::Tensor counts = reader->read_views(some, r, c, Samples::counts, {}).or_throw();
        QVERIFY(floats.scalar_type() == at::kFloat && at::equal(counts.to(at::kFloat), floats));
        if (floats.numel() == 0) continue;
        QCOMPARE(counts.scalar_type(), fits ? at::kUInt16 : at::kFloat);
        QCOMPARE(ops::floats_of_counts(counts).defined(), fits);
        QVERIFY(at::equal(floats[3], reader->read({{3, 4}, r, c}).or_throw()[0]));
      }
      const CancelToken cancelled;
      cancelled.cancel();
      QVERIFY_THROWS_EXCEPTION(
          Failure, std::ignore = reader->read_views(some, {0, rows}, {0, cols}, Samples::counts, cancelled));
    }
  }

  void counts_reach_who_takes_them() {
    const Graph g = graph(path("counts.nxs"), "test.watch");
    const at::Tensor values = run(g);
    QVERIFY(!watched.empty() && std::all_of(watched.begin(), watched.end(), [](auto t) { return t == at::kUInt16; }));
    QVERIFY(same_bits(values, run(graph(path("floats.nxs"), "test.watch"))));
    QVERIFY(std::all_of(watched.begin(), watched.end(), [](auto t) { return t == at::kFloat; }));
  }

  // Where others get the same, where results are kept for later, for verification in double precision.
  void all_others_get_floats() {
    Graph g = graph(path("counts.nxs"), "test.watch");
    const auto saw_only = [](at::ScalarType type) {
      return !watched.empty() && std::all_of(watched.begin(), watched.end(), [&](auto t) { return t == type; });
    };
    const at::Tensor values = run(g);
    QVERIFY(same_bits(run(graph(path("counts.nxs"), "correct.crop_bin")), values));  // it would fail in test.collect
    run(g, roomy, at::kDouble);
    QVERIFY(saw_only(at::kDouble));
    Executor e(registry(), options(roomy));
    watched.clear();
    e.pull(g, "node", "projections").or_throw();
    QVERIFY(saw_only(at::kFloat));
    const auto kept = e.known(g, "load", "projections", ScanRegion{{0, views}, {0, rows}, {0, cols}}).or_throw();
    QVERIFY(kept && std::get<Projections>(*kept).data.scalar_type() == at::kFloat);
    g.nodes["second"] = {"test.collect", 1, {}};
    g.links.push_back({"load", "projections", "second", "projections"});
    watched.clear();
    Executor(registry(), options(roomy)).run(g).or_throw();
    QVERIFY(saw_only(at::kFloat) && same_bits(collected, values));
  }

  void results_are_the_same_data() {
    QTest::addColumn<QByteArray>("file");
    for (const char* file : {"counts.nxs", "bytes.nxs", "packed.nxs"}) QTest::newRow(file) << QByteArray(file);
  }
  void results_are_the_same() {
    QFETCH(QByteArray, file);
    const auto word = [](const char* text) { return std::string(text); };
    const std::vector<Params> loads = {
        {},
        {{"flip_u", word("mirror")}},
        {{"flip_v", word("mirror")}, {"axes", word("transpose")}},
        {{"view_step", int64_t{3}}, {"first_view", int64_t{2}}, {"exclude", NumberList{{5, 6}, Unit::none}}}};
    const std::vector<Params> settings = {
        {}, {{"change", word("constant")}}, {{"logarithm", word("off")}}, {{"reference", word("none")}}};
    for (const Params& load : loads)
      for (const Params& params : settings) {
        if (file != "counts.nxs" && &params != &settings.front()) continue;
        const Graph ours = graph(path(file), "correct.flat_field", load, params),
                    floats = graph(path("floats.nxs"), "correct.flat_field", load, params);
        const at::Tensor expected = run(floats);
        QVERIFY(expected.abs().max().item<float>() > 0);
        QVERIFY(same_bits(run(ours), expected));
        if (&params == &settings.front()) QVERIFY(same_bits(run(ours, smallest_budget(ours)), expected));
      }
  }

  // What the plan counts on is the same: counts replace floats.
  void forecasts_are_the_same() {
    const Plan
        ours = Executor(registry(), options(roomy)).plan(graph(path("counts.nxs"), "correct.flat_field")).or_throw(),
        floats = Executor(registry(), options(roomy)).plan(graph(path("floats.nxs"), "correct.flat_field")).or_throw();
    QCOMPARE(ours.peak, floats.peak);
    const auto reader = io::open_scan(path("counts.nxs")).or_throw();
    const at::Tensor counts = reader->read({{0, views}, {0, rows}, {0, cols}}, Samples::counts).or_throw();
    QCOMPARE(static_cast<int64_t>(counts.storage().nbytes()), counts.numel() * static_cast<int64_t>(sizeof(float)));
  }
};

TL_TEST_CASE(CountsTest)

}  // namespace tl::counts_test

#include "counts.moc"
