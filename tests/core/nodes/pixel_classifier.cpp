// Pixel classifier: what a forest grown from the strokes' features gives, whole, in pieces and from a model file; what
// happens to input that cannot be.
#include <ATen/ATen.h>

#include "core/io/model/safetensors.h"
#include "core/io/volumes/label_table.h"
#include "core/nodes/segment/classifier_model.h"
#include "core/run/executor.h"
#include "gpu/classification/features.h"
#include "gpu/classification/forest.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::pixel_classifier_test {

using namespace test::volumes;

namespace {

constexpr int64_t nz = 12, ny = 60, nx = 70;
constexpr int64_t roomy = int64_t{1} << 28;
const std::string classifier = "segment.pixel_classifier";

VolumeGrid lattice() { return {nz, ny, nx, {3, -2, 7}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}; }

// Three bands along x of other brightness or other texture.
at::Tensor banded() {
  at::Generator g = at::detail::createCPUGenerator(5);
  at::Tensor v = at::randn({nz, ny, nx}, g, at::kFloat).mul_(0.15);
  v.narrow(2, 25, 20).add_(1);
  v.narrow(2, 45, 25).add_(at::arange(25, at::kFloat).remainder(4).sub(1.5));
  return v;
}
at::Tensor truth() {
  at::Tensor t = at::full({nz, ny, nx}, 2, at::kInt);
  t.narrow(2, 25, 20).fill_(5);
  t.narrow(2, 45, 25).fill_(7);
  return t;
}
// One stroke per class, in two slices.
at::Tensor strokes() {
  at::Tensor s = at::zeros({nz, ny, nx}, at::kInt);
  for (const int64_t z : {3, 8})
    for (const int64_t x : {10, 34, 58})
      s[z].narrow(0, 10, 40).narrow(1, x, 3).copy_(truth()[z].narrow(0, 10, 40).narrow(1, x, 3));
  return s;
}

// The classes as "number name colour, ...".
std::string table_of(const std::string& classes, int64_t not_labelled) {
  LabelTable table;
  for (const QString& one : QString::fromStdString(classes).split(", ")) {
    const QStringList words = one.split(' ');
    table.classes.push_back(
        {words[0].toLongLong(), words[1].toStdString(), words.size() > 2 ? words[2].toStdString() : ""});
  }
  table.not_labelled = not_labelled;
  return io::to_json_text(table);
}

}  // namespace

class PixelClassifierTest : public VolumeFolder {
  Q_OBJECT

  void save(const std::string& name, const at::Tensor& values, const VolumeGrid& grid = lattice()) {
    io::VolumeTarget t = target(path(name + ".nrrd"), grid);
    t.description = {};
    t.rules = io::no_inputs(io::Overwrite::replace);
    write(*io::find_volume_format("nrrd"), t, values.to(at::kFloat)).or_throw();
  }
  void save_table(const std::string& name, const std::string& json) { put(path(name + ".nrrd.labels.json"), json); }

  Graph pipeline(const std::string& volume = "volume", const std::string& labels = "strokes") const {
    Graph g;
    g.nodes["volume"] = {"input.load_volume", 1, {{"file", path(volume + ".nrrd").string()}}};
    g.nodes["classifier"] = {classifier, 1, {{"sigmas", NumberList{{0.7, 1.6}, Unit::px}}, {"trees", int64_t{20}}}};
    g.links.push_back({"volume", "volume", "classifier", "volume"});
    if (labels.empty()) return g;
    g.nodes["strokes"] = {"input.load_labels", 1, {{"file", path(labels + ".nrrd").string()}}};
    g.links.push_back({"strokes", "labels", "classifier", "strokes"});
    return g;
  }
  Graph saving(Graph g, const std::string& file) const {
    g.nodes["save"] = {"output.save_model", 1, {{"file", path(file).string()}}};
    g.links.push_back({"classifier", "model", "save", "model"});
    return g;
  }
  static RunOptions options(int64_t memory = roomy) {
    RunOptions o;
    o.memory = memory;
    return o;
  }
  static Value pull(Executor& e, const Graph& g, const std::string& port, const std::optional<Region>& region = {}) {
    return e.pull(g, "classifier", port, region).or_throw();
  }
  static at::Tensor labels(Executor& e, const Graph& g, const std::optional<Region>& region = {}) {
    return std::get<Labels>(pull(e, g, "labels", region)).data;
  }
  static Error refusal(const Graph& g) {
    Executor e(Registry::all(), options());
    const auto checked = e.check(g);
    if (!checked.ok()) return checked.error();
    const auto made = e.pull(g, "classifier", "labels");
    return made.ok() ? Error{} : made.error();
  }
  static void expect_refusal(const Graph& g, const std::string& what, const std::string& hint) {
    const Error e = refusal(g);
    QVERIFY2(e.what.find(what) != std::string::npos, ("\"" + e.message() + "\" does not say " + what).c_str());
    QVERIFY2(e.where.find("classifier") != std::string::npos, e.where.c_str());
    QVERIFY2(e.hint.find(hint) != std::string::npos, e.hint.c_str());
  }

