// Numbers from labels: porosity of known pores, tables of known objects, the same from blocks as from the whole.
#include <ATen/ATen.h>

#include <numbers>

#include "core/run/executor.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::measured_labels_test {

using namespace test::volumes;

namespace {

// Voxels of 0.1 mm, away from the origin.
VolumeGrid lattice() { return VolumeGrid::cubic(60, 64, 64, 0.1, {5, -3, 2}); }
// The centre of the lattice is between its middle voxels.
at::Tensor ball(double radius, double z = 0, double y = 0, double x = 0) {
  const auto squares = [&](int64_t n, double at) {
    return (at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1) - at).square();
  };
  return squares(60, z).view({60, 1, 1}) + squares(64, y).view({1, 64, 1}) + squares(64, x).view({1, 1, 64}) <
         radius * radius;
}

using Settings = std::map<std::string, ParamValue>;

}  // namespace

class MeasuredLabelsTest : public VolumeFolder {
  Q_OBJECT

  Graph graph(const std::string& type, const at::Tensor& labels, const Settings& settings = {}) const {
    io::VolumeTarget t = target(path("labels" + std::to_string(labels.sum().item<int64_t>()) + ".nrrd"), lattice());
    t.description = {};
    if (!fs::exists(t.path)) write(*io::find_volume_format("nrrd"), t, labels.to(at::kFloat)).or_throw();
    Graph g;
    g.nodes["load"] = {"input.load_labels", 1, {{"file", t.path.string()}}};
    g.nodes["node"] = {type, 1, settings};
    g.links.push_back({"load", "labels", "node", "labels"});
    return g;
  }
  static double scalar_output(Executor& e, const Graph& g, const std::string& port) {
    return std::get<Scalar>(e.pull(g, "node", port).or_throw()).value.item<double>();
  }
  static std::vector<double> column(const Table& t, const std::string& name) {
    for (const Table::Column& c : t.columns)
      if (c.name == name) return c.values;
    return {};
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // A closed bubble and one that is cut by the lowest slice.
  void open_and_closed_pores() {
    const at::Tensor closed = ball(10), open = ball(8, -29.5, 15, -12), all = closed.logical_or(open);
    const double voxels = 60 * 64 * 64, n_closed = closed.sum().item<double>(), n_open = open.sum().item<double>();
    const Graph g = graph("measure.porosity", all);
    // Reading files takes 34 MB of any budget, and the cache a quarter: the rest holds a part of the volume at a time.
    constexpr int64_t little = 52'000'000;
    for (const int64_t memory : {int64_t{1} << 28, little}) {
      RunOptions o;
      o.memory = memory;
      Executor e(Registry::all(), o);
      QCOMPARE(scalar_output(e, g, "porosity"), (n_closed + n_open) / voxels);
      QCOMPARE(scalar_output(e, g, "closed"), n_closed / voxels);
      QCOMPARE(scalar_output(e, g, "open"), n_open / voxels);
      const auto profile = std::get<Table>(e.pull(g, "node", "profile").or_throw());
      QCOMPARE(profile.columns[0].values.size(), std::size_t{60});
      QCOMPARE(profile.columns[0].values[0], lattice().position(0, 0, 0).z);
      QCOMPARE(profile.columns[1].values[30], all[30].sum().item<double>() / (64 * 64));
      QCOMPARE(e.stats().at("load").calls > 1, memory == little);
    }
  }
  // Within a cylinder a pore at its side is open, and what lies outside does not count.
  void pores_in_a_cylinder() {
    const at::Tensor inside = ball(5), at_side = ball(4, 3, 0, 24), outside = ball(3, 0, 28, 28);
    const Graph g = graph("measure.porosity", inside.logical_or(at_side).logical_or(outside),
                          {{"cylinder", Number{0.8, Unit::none}}});
    Executor e(Registry::all(), {});
    const double radius = 0.8 * 32;
    int64_t circle = 0, cut = 0;
    for (int64_t y = 0; y < 64; ++y)
      for (int64_t x = 0; x < 64; ++x) {
        if (std::hypot(static_cast<double>(y) - 31.5, static_cast<double>(x) - 31.5) >= radius) continue;
        ++circle;
        cut += at_side.select(1, y).select(1, x).sum().item<int64_t>();
      }
    const double all = 60.0 * static_cast<double>(circle);
    QVERIFY(cut > 0 && cut < at_side.sum().item<int64_t>());
    QCOMPARE(scalar_output(e, g, "closed"), inside.sum().item<double>() / all);
    QCOMPARE(scalar_output(e, g, "open"), static_cast<double>(cut) / all);
  }
  void all_and_nothing() {
    Executor e(Registry::all(), {});
    QCOMPARE(scalar_output(e, graph("measure.porosity", at::ones({60, 64, 64})), "porosity"), 1.0);
    QCOMPARE(scalar_output(e, graph("measure.porosity", at::ones({60, 64, 64})), "closed"), 0.0);
    QCOMPARE(scalar_output(e, graph("measure.porosity", at::zeros({60, 64, 64})), "porosity"), 0.0);
  }

  // A ball of radius 20 voxels of 0.1 mm: 33.5 mm^3 within 1 %.
  void a_ball() {
    const Graph g = graph("measure.regions", ball(20, 2, -3, 4).to(at::kInt) * 7);
    Executor e(Registry::all(), {});
    const auto t = std::get<Table>(e.pull(g, "node", "regions").or_throw());
    QCOMPARE(scalar_output(e, g, "count"), 1.0);
    QCOMPARE(column(t, "number"), std::vector<double>{7});
    const double volume = column(t, "volume_mm3")[0];
    QVERIFY2(std::abs(volume / (4.0 / 3 * std::numbers::pi * 8) - 1) < 0.01, std::to_string(volume).c_str());
    QVERIFY(std::abs(column(t, "equivalent_diameter")[0] - 4) < 0.02);
    for (const char* axis : {"major_axis", "middle_axis", "minor_axis"})
      QVERIFY2(std::abs(column(t, axis)[0] - 4) < 0.02, axis);
    // Half a voxel off the middle: the centre of the lattice is between voxels.
    constexpr double rounding = 1e-9;  // [mm]
    QVERIFY(std::abs(column(t, "x")[0] - 5.4) < 0.05 + rounding && std::abs(column(t, "z")[0] - 2.2) < 0.05 + rounding);
    // Indices along x from its smallest value: 31.5 + 4 - 20 to 31.5 + 4 + 20.
    QVERIFY(column(t, "first_x")[0] == 16 && column(t, "last_x")[0] == 55);
    QVERIFY(column(t, "first_y")[0] == 9 && column(t, "last_y")[0] == 48);
    QVERIFY(column(t, "first_z")[0] == 12 && column(t, "last_z")[0] == 51);
    QCOMPARE(column(t, "touches_border")[0], 0.0);
    QVERIFY(column(t, "mean").empty());
  }

  // Grey values 2.5 in the lower half of the lattice along z, with voxels twice as large; above it there are none.
  void grey_values_of_another_grid() {
    at::Tensor labels = at::zeros({60, 64, 64}, at::kInt);
    labels.narrow(0, 8, 6).narrow(1, 20, 10).narrow(2, 30, 8).fill_(1);   // within
    labels.narrow(0, 24, 5).narrow(1, 20, 10).narrow(2, 30, 8).fill_(2);  // within
    labels.narrow(0, 30, 5).narrow(1, 20, 10).narrow(2, 30, 8).fill_(2);  // outside
    labels.narrow(0, 45, 6).narrow(1, 20, 10).narrow(2, 30, 8).fill_(3);  // outside
    Graph g = graph("measure.regions", labels);
    const VolumeGrid l = lattice();
    io::VolumeTarget t = target(path("grey.nrrd"), VolumeGrid::cubic(15, 32, 32, 0.2, l.position(14.5, 31.5, 31.5)));
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, at::full({15, 32, 32}, 2.5)).or_throw();
    g.nodes["grey"] = {"input.load_volume", 1, {{"file", t.path.string()}}};
    g.links.push_back({"grey", "volume", "node", "volume"});
    struct : EventSink {
      std::string said;
      void message(LogLevel, std::string_view, std::string_view text) override { said += text; }
    } sink;
    RunOptions o;
    o.events = &sink;
    Executor e(Registry::all(), o);
    const auto table = std::get<Table>(e.pull(g, "node", "regions").or_throw());
    for (const char* name : {"mean", "least", "most"}) {
      const std::vector<double> c = column(table, name);
      constexpr double rounding = 1e-6;  // of float32
      const std::string text = std::string(name) + " " + std::to_string(c[0]) + " " + std::to_string(c[1]);
      QVERIFY2(std::abs(c[0] - 2.5) < rounding && std::abs(c[1] - 2.5) < rounding && std::isnan(c[2]), text.c_str());
    }
    QVERIFY2(sink.said.find(std::to_string((5 + 6) * 10 * 8) + " labelled voxels lie outside") != std::string::npos,
             sink.said.c_str());
  }

