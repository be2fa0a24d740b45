// Learning images and the weights of networks: what they are good for, alone and along with numbers.
#include <ATen/ATen.h>

#include <cmath>
#include <filesystem>

#include "core/learn/history.h"
#include "core/learn/learning.h"
#include "core/node/learnable.h"
#include "tests/support/learn/scans.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::arrays_test {

using test::target;

namespace {

constexpr int64_t cols = 48, views = 60;
constexpr double ring_weight = 1e-3;  // of total variation relative to the relative error of the views

learn::Settings settings_for(std::vector<learn::Target> targets) {
  learn::Settings s;
  s.targets = std::move(targets);
  s.objective = {"objective", "loss"};
  s.stop.iterations = 60;
  s.stop.tolerance = 1e-3;
  return s;
}

learn::Learned learned(const Graph& g, const learn::Settings& s, const std::filesystem::path& journal = {}) {
  Executor executor(test::registry(), test::roomy());
  learn::LearnOptions options;
  options.journal = journal;
  return learn::learn(executor, test::registry(), g, s, options).or_throw();
}

at::Tensor pull(const Graph& g, const std::string& node, const std::string& port) {
  Executor executor(test::registry(), test::roomy());
  return test::numbers_of(executor.pull(g, node, port).or_throw()).to(at::kDouble);
}

GraphNode scan(double photons) {
  return {"test.phantom",
          1,
          {{"views", views}, {"rows", int64_t{1}}, {"cols", cols}, {"photons", Number{photons, Unit::none}}}};
}

double rms(const at::Tensor& x) { return std::sqrt(x.square().mean().item<double>()); }

// Errors of single pixels that all views share: every fourth pixel is off.
NumberArray pixel_errors() {
  std::vector<float> errors(static_cast<std::size_t>(cols), 0.0F);
  for (std::size_t i = 2; i < errors.size(); i += 4) errors[i] = i % 8 == 2 ? 0.5F : -0.3F;
  return NumberArray::make({1, cols}, std::move(errors)).or_throw();
}

// Views that a volume of two grey values explains completely, recorded with the axis 1.3 px off:
// scan -> fbp -> two grey values -> views
Graph explained_views() {
  Graph g;
  g.nodes["scan"] = scan(0);
  g.nodes["shape"] = {"recon.fbp", 1, {}};
  g.nodes["truth"] = {"filter.soft_threshold", 1, {{"threshold", Number{0.5, {}}}, {"width", Number{0.02, {}}}}};
  g.nodes["truth_axis"] = {"geometry.set", 1, {{"axis", Number{1.3, Unit::px}}}};
  g.nodes["views"] = {"recon.forward_projection", 1, {}};
  g.links = {{"scan", "projections", "shape", "projections"},
             {"scan", "projections", "truth_axis", "projections"},
             {"shape", "volume", "truth", "volume"},
             {"truth", "volume", "views", "volume"},
             {"truth_axis", "projections", "views", "like"}};
  return g;
}

// ... -> geometry.set -> fbp -> change -> forward projection -> error of the views
Graph refine_graph(double start) {
  Graph g = explained_views();
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{start, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["change"] = {"filter.volume_change", 1, {}};
  g.nodes["project"] = {"recon.forward_projection", 1, {}};
  g.nodes["objective"] = {"objective.data_error", 1, {}};
  for (const Link& link : {Link{"views", "projections", "axis", "projections"},
                           {"axis", "projections", "fbp", "projections"},
                           {"fbp", "volume", "change", "volume"},
                           {"change", "volume", "project", "volume"},
                           {"axis", "projections", "project", "like"},
                           {"project", "projections", "objective", "projections"},
                           {"axis", "projections", "objective", "measured"}})
    g.links.push_back(link);
  return g;
}

// The same with errors of pixels in the views and what takes them off, the true axis, and total variation.
Graph ring_graph() {
  Graph g = refine_graph(1.3);
  g.nodes["errors"] = {"correct.pixel_offsets", 1, {{"offsets", pixel_errors()}, {"width", Number{0, Unit::px}}}};
  g.nodes["offsets"] = {"correct.pixel_offsets", 1, {{"width", Number{4, Unit::px}}}};
  g.nodes["misfit"] = g.nodes["objective"];
  g.nodes["variation"] = {"objective.total_variation", 1, {{"corner", Number{1e-3, Unit::none}}}};
  g.nodes["objective"] = {"objective.sum", 1, {{"weight_b", Number{ring_weight, {}}}}};
  for (Link& link : g.links) {
    if (link.to_node == "axis") link = {"offsets", "projections", "axis", "projections"};
    if (link.to_node == "objective") link.to_node = "misfit";
  }
  for (const Link& link : {Link{"views", "projections", "errors", "projections"},
                           {"errors", "projections", "offsets", "projections"},
                           {"misfit", "loss", "objective", "a"},
                           {"change", "volume", "variation", "volume"},
                           {"variation", "loss", "objective", "b"}})
    g.links.push_back(link);
  return g;
}

// noisy scan -> errors put in -> offsets -> error against the scan without noise
Graph offset_graph(const NumberArray& put_in) {
  Graph g;
  for (const char* name : {"noisy", "clean"}) {
    g.nodes[name] = scan(name == std::string("noisy") ? 2000 : 0);
    g.nodes[name].params["cols"] = put_in.shape().back();
    g.nodes[name].params["density"] = Number{0.01, {}};
  }
  const Number no_width{0, Unit::px};
  g.nodes["errors"] = {"correct.pixel_offsets", 1, {{"offsets", put_in}, {"width", no_width}}};
  g.nodes["offsets"] = {"correct.pixel_offsets", 1, {{"width", no_width}}};
  g.nodes["objective"] = {"objective.data_error", 1, {}};
  g.links = {{"noisy", "projections", "errors", "projections"},
             {"errors", "projections", "offsets", "projections"},
             {"offsets", "projections", "objective", "projections"},
             {"clean", "projections", "objective", "measured"}};
  return g;
}

// A slice of few photons, through a network, against one without noise.
Graph network_graph() {
  Graph g;
  g.nodes["scan"] = scan(300);
  g.nodes["clean"] = scan(0);
  for (const char* s : {"scan", "clean"}) g.nodes[s].params["density"] = Number{0.1, {}};
  for (const char* fbp : {"fbp", "clean_fbp"}) g.nodes[fbp] = {"recon.fbp", 1, {}};
  g.nodes["network"] = {
      "filter.network", 1, {{"channels", NumberList{{6, 4}, Unit::none}}, {"scale", Number{0.02, {}}}}};
  g.nodes["objective"] = {"objective.squared_error", 1, {}};
  g.links = {{"scan", "projections", "fbp", "projections"},
             {"clean", "projections", "clean_fbp", "projections"},
             {"fbp", "volume", "network", "volume"},
             {"network", "volume", "objective", "volume"},
             {"clean_fbp", "volume", "objective", "reference"}};
  return g;
}

}  // namespace

class LearnArraysTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Errors of pixels, found along with the image: what they did to it is taken off. Smooth errors are those of a smooth
  // object as well: what is left changes little from pixel to pixel.
  void offsets_of_pixels() {
    const Graph g = ring_graph();
    learn::Settings s = settings_for({target("offsets", "offsets"), target("change", "change")});
    s.stop.iterations = 200;
    const learn::Learned l = learned(g, s);
    const Graph accepted = learn::accept(g, l);
    const at::Tensor truth = pull(g, "truth", "volume"), errors = tensor_of(pixel_errors()),
                     before = pull(g, "fbp", "volume") - truth, after = pull(accepted, "change", "volume") - truth,
                     wrong = errors.diff(1, 1),
                     left =
                         wrong +
                         tensor_of(std::get<NumberArray>(accepted.nodes.at("offsets").params.at("offsets"))).diff(1, 1);
    const std::string text = "image " + std::to_string(rms(before)) + " to " + std::to_string(rms(after)) +
                             ", pixels " + std::to_string(rms(wrong)) + " to " + std::to_string(rms(left)) + "; " +
                             test::describe(l);
    qInfo("%s", text.c_str());
    QVERIFY2(rms(after) < 0.1 * rms(before) && rms(left) < 0.05 * rms(wrong), text.c_str());
    QVERIFY2(l.found[0].shape == (std::vector<int64_t>{1, cols}) && l.found[0].value.size() == cols, text.c_str());
    QVERIFY2(l.trust() == learn::Trust::resolved, text.c_str());
  }