 private Q_SLOTS:
  void init() {
    fs::remove(path("strokes.nrrd.labels.json"));
    save("volume", banded());
    save("strokes", strokes());
  }

  // The same strokes with 0 as a class, where the table says so.
  void zero_is_a_class_where_the_table_says_so() {
    Executor e(Registry::all(), options());
    const at::Tensor before = labels(e, pipeline());
    at::Tensor others = strokes();
    others.masked_fill_(others.eq(0), 255).masked_fill_(others.eq(2), 0);
    save("zero", others);
    save_table("zero", table_of("0 air, 5 bright, 7 striped", 255));
    const at::Tensor after = labels(e, pipeline("volume", "zero"));
    QVERIFY(after.equal(before.masked_fill(before.eq(2), 0)));
  }

  void strokes_separate_the_bands() {
    Executor e(Registry::all(), options());
    const at::Tensor right = labels(e, pipeline()).eq(truth()).to(at::kDouble);
    // Within the reach of a border features are those of both sides.
    QVERIFY2(right.narrow(2, 3, 19).mean().item<double>() > 0.99, "the first band");
    QVERIFY2(right.narrow(2, 28, 14).mean().item<double>() > 0.99, "the second band");
    QVERIFY2(right.narrow(2, 48, 19).mean().item<double>() > 0.97, "the third band");
  }

  // The node is its operators: features at the strokes, a forest, its probabilities.
  void the_node_is_its_operators() {
    ops::FeatureSpec spec;
    spec.sigmas = {0.7, 1.6};
    for (const auto span : {ops::FeatureSpan::slices, ops::FeatureSpan::volume}) {
      spec.span = span;
      spec.voxel = {2, 1, 1};
      const at::Tensor all = ops::voxel_features(banded(), {0, nz}, {0, ny}, {0, nx}, spec).or_throw();
      const at::Tensor where = strokes().view({-1}).nonzero().view({-1});
      const at::Tensor numbers = strokes().view({-1}).index_select(0, where);
      const at::Tensor classes = numbers.gt(2).to(at::kInt) + numbers.gt(5).to(at::kInt);
      ops::ForestSpec forest;
      forest.trees = 20;
      const at::Tensor samples = all.view({all.size(0), -1}).index_select(1, where);
      Graph g = pipeline();
      g.nodes["classifier"].params["span"] = std::string(span == ops::FeatureSpan::slices ? "slices" : "volume");
      Executor e(Registry::all(), options());
      const auto model = std::get<Model>(pull(e, g, "model"));
      const PixelClassifier made = classifier_of(model, "test").or_throw();
      // Samples come brick by brick: the same ones in another order. The slices' bricks are in their order.
      if (span == ops::FeatureSpan::slices) {
        const ops::Forest grown = ops::grow_forest(samples, classes, 3, forest).or_throw();
        QVERIFY(made.forest.edges == grown.edges);
        QVERIFY(made.forest.leaf == grown.leaf);
        QVERIFY(made.forest.leaves == grown.leaves);
      }
      const at::Tensor expected = ops::forest_probabilities(made.forest, all).or_throw();
      QVERIFY(std::get<Maps>(pull(e, g, "probabilities")).data.equal(expected));
      const auto sorted = std::get<0>(expected.sort(0, true));
      const at::Tensor uncertainty = std::get<Volume>(pull(e, g, "uncertainty")).data;
      QVERIFY(uncertainty.allclose(1 - (sorted[0] - sorted[1]), 0, 1e-6));
      const auto info = std::get<MapsInfo>(e.infos(g, "classifier").or_throw().at("probabilities"));
      QCOMPARE(info.channels.size(), 3U);
      QCOMPARE(info.channels[1].number, 5);
    }
  }