  // Plates of 7 voxels of 0.1 mm (number 3) and of 2 (number 5).
  void thickness_of_plates() {
    at::Tensor labels = at::zeros({60, 64, 64}, at::kInt);
    labels.narrow(1, 10, 7).fill_(3);
    labels.narrow(1, 40, 2).fill_(5);
    constexpr double rounding = 1e-6;  // [mm], of float32
    const auto at_number = [&](int64_t number) { return labels.eq(number).to(at::kDouble); };
    Executor e(Registry::all(), {});
    const Graph all = graph("measure.thickness", labels);
    const auto volume = std::get<Volume>(e.pull(all, "node", "volume").or_throw());
    QVERIFY(volume.unit == Unit::mm);
    QVERIFY((volume.data.to(at::kDouble) - 0.7 * at_number(3) - 0.2 * at_number(5)).abs().max().item<double>() <
            rounding);
    QVERIFY(std::abs(scalar_output(e, all, "mean") - (7 * 0.7 + 2 * 0.2) / 9) < rounding);
    QVERIFY(std::abs(scalar_output(e, all, "largest") - 0.7) < rounding);
    QVERIFY(std::abs(scalar_output(e, all, "deviation") - 0.5 * std::sqrt(14.0) / 9) < rounding);
    const auto bins = std::get<Table>(e.pull(all, "node", "histogram").or_throw());
    QCOMPARE(bins.columns[0].values.size(), std::size_t{50});
    QCOMPARE(bins.columns[1].values.back(), 7.0 * 60 * 64);
    QCOMPARE(bins.columns[1].values[14], 2.0 * 60 * 64);  // 0.2 of 0.7 in bins of 0.014
    QVERIFY(bins.columns[1].values.front() == 0 && std::abs(bins.columns[2].values.back() - 7.0 / 9) < 1e-12);
    const Graph one = graph("measure.thickness", labels, {{"number", int64_t{5}}});
    const auto slice = std::get<Volume>(e.pull(one, "node", "volume", lattice().slab({7, 8})).or_throw());
    QVERIFY((slice.data.to(at::kDouble) - 0.2 * at_number(5)[0]).abs().max().item<double>() < rounding);
    const Graph none = graph("measure.thickness", labels, {{"number", int64_t{9}}});
    QVERIFY(std::get<Volume>(e.pull(none, "node", "volume").or_throw()).data.eq(0).all().item<bool>());
    const auto mean = std::get<Scalar>(e.pull(none, "node", "mean").or_throw());
    QVERIFY(mean.value.item<double>() == 0 && mean.verdict == Verdict::flat);
    const auto everything = e.pull(graph("measure.thickness", at::ones({60, 64, 64})), "node", "mean");
    QVERIFY(!everything.ok() && everything.error().kind == ErrorKind::invalid);
    QVERIFY2(everything.error().message().find("no border") != std::string::npos, everything.error().message().c_str());
  }
  void thickness_beyond_memory_is_refused() {
    RunOptions o;
    o.memory = 42'000'000;  // reading takes 34 MB of it, thickness needs some 18 MB for 60 x 64 x 64 voxels
    Executor e(Registry::all(), o);
    const auto got = e.pull(graph("measure.thickness", ball(9)), "node", "mean");
    QVERIFY(!got.ok());
    QVERIFY2(got.error().message().find("MB") != std::string::npos, got.error().message().c_str());
  }