  // Every voxel along with the axis: neither has a rate that somebody set, and both come right.
  void an_image_and_the_axis() {
    const Graph g = refine_graph(2.5);
    learn::Settings s = settings_for({target("axis", "axis"), target("change", "change")});
    s.stop.iterations = 300;
    s.stop.tolerance = 5e-3;
    const learn::Learned l = learned(g, s);
    const std::string text = std::to_string(l.first_loss) + " to " + std::to_string(l.loss) + "; " + test::describe(l);
    qInfo("%s", text.c_str());
    QVERIFY2(std::abs(l.found[0].value.front() - 1.3) < 0.01 && l.loss < 0.01 * l.first_loss, text.c_str());
    QVERIFY2(l.found[0].trust == learn::Trust::resolved && l.found[0].uncertainty.front() < 0.01, text.c_str());
  }

  // A grey scale and an image make up for each other: only a displaced start shows it, not descent or noise.
  void an_image_and_its_scale() {
    Graph g = refine_graph(1.3);
    g.nodes["scale"] = {"correct.grey_calibration", 1, {}};
    for (const auto& [name, value] :
         {std::pair("measured_1", 0.0), {"known_1", 0.0}, {"measured_2", 1.0}, {"known_2", 1.0}})
      g.nodes["scale"].params[name] = Number{value, {}};
    for (Link& link : g.links)
      if (link.from_node == "change") link.from_node = "scale";
    g.links.push_back({"change", "volume", "scale", "volume"});
    learn::Settings s = settings_for({target("scale", "known_2"), target("change", "change")});
    s.stop.iterations = 300;
    s.stop.tolerance = 5e-3;
    const learn::Learned l = learned(g, s);
    const std::string text = test::describe(l);
    qInfo("%s", text.c_str());
    QVERIFY2(l.reason == learn::StopReason::converged, text.c_str());
    QVERIFY2(l.found[0].trust == learn::Trust::not_identifiable, text.c_str());
  }