  void pieces_equal_the_whole() {
    for (const char* span : {"slices", "volume"}) {
      Graph g = pipeline();
      g.nodes["classifier"].params["span"] = std::string(span);
      Executor whole(Registry::all(), options());
      const at::Tensor all = labels(whole, g);
      for (const Range z : {Range{0, 1}, Range{4, 7}}) {
        Executor fresh(Registry::all(), options());
        QVERIFY(labels(fresh, g, lattice().slab(z)).equal(all.narrow(0, z.begin, z.size())));
      }
      Executor fresh(Registry::all(), options());
      const VolumeGrid side = lattice().sub({0, nz}, {0, ny}, {40, 41});
      QVERIFY(labels(fresh, g, side).equal(all.narrow(2, 40, 1)));
      // A binned slice is classified by features of the same lengths.
      const VolumeGrid slice = lattice().slab({5, 6});
      VolumeGrid coarse = slice;
      coarse.ny /= 2;
      coarse.nx /= 2;
      coarse.step_y = 2 * slice.step_y;
      coarse.step_x = 2 * slice.step_x;
      const at::Tensor seen = labels(fresh, g, coarse);
      QCOMPARE(seen.sizes(), at::IntArrayRef({1, ny / 2, nx / 2}));
      // The texture of the third band is finer than that.
      const at::Tensor near = truth().narrow(0, 5, 1).slice(1, 0, ny, 2).slice(2, 0, 44, 2);
      QVERIFY(seen.narrow(2, 0, 22).eq(near).to(at::kDouble).mean().item<double>() > 0.8);
    }
  }

  void a_model_file_gives_the_same_without_strokes() {
    Executor e(Registry::all(), options());
    const Graph trains = pipeline();
    const at::Tensor expected = labels(e, trains);
    QVERIFY(e.run(saving(trains, "bands.safetensors")).ok());
    Graph applies = pipeline("volume", "");
    applies.nodes["classifier"].params["model"] = path("bands.safetensors").string();
    Executor fresh(Registry::all(), options());
    QVERIFY(labels(fresh, applies).equal(expected));
    // Once: strokes that change the labels do not matter; live they do.
    save("few", strokes().masked_fill(truth().eq(7), 5));
    Graph once = pipeline("volume", "few");
    once.nodes["classifier"].params["model"] = path("bands.safetensors").string();
    QVERIFY(!labels(fresh, once).equal(expected));
    once.nodes["classifier"].params["training"] = std::string("once");
    QVERIFY(labels(fresh, once).equal(expected));
    // The file is an input: its content is in the record, and a changed one is noticed.
    const auto before = fresh.look(applies).at("classifier").key;
    const RunReport report = [&] {
      Executor runs(Registry::all(), options());
      Graph g = applies;
      g.nodes["out"] = {"output.save_labels", 1, {{"file", path("labels.tif").string()}}};
      g.links.push_back({"classifier", "labels", "out", "labels"});
      return runs.run(g).or_throw();
    }();
    QVERIFY(report.fingerprints.count("classifier") == 1);
    Graph other = pipeline();
    other.nodes["classifier"].params["seed"] = int64_t{9};
    RunOptions replaces = options();
    replaces.overwrite = io::Overwrite::replace;
    Executor again(Registry::all(), replaces);
    QVERIFY(again.run(saving(other, "bands.safetensors")).ok());
    QThread::msleep(1100);  // stamps of input files are trusted for a second
    QVERIFY(fresh.look(applies).at("classifier").key != before);
  }

  void names_of_classes_pass_on() {
    save_table("strokes", table_of("0 none, 2 air #112233, 5 bone, 7 foam", 0));
    Executor e(Registry::all(), options());
    const Graph g = pipeline();
    const auto infos = e.infos(g, "classifier").or_throw();
    QCOMPARE(std::get<LabelsInfo>(infos.at("labels")).table.classes.size(), 3U);
    QCOMPARE(std::get<MapsInfo>(infos.at("probabilities")).channels.at(2).name, std::string("foam"));
    QVERIFY(e.run(saving(g, "named.safetensors")).ok());
    Graph applies = pipeline("volume", "");
    applies.nodes["classifier"].params["model"] = path("named.safetensors").string();
    const auto after = e.infos(applies, "classifier").or_throw();
    QCOMPARE(std::get<LabelsInfo>(after.at("labels")).table.classes.at(0).colour, std::string("#112233"));
  }

  void not_labelled_need_not_be_zero() {
    save("other", strokes().masked_fill(strokes().eq(0), 9));
    save_table("other", table_of("2 a, 5 b, 7 c, 9 none", 9));
    Executor e(Registry::all(), options());
    QVERIFY(labels(e, pipeline("volume", "other")).equal(labels(e, pipeline())));
  }

