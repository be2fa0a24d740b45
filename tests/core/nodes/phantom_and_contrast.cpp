// The labelled phantom against numbers known from its bodies, and local contrast of a volume in pieces.
#include <ATen/ATen.h>

#include <cmath>

#include "core/run/executor.h"
#include "gpu/image/clahe.h"
#include "gpu/image/histogram.h"
#include "gpu/simulate/labelled_phantom.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::phantom_and_contrast_test {

using namespace test::volumes;

namespace {

using Settings = std::map<std::string, ParamValue>;

Graph with_phantom(const Settings& settings) {
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom", 1, settings};
  return g;
}
Settings small(const std::string& kind, double noise = 0.1) {
  return {{"kind", kind}, {"width", int64_t{72}}, {"height", int64_t{40}}, {"noise", Number{noise, Unit::none}}};
}
RunOptions options(int64_t memory = int64_t{1} << 28) {
  RunOptions o;
  o.memory = memory;
  return o;
}
double scalar_output(Executor& e, const Graph& g, const std::string& node, const std::string& port) {
  return std::get<Scalar>(e.pull(g, node, port).or_throw()).value.item<double>();
}
at::Tensor volume(Executor& e, const Graph& g, const std::string& node, const std::optional<Region>& region = {}) {
  return std::get<Volume>(e.pull(g, node, "volume", region).or_throw()).data;
}

}  // namespace

class PhantomAndContrastTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  // Pores of the cylinder by the node that measures them, against the sum of the bubbles' volumes.
  void porosity_of_the_foam() {
    for (const int64_t seed : {1, 2}) {
      Graph g =
          with_phantom({{"width", int64_t{160}}, {"height", int64_t{100}}, {"seed", seed}, {"samples", int64_t{1}}});
      g.nodes["porosity"] = {"measure.porosity", 1, {{"number", int64_t{2}}, {"cylinder", Number{0.9, Unit::none}}}};
      g.links.push_back({"phantom", "labels", "porosity", "labels"});
      ops::LabelledPhantomSpec spec;
      spec.whole = VolumeGrid::cubic(100, 160, 160, 0.01);
      spec.seed = static_cast<uint64_t>(seed);
      const double wanted = ops::LabelledPhantom::make(spec).or_throw().share_of_bodies();
      Executor e(Registry::all(), options(int64_t{1} << 29));
      const double found = scalar_output(e, g, "porosity", "porosity");
      QVERIFY2(wanted > 0.2 && std::abs(found / wanted - 1) < 0.005,
               (std::to_string(found) + ", bubbles " + std::to_string(wanted)).c_str());
      QCOMPARE(scalar_output(e, g, "porosity", "open"), 0.0);  // no bubble reaches the surface
    }
  }
  void grey_values_are_those_of_classes() {
    const std::map<std::string, std::vector<double>> greys = {
        {"foam", {0, 1, 0}}, {"strands_and_spheres", {0, 0.5, 1, 1}}, {"circles_and_squares", {0, 0.5, 1, 1}}};
    for (const auto& [kind, wanted] : greys) {
      Executor e(Registry::all(), options());
      Settings one_point = small(kind, 0);
      one_point["samples"] = int64_t{1};
      const Graph g = with_phantom(one_point);
      const at::Tensor values = volume(e, g, "phantom");
      const auto labels = std::get<Labels>(e.pull(g, "phantom", "labels").or_throw());
      const auto table = std::get<LabelsInfo>(e.infos(g, "phantom").or_throw().at("labels")).table;
      QCOMPARE(table.classes.size(), wanted.size());
      for (std::size_t n = 0; n < wanted.size(); ++n) {
        const at::Tensor of_class = values.masked_select(labels.data.eq(static_cast<int64_t>(n)));
        QVERIFY(of_class.numel() > 0 && of_class.eq(wanted[n]).all().item<bool>());
        QCOMPARE(table.classes[n].number, static_cast<int64_t>(n));
      }
      // Noise of a tenth of the attenuation, of mean 0; another seed is another volume.
      one_point["noise"] = Number{0.1, Unit::none};
      const at::Tensor noise = (volume(e, with_phantom(one_point), "phantom") - values).to(at::kDouble);
      QVERIFY(std::abs(noise.std().item<double>() - 0.1) < 0.001);
      QVERIFY(std::abs(noise.mean().item<double>()) < 0.001);
      one_point["seed"] = int64_t{2};
      QVERIFY(!volume(e, with_phantom(one_point), "phantom").equal(values + noise));
    }
  }
  // Noise belongs to voxels: slices, boxes and single voxels have that of the whole.
  void parts_of_the_phantom_are_the_whole() {
    const VolumeGrid all = VolumeGrid::cubic(40, 72, 72, 0.01);
    for (const char* kind : {"foam", "strands_and_spheres"}) {
      const Graph g = with_phantom(small(kind));
      Executor whole(Registry::all(), options());
      const at::Tensor values = volume(whole, g, "phantom");
      Executor fresh(Registry::all(), options());
      QVERIFY(volume(fresh, g, "phantom", all.sub({3, 20}, {11, 12}, {5, 70}))
                  .equal(values.narrow(0, 3, 17).narrow(1, 11, 1).narrow(2, 5, 65)));
      Executor little(Registry::all(), options());
      QVERIFY(volume(little, g, "phantom", all.slab({39, 40})).equal(values.narrow(0, 39, 1)));
    }
  }

  // As the operator in one piece, with the range of all values but a thousandth at each end.
  void contrast_in_pieces() {
    constexpr int64_t less_than_volume = 56'000'000;  // reading files takes 34 MB of it
    const VolumeGrid grid = VolumeGrid::cubic(160, 192, 160, 0.1);
    at::manual_seed(2);
    const at::Tensor values = at::rand({160, 192, 160}).square() - 0.3;
    io::VolumeTarget t = target(path("values.nrrd"), grid);
    t.description = {};
    write(*io::find_volume_format("nrrd"), t, values).or_throw();
    Graph g;
    g.nodes["load"] = {"input.load_volume", 1, {{"file", t.path.string()}}};
    g.nodes["node"] = {"filter.clahe", 1, {{"clip_limit", Number{0.02, Unit::none}}}};
    g.links.push_back({"load", "volume", "node", "volume"});
    ops::ClaheSpec spec;
    spec.tile_y = 24;
    spec.tile_x = 20;
    spec.clip_limit = 0.02;
    ops::Histogram histogram;
    histogram.add(values);
    spec.low = histogram.percentile(0.1);
    spec.high = histogram.percentile(99.9);
    QVERIFY(spec.low > values.min().item<double>() && spec.high < values.max().item<double>());
    const at::Tensor wanted = ops::clahe(values.narrow(0, 80, 2), spec).or_throw();
    for (const int64_t memory : {int64_t{1} << 28, less_than_volume}) {
      Executor e(Registry::all(), options(memory));
      QVERIFY(volume(e, g, "node", grid.slab({80, 82})).equal(wanted));
      QCOMPARE(e.stats().at("load").calls > 2, memory == less_than_volume);
      QVERIFY(volume(e, g, "node", grid.sub({81, 82}, {5, 50}, {7, 9}))
                  .equal(wanted.narrow(0, 1, 1).narrow(1, 5, 45).narrow(2, 7, 2)));
    }
    // A given range needs no pass over the volume.
    g.nodes["node"].params["low"] = Number{spec.low, Unit::none};
    g.nodes["node"].params["high"] = Number{spec.high, Unit::none};
    Executor e(Registry::all(), options());
    QVERIFY(volume(e, g, "node", grid.slab({80, 82})).equal(wanted));
    QCOMPARE(e.stats().at("load").calls, int64_t{1});
    g.nodes["node"].params["high"] = Number{-2, Unit::none};
    const auto refused = e.pull(g, "node", "volume");
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::invalid);
  }
  // A volume without contrast stays.
  void even_volumes_stay() {
    Graph g = with_phantom(small("foam", 0));
    g.nodes["phantom"].params["size"] = Number{2, Unit::none};
    g.nodes["phantom"].params["bodies"] = int64_t{1};
    g.nodes["node"] = {"filter.clahe", 1, {{"low", Number{1, Unit::none}}}};
    g.links.push_back({"phantom", "volume", "node", "volume"});
    Executor e(Registry::all(), options());
    QVERIFY(volume(e, g, "node").equal(volume(e, g, "phantom")));
  }
};

TL_TEST_CASE(PhantomAndContrastTest)

}  // namespace tl::phantom_and_contrast_test

#include "phantom_and_contrast.moc"