  // Offsets of noisy views against others without noise are the mean of the noise over the views: the uncertainties,
  // from draws of it, must be as large as that; without errors of pixels nothing else was learned.
  void uncertainties_of_many_numbers() {
    constexpr int64_t many = 320;  // more than get a sandwich
    for (const bool errors : {true, false}) {
      std::vector<float> wrong(many, 0.0F);
      for (std::size_t i = 0; errors && i < wrong.size(); ++i) wrong[i] = i % 3 == 0 ? 0.08F : -0.04F;
      const NumberArray put_in = NumberArray::make({1, many}, wrong).or_throw();
      const learn::Found f = learned(offset_graph(put_in), settings_for({target("offsets", "offsets")})).found[0];
      const at::Tensor off = at::tensor(f.value, at::kDouble) + tensor_of(put_in)[0], sigma = at::tensor(f.uncertainty);
      const double ratio = rms(off) / rms(sigma);
      qInfo("%g off at a sigma of %g, %s: %s", rms(off), rms(sigma), std::string(to_string(f.trust)).c_str(),
            f.explanation.c_str());
      // A mean square over 8 draws and 320 numbers, of noise whose variance is itself estimated.
      QVERIFY2(ratio > 0.8 && ratio < 1.25, std::to_string(ratio).c_str());
      QVERIFY(f.trust == (errors ? learn::Trust::resolved : learn::Trust::flat));
    }
  }

  // Of up to 300 numbers each is judged: pixels that the objective does not see spoil the verdict of all.
  void one_number_that_is_not_known() {
    for (const bool all_seen : {true, false}) {
      Graph g = offset_graph(pixel_errors());
      for (const char* name : {"offsets", "clean"}) {
        const std::string crop = std::string(name) + "_crop";
        g.nodes[crop] = {"correct.crop_bin", 1, {{"last_col", all_seen ? cols - 1 : cols - 9}}};
        for (Link& link : g.links)
          if (link.from_node == name) link.from_node = crop;
        g.links.push_back({name, "projections", crop, "projections"});
      }
      const learn::Found f = learned(g, settings_for({target("offsets", "offsets")})).found[0];
      QVERIFY2((f.trust == learn::Trust::resolved) == all_seen, f.explanation.c_str());
    }
  }

  // Natural steps follow the objective: the same run in units a million times as large takes the same steps.
  void the_size_of_the_numbers_does_not_matter() {
    Graph g = network_graph();
    std::vector<double> losses;
    for (const double density : {1e-3, 10.0}) {
      for (const char* scan : {"scan", "clean"}) g.nodes[scan].params["photons"] = Number{0, {}};
      for (const char* scan : {"scan", "clean"}) g.nodes[scan].params["density"] = Number{density, {}};
      g.nodes["clean"].params["range"] = Number{170, Unit::deg};
      g.nodes["network"] = {"filter.volume_change", 1, {}};
      learn::Settings s = settings_for({target("network", "change")});
      s.errors = learn::Errors::none;
      const learn::Learned l = learned(g, s);
      losses.push_back(l.loss / l.first_loss);
      qInfo("%g: %g of the first loss, %s", density, losses.back(), test::describe(l).c_str());
    }
    QVERIFY(losses[0] < 1e-4 && losses[1] < 1e-4);
  }