  // Two strokes' voxels for each of the volume's, half a voxel apart.
  void strokes_on_another_grid_lie_by_position() {
    const at::Tensor fine = strokes().repeat_interleave(2, 1).repeat_interleave(2, 2);
    VolumeGrid g = lattice();
    g.ny *= 2;
    g.nx *= 2;
    g.step_y = 0.5 * g.step_y;
    g.step_x = 0.5 * g.step_x;
    save("fine", fine, g);
    Executor e(Registry::all(), options());
    QVERIFY(labels(e, pipeline("volume", "fine")).equal(labels(e, pipeline())));
    VolumeGrid away = lattice();
    away.centre.x += 1000;
    save("away", strokes(), away);
    expect_refusal(pipeline("volume", "away"), "outside of the volume", "within the volume");
  }

  void a_map_is_picked() {
    Graph g = pipeline();
    g.nodes["pick"] = {"segment.pick_map", 1, {{"number", int64_t{5}}}};
    g.links.push_back({"classifier", "probabilities", "pick", "maps"});
    Executor e(Registry::all(), options());
    QVERIFY(std::get<Volume>(e.pull(g, "pick", "volume").or_throw())
                .data.equal(std::get<Maps>(pull(e, g, "probabilities")).data[1]));
    QVERIFY(std::get<Labels>(e.pull(g, "pick", "labels").or_throw()).data.equal(labels(e, g)));
    g.nodes["pick"].params["number"] = int64_t{3};
    const auto wrong = e.pull(g, "pick", "volume");
    QVERIFY(!wrong.ok() && wrong.error().message().find("2, 5, 7") != std::string::npos);
  }

  void bad_strokes_are_refused() {
    expect_refusal(pipeline("volume", ""), "no strokes are linked", "choose a model");
    save("none", at::zeros({nz, ny, nx}, at::kInt));
    expect_refusal(pipeline("volume", "none"), "the strokes are empty", "each class");
    save("one", strokes().gt(0).to(at::kInt) * 4);
    expect_refusal(pipeline("volume", "one"), "all strokes are of class 4", "each class");
    save("many", at::arange(nz * ny * nx, at::kInt).view({nz, ny, nx}));
    expect_refusal(pipeline("volume", "many"), "more than 256 numbers", "not numbers of objects");
    save_table("strokes", table_of("2 a, 5 b", 0));
    expect_refusal(pipeline(), "the number 7", "the table");
  }

  void bad_volumes_are_refused() {
    save("flat", at::ones({nz, ny, nx}));
    expect_refusal(pipeline("flat"), "the same at all strokes", "before this one");
    at::Tensor broken = banded();
    broken[3][12][11] = std::nanf("");
    save("broken", broken);
    expect_refusal(pipeline("broken"), "not finite", "Mask or fill");
  }

  void bad_models_are_refused() {
    Executor e(Registry::all(), options());
    QVERIFY(e.run(saving(pipeline(), "sound.safetensors")).ok());
    Graph applies = pipeline("volume", "");
    const auto with = [&](const std::string& file) {
      applies.nodes["classifier"].params["model"] = path(file).string();
      return applies;
    };
    Graph other = with("sound.safetensors");
    other.nodes["classifier"].params["hessian"] = false;
    expect_refusal(other,
                   "structure, hessian, difference; 0.7, 1.6 voxels; this node has: in slices; gaussian, "
                   "laplacian, gradient, structure, difference",
                   "Set the features");
    put(path("text.safetensors"), "no model at all");
    expect_refusal(with("text.safetensors"), "not a model file", "Save model");
    std::string bytes = bytes_of(path("sound.safetensors"));
    bytes[bytes.size() - 5] ^= 1;
    put(path("damaged.safetensors"), bytes);
    expect_refusal(with("damaged.safetensors"), "checksum", "again");
    const Model another{"{\"kind\": \"network\"}", {{"w", at::ones({2})}}};
    put(path("another.safetensors"), io::to_safetensors(another));
    expect_refusal(with("another.safetensors"), "not a pixel classifier", "Save model");
    Graph once = pipeline();
    once.nodes["classifier"].params["training"] = std::string("once");
    expect_refusal(once, "no model is chosen", "Save model");
  }
};

TL_TEST_CASE(PixelClassifierTest)

}  // namespace tl::pixel_classifier_test

#include "pixel_classifier.moc"
