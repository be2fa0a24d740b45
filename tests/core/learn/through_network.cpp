// A rotation axis learned through a trained network: the one with which the network segments best.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/learn/paths.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/train/train.h"
#include "tests/support/learn/cases.h"
#include "tests/support/test_case.h"

namespace tl::through_network_test {
namespace {

constexpr double true_axis = 1.7;  // [px]

RunOptions roomy() {
  RunOptions options;
  options.memory = int64_t{1} << 30;
  return options;
}

// Discs and boxes in a matrix, of one grey: only shapes distinguish them. Their scan has the axis off the middle.
Graph scanned_phantom(const std::string& model, double axis) {
  Graph g;
  g.nodes["phantom"] = {"input.labelled_phantom",
                        1,
                        {{"kind", std::string("circles_and_squares")},
                         {"width", int64_t{48}},
                         {"height", int64_t{8}},
                         {"noise", Number{0, Unit::none}},
                         {"bodies", int64_t{40}}}};
  g.nodes["like"] = {"input.simulate_scan",
                     1,
                     {{"views", int64_t{72}},
                      {"rows", int64_t{8}},
                      {"cols", int64_t{48}},
                      {"pixel_size", Number{0.01, Unit::mm}},
                      {"axis", Number{true_axis, Unit::px}}}};
  g.nodes["project"] = {"recon.forward_projection", 1, {}};
  g.nodes["set"] = {"geometry.set", 1, {{"axis", Number{axis, Unit::px}}}};
  g.nodes["fbp"] = {"recon.fbp", 1, {{"width", int64_t{48}}}};
  g.nodes["network"] = {"segment.network", 1, {{"model", model}}};
  g.nodes["loss"] = {"objective.segmentation", 1, {}};
  g.links = {{"phantom", "volume", "project", "volume"},       {"like", "projections", "project", "like"},
             {"project", "projections", "set", "projections"}, {"set", "projections", "fbp", "projections"},
             {"fbp", "volume", "network", "volume"},           {"network", "probabilities", "loss", "probabilities"},
             {"phantom", "labels", "loss", "labels"}};
  return g;
}

// Trained on the slices at the true axis.
net::Network trained(const Graph& g) {
  Executor e(test::registry(), roomy());
  const at::Tensor volume = std::get<Volume>(e.pull(g, "fbp", "volume").or_throw()).data,
                   labels = std::get<Labels>(e.pull(g, "phantom", "labels").or_throw()).data;
  train::TrainingSet set;
  set.training = {{"slices", volume.unsqueeze(0), labels}};
  set.classes = std::get<LabelsInfo>(e.infos(g, "phantom").or_throw().at("labels")).table.classes;
  net::Network network =
      net::make_network("msd", {"depth=10", "classes=" + std::to_string(set.classes.size())}).or_throw();
  train::TrainingOptions options;
  options.epochs = 8;
  options.steps = 60;
  options.optimiser.rate = 0.01;
  options.schedule = train::RateSchedule::cosine;
  (void)train::train(network, set, options).or_throw();
  return network;
}

}  // namespace

class ThroughNetwork : public QObject {
  Q_OBJECT
  int threads_ = 1;

 private Q_SLOTS:
  void initTestCase() {
    threads_ = at::get_num_threads();
    at::set_num_threads(1);
  }
  void cleanupTestCase() { at::set_num_threads(threads_); }

  void the_axis_with_which_it_segments_best() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("n.safetensors").toStdString();
    const net::Network network = trained(scanned_phantom(file, true_axis));
    std::ofstream(file, std::ios::binary) << io::to_safetensors(net::model_of(network));
    const Graph g = scanned_phantom(file, 0.4);
    learn::Settings s;
    s.objective = {"loss", "loss"};
    s.targets = {test::target("set", "axis")};
    Executor e(test::registry(), roomy());
    const learn::Learned l = learn::learn(e, test::registry(), g, s).or_throw();
    const std::string text = test::describe(l);
    qInfo("%s", text.c_str());
    // A tenth of a pixel is what other objectives of half turns are allowed.
    const learn::Found& axis = l.found[0];
    QVERIFY2(axis.derivative != learn::Derivative::differences && axis.uncertainty.size() == 1, text.c_str());
    QVERIFY2(std::abs(axis.value[0] - true_axis) < 0.1, text.c_str());
    QVERIFY2(l.reason == learn::StopReason::converged, text.c_str());
  }

  // What is painted does not depend on the voxels that it is painted on; a threshold does.
  void painted_labels_leave_the_derivative_exact() {
    Graph g = scanned_phantom("any", 0);
    const auto derivative = [&](const std::string& type) {
      g.nodes["labels"] = {type, 1, {}};
      g.links.back() = {"labels", "labels", "loss", "labels"};
      Graph whole = g;
      whole.links.push_back({"fbp", "volume", "labels", "volume"});
      return learn::derivative_of(whole, test::registry(), test::target("set", "axis"), {"loss", "loss"});
    };
    QCOMPARE(derivative("segment.painted"), learn::Derivative::backward);
    QCOMPARE(derivative("segment.threshold"), learn::Derivative::differences);
  }
};

TL_TEST_CASE(ThroughNetwork)

}  // namespace tl::through_network_test

#include "through_network.moc"