  void weights_of_a_network() {
    const Graph g = network_graph();
    learn::Settings s = settings_for({target("network", "weights")});
    s.errors = learn::Errors::none;
    const learn::Learned l = learned(g, s);
    const std::string text = std::to_string(l.first_loss) + " to " + std::to_string(l.loss) + "; " + words(l.reason);
    qInfo("%s", text.c_str());
    QVERIFY2(l.loss < 0.5 * l.first_loss, text.c_str());
    QCOMPARE(l.found[0].value.size(), std::size_t{6 * 9 + 6 + 4 * 6 * 9 + 4 + 4 * 9 + 1});
    // Used by a run as it was learned.
    const double used = pull(learn::accept(g, l), "objective", "loss").item<double>();
    QVERIFY2(std::abs(used - l.loss) < 1e-5 * l.loss, std::to_string(used).c_str());
    // The same again, and the same after a run that was cut off.
    const QTemporaryDir folder;
    const std::filesystem::path journal = folder.filePath("journal").toStdString();
    s.stop.iterations = 7;
    const learn::Learned whole = learned(g, s, journal);
    const auto size = std::filesystem::file_size(journal);
    std::filesystem::resize_file(journal, size / 2);
    const learn::Learned resumed = learned(g, s, journal);
    QVERIFY(resumed.found[0].value == whole.found[0].value && resumed.loss == whole.loss);
  }

  // A trained network is fed regions: what it gives does not depend on how they are cut.
  void a_network_is_the_same_in_parts() {
    Graph g = network_graph();
    Executor executor(test::registry(), test::roomy());
    const auto grid = std::get<VolumeInfo>(executor.infos(g, "network").or_throw().at("volume")).grid;
    const at::Tensor whole = pull(g, "network", "volume");
    const Range rows{grid.ny / 3, grid.ny / 2}, part{5, 17};
    const Value cut = executor.pull(g, "network", "volume", grid.sub({0, 1}, rows, part)).or_throw();
    const at::Tensor expected = whole.narrow(1, rows.begin, rows.size()).narrow(2, part.begin, part.size());
    QVERIFY(test::difference(test::numbers_of(cut).to(at::kDouble), expected) <
            1e-5);  // float32, another order of sums
  }

  // A history of a long run holds no images, the record of a run says what it was about.
  void histories_stay_small() {
    const Graph g = ring_graph();
    learn::Settings s = settings_for({target("offsets", "offsets")});
    s.stop.iterations = 3;
    const learn::Learned l = learned(g, s);
    for (const learn::Progress& p : l.history) QVERIFY(p.values[0].value.empty() && p.values[0].shape.size() == 2);
    const learn::RunRecord record = learn::record_of(s, l, learn::Decision::accepted, "2026-01-01T00:00:00Z");
    const learn::RunRecord read = learn::run_from_json(learn::to_json(record)).or_throw();
    QVERIFY(read.learned.found[0].value.empty() && read.learned.found[0].shape == l.found[0].shape);
    QVERIFY(read.learned.found[0].uncertainty.size() == 1);
    QCOMPARE(read.parameters[0].value.size(), l.history.size());
    QVERIFY(read.parameters[0].value.back() > 0);
  }

  void what_does_not_go_with_arrays_is_refused() {
    Executor executor(test::registry(), test::roomy());
    const auto refused = [&](const Graph& g, const learn::Settings& s, const char* why) {
      const auto made = learn::learn(executor, test::registry(), g, s);
      QVERIFY(!made.ok());
      QVERIFY2(made.error().what.find(why) != std::string::npos, made.error().what.c_str());
    };
    learn::Settings s = settings_for({target("offsets", "offsets")});
    s.subsets.rows = 0.5;
    refused(ring_graph(), s, "rows cannot be learned from a part");
    s.subsets.rows = 1;
    s.targets[0].scale = learn::Scale::logarithmic;
    refused(ring_graph(), s, "logarithm");
    s.targets[0].scale = learn::Scale::linear;
    s.targets[0].high = Number{1, Unit::none};
    refused(ring_graph(), s, "bounds are not possible");
    s.targets[0].high.reset();
    Graph g = ring_graph();
    g.nodes["whole"] = {"correct.rescale_integers", 1, {}};
    for (Link& link : g.links)
      if (link.to_node == "change") link = {"fbp", "volume", "whole", "volume"};
    g.links.push_back({"whole", "volume", "change", "volume"});
    refused(g, s, "too many numbers for estimates by differences");
    g = ring_graph();
    g.nodes["offsets"].params["offsets"] = NumberArray::filled({2, cols}, 0).or_throw();
    refused(g, s, "the detector is 1 x 48");
  }
};

TL_TEST_CASE(LearnArraysTest)

}  // namespace tl::arrays_test

#include "arrays.moc"