  // A ball against one that is moved, by numbers, in memory and in pieces.
  void scores_of_labels() {
    const at::Tensor truth = ball(10).to(at::kInt) * 3 + ball(6, 20, 20, 20).to(at::kInt) * 2;
    const at::Tensor other = ball(10, 0, 1, 0).to(at::kInt) * 3 + ball(6, 20, 20, 20).to(at::kInt);
    Graph g = graph("measure.scores", other, {{"left_out", std::string("nothing")}});
    g.links.clear();
    g.nodes["truth"] = graph("measure.scores", truth).nodes.at("load");
    g.links = {{"truth", "labels", "node", "truth"}, {"load", "labels", "node", "labels"}};
    const double hits = truth.eq(3).logical_and(other.eq(3)).sum().item<double>(),
                 in_truth = truth.eq(3).sum().item<double>(), in_other = other.eq(3).sum().item<double>();
    const double right = truth.eq(other).sum().item<double>() / static_cast<double>(truth.numel());
    constexpr int64_t little = 52'000'000;
    for (const int64_t memory : {int64_t{1} << 28, little}) {
      RunOptions o;
      o.memory = memory;
      Executor e(Registry::all(), o);
      const auto t = std::get<Table>(e.pull(g, "node", "classes").or_throw());
      QCOMPARE(column(t, "number"), (std::vector<double>{0, 1, 2, 3}));
      QCOMPARE(column(t, "in_both")[3], hits);
      QCOMPARE(column(t, "f1")[3], 2 * hits / (in_truth + in_other));
      QCOMPARE(column(t, "iou")[3], hits / (in_truth + in_other - hits));
      QVERIFY(column(t, "f1")[1] == 0 && column(t, "f1")[2] == 0);
      QCOMPARE(scalar_output(e, g, "accuracy"), right);
      QCOMPARE(scalar_output(e, g, "voxels"), static_cast<double>(truth.numel()));
    }
    g.nodes["node"].params["left_out"] = std::string("zero");
    Executor e(Registry::all(), {});
    QCOMPARE(scalar_output(e, g, "voxels"), truth.ne(0).sum().item<double>());
    QCOMPARE(scalar_output(e, g, "accuracy"), hits / truth.ne(0).sum().item<double>());
  }
};

TL_TEST_CASE(MeasuredLabelsTest)

}  // namespace tl::measured_labels_test

#include "measured_labels.moc"
