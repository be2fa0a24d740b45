// Training: it learns, ends and goes on with the same bits; damaged checkpoints and data that cannot be learned from
// are refused.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/net/architectures/architectures.h"
#include "core/net/network_json.h"
#include "core/train/train.h"
#include "tests/support/test_case.h"

namespace tl::training_test {

using namespace train;

namespace {

// Bright discs in noise on a dark ground; half of the voxels are not labelled.
Item discs(const std::string& name, uint64_t seed) {
  Draws draws(seed, 0);
  at::Tensor volume = at::empty({1, 12, 20, 20}, at::kFloat), labels = at::empty({12, 20, 20}, at::kInt);
  auto* voxel = volume.mutable_data_ptr<float>();
  auto* label = labels.mutable_data_ptr<int32_t>();
  for (int64_t i = 0; i < labels.numel(); ++i) {
    const double y = static_cast<double>(i / 20 % 20) - 10, x = static_cast<double>(i % 20) - 8;
    const bool disc = std::hypot(x, y) < 6;
    voxel[i] = static_cast<float>(5 + (disc ? 2 : 0) + 0.5 * draws.normal());
    label[i] = draws.uniform() < 0.5 ? unlabelled : disc ? 1 : 0;
  }
  return {name, volume, labels};
}

TrainingSet discs_set() {
  TrainingSet set;
  set.training = {discs("first", 1), discs("second", 2)};
  set.validation = {discs("third", 3)};
  set.classes = {{0, "ground", ""}, {4, "disc", ""}};
  return set;
}

net::Network small_network(const char* settings = "depth=3") { return net::make_network("msd", {settings}).or_throw(); }

// With batch norm, of which running numbers are part of the state.
net::Network network_with_batch_norm() {
  using net::Layer;
  using net::LayerKind;
  net::Network n;
  n.architecture = "with batch norm";
  const auto add = [&](const char* name, LayerKind kind, std::vector<int64_t> inputs) -> Layer& {
    Layer l;
    l.name = name;
    l.kind = kind;
    l.inputs = std::move(inputs);
    n.layers.push_back(l);
    return n.layers.back();
  };
  add("input", LayerKind::input, {}).channels = 1;
  for (const auto& [name, in, out] : {std::tuple{"conv1", 0, 4}, std::tuple{"conv2", 3, 2}}) {
    Layer& l = add(name, LayerKind::convolution, {in});
    l.channels = out;
    l.kernel = 3;
    l.padding = 1;
    l.weight = std::string(name) + ".weight";
    if (out == 2) {
      l.bias = "conv2.bias";
      break;
    }
    Layer& b = add("norm", LayerKind::batch_norm, {1});
    b.weight = "norm.weight";
    b.bias = "norm.bias";
    b.mean = "norm.running_mean";
    b.variance = "norm.running_var";
    add("relu", LayerKind::relu, {2});
  }
  return n;
}

TrainingOptions short_training() {
  TrainingOptions o;
  o.epochs = 3;
  o.steps = 4;
  o.validation_samples = 3;
  o.optimiser.rate = 0.01;
  o.sampling.augmentation.noise = 0.1;
  return o;
}

bool equal_bits(const net::Network& a, const net::Network& b) {
  if (a.tensors.size() != b.tensors.size()) return false;
  for (const auto& [name, tensor] : a.tensors)
    if (!b.tensors.at(name).equal(tensor)) return false;
  return true;
}

bool equal_curves(const TrainingRecord& a, const TrainingRecord& b) {
  if (a.curves.size() != b.curves.size() || a.best_epoch != b.best_epoch) return false;
  for (std::size_t i = 0; i < a.curves.size(); ++i)
    if (a.curves[i].training_loss != b.curves[i].training_loss ||
        a.curves[i].validation_loss != b.curves[i].validation_loss || a.curves[i].macro_f1 != b.curves[i].macro_f1)
      return false;
  return true;
}

std::filesystem::path in(const QTemporaryDir& dir, const char* name) {
  return std::filesystem::path(dir.path().toStdString()) / name;
}

}  // namespace

class Training : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_network_learns_and_the_best_epoch_is_kept() {
    net::Network network = small_network();
    TrainingOptions o = short_training();
    o.epochs = 8;
    o.steps = 20;
    o.loss = Loss::sum;
    std::vector<double> losses;
    o.progress = [&](const TrainingProgress& p) {
      losses.push_back(p.curves.back().validation_loss);
      return Next::go_on;
    };
    const TrainingRecord r = train::train(network, discs_set(), o).or_throw();
    QCOMPARE(r.curves.size(), std::size_t{8});
    QCOMPARE(losses.size(), std::size_t{8});
    const EpochScores& best = r.curves[static_cast<std::size_t>(r.best_epoch - 1)];
    QCOMPARE(best.validation_loss, *std::min_element(losses.begin(), losses.end()));
    QVERIFY2(best.macro_f1 > 0.9, qPrintable(QString::number(best.macro_f1)));
    QCOMPARE(network.classes.at(1).name, std::string("disc"));
    QVERIFY(std::abs(network.scaling.mean.at(0) - 5.6) < 0.3);
    for (const auto& [name, tensor] : network.tensors) QVERIFY(!tensor.requires_grad());
  }

  void the_history_states_the_training() {
    TrainingSet set = discs_set();
    set.training[0].name = "/data/scans/first.tif (training)";
    const TrainingOptions o = short_training();
    net::Network network = small_network();
    const TrainingRecord r = train::train(network, set, o).or_throw();
    QCOMPARE(network.history.size(), std::size_t{1});
    const net::HistoryEntry e = network.history.front();
    const EpochScores& best = r.curves[static_cast<std::size_t>(r.best_epoch - 1)];
    QCOMPARE(e.training_data, (std::vector<std::string>{"first.tif (training)", "second"}));
    QCOMPARE(e.validation_data, (std::vector<std::string>{"third"}));
    QCOMPARE(e.results.at("best epoch"), static_cast<double>(r.best_epoch));
    QCOMPARE(e.results.at("validation loss"), best.validation_loss);
    QCOMPARE(e.f1.at(1), (std::pair{std::string("disc"), best.f1.at(1)}));
    QCOMPARE(e.settings.at("seed"), std::string("1"));
    QCOMPARE(e.settings.at("initial weights"), std::string("random"));
    QVERIFY(!e.program.empty());
    // Trained on, without anything that validates.
    set.validation.clear();
    train::train(network, set, o).or_throw();
    QCOMPARE(network.history.size(), std::size_t{2});
    QCOMPARE(network.history.back().settings.at("initial weights"), std::string("given"));
    QVERIFY(network.history.back().f1.empty());
    QCOMPARE(net::to_json_text({network.history.front()}), net::to_json_text({e}));
  }

  void ended_anywhere_and_resumed_gives_the_same_bits_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("optimiser");
    QTest::newRow("adam") << "msd" << 0;
    QTest::newRow("adamw, cosine") << "msd" << 1;
    QTest::newRow("sgd") << "msd" << 2;
    QTest::newRow("batch norm") << "batch norm" << 0;
  }
  void ended_anywhere_and_resumed_gives_the_same_bits() {
    QFETCH(QString, network);
    QFETCH(int, optimiser);
    const net::Network start = network == "msd" ? small_network() : network_with_batch_norm();
    const TrainingSet set = discs_set();
    TrainingOptions o = short_training();
    o.optimiser.kind = static_cast<net::OptimiserSettings::Kind>(optimiser);
    if (optimiser == 1) o.schedule = RateSchedule::cosine;
    o.batch = 2;
    net::Network whole = start;
    const TrainingRecord record = train::train(whole, set, o).or_throw();
    for (const int64_t end : {1, 4, 6, 11}) {
      const QTemporaryDir dir;
      TrainingOptions part = o;
      part.checkpoint = in(dir, "state");
      part.resume = Resume::if_there;
      part.cancel = CancelToken();
      part.after_step = [&](int64_t step) {
        if (step == end) part.cancel.cancel();
        return Next::go_on;
      };
      net::Network resumed = start;
      const auto cut = train::train(resumed, set, part);
      QVERIFY(!cut.ok() && cut.error().kind == ErrorKind::cancelled);
      QVERIFY(resumed.tensors.empty());  // as it was
      part.cancel = CancelToken();
      part.after_step = nullptr;
      const TrainingRecord second = train::train(resumed, set, part).or_throw();
      QVERIFY(equal_bits(whole, resumed));
      QVERIFY(equal_curves(record, second));
      QCOMPARE(net::to_json_text(resumed), net::to_json_text(whole));  // the history too
      QCOMPARE(second.first_epoch, (end - 1) / o.steps + 1);
    }
  }

  // A process that is killed writes nothing at its end: the last checkpoint counts, also one within an epoch.
  void a_killed_training_goes_on_from_its_last_checkpoint() {
    const QTemporaryDir dir;
    const TrainingSet set = discs_set();
    TrainingOptions o = short_training();
    net::Network whole = small_network();
    train::train(whole, set, o).or_throw();
    o.checkpoint = in(dir, "state");
    o.checkpoint_steps = 3;
    o.after_step = [&](int64_t step) {
      if (step == 8) std::filesystem::copy_file(o.checkpoint, in(dir, "at_8"));
      return Next::go_on;
    };
    net::Network first = small_network();
    train::train(first, set, o).or_throw();
    QVERIFY(equal_bits(whole, first));
    std::filesystem::rename(in(dir, "at_8"), o.checkpoint);
    o.after_step = nullptr;
    o.resume = Resume::if_there;
    net::Network second = small_network();
    const TrainingRecord r = train::train(second, set, o).or_throw();
    QVERIFY(equal_bits(whole, second));
    QCOMPARE(r.steps, int64_t{12});
  }

  void a_training_that_ended_can_have_more_epochs() {
    const QTemporaryDir dir;
    const TrainingSet set = discs_set();
    TrainingOptions o = short_training();
    net::Network whole = small_network(), resumed = small_network();
    o.epochs = 5;
    train::train(whole, set, o).or_throw();
    o.epochs = 2;
    o.checkpoint = in(dir, "state");
    train::train(resumed, set, o).or_throw();
    o.epochs = 5;
    o.resume = Resume::if_there;
    resumed = small_network();
    train::train(resumed, set, o).or_throw();
    QVERIFY(equal_bits(whole, resumed));
  }

  void damaged_checkpoints_are_refused_by_their_name() {
    const QTemporaryDir dir;
    const TrainingSet set = discs_set();
    TrainingOptions o = short_training();
    o.checkpoint = in(dir, "state");
    net::Network network = small_network();
    train::train(network, set, o).or_throw();
    std::ifstream file(o.checkpoint, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    o.resume = Resume::if_there;
    const auto refused = [&](const std::string& damaged, const char* what) {
      std::ofstream(o.checkpoint, std::ios::binary).write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
      net::Network n = small_network();
      const auto r = train::train(n, set, o);
      QVERIFY2(!r.ok(), what);
      QVERIFY2(r.error().message().find("state") != std::string::npos, r.error().message().c_str());
      QVERIFY2(n.tensors.empty(), what);
    };
    for (const std::size_t at : {std::size_t{3}, bytes.size() / 3, bytes.size() / 2, bytes.size() - 5}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
      refused(damaged, "a byte");
    }
    refused(bytes.substr(0, bytes.size() / 2), "half of it");
    refused("", "nothing");
    refused("no model", "text");
    o.optimiser.rate = 0.02;
    std::ofstream(o.checkpoint, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    net::Network n = small_network();
    const auto other = train::train(n, set, o);
    QVERIFY(!other.ok() && other.error().what.find("rate") != std::string::npos);
  }

  void a_loss_that_is_not_finite_names_the_item() {
    const QTemporaryDir dir;
    TrainingSet set = discs_set();
    set.training.resize(1);
    TrainingOptions o = short_training();
    o.checkpoint = in(dir, "state");
    net::Network network = small_network();
    net::initialise(network, 5).or_throw();
    const net::Network before = network;
    int64_t calls = 0;
    o.own_loss = [&](const at::Tensor& map, const at::Tensor&) {
      return map.mean() * (++calls == 3 ? std::numeric_limits<double>::quiet_NaN() : 1);
    };
    const auto r = train::train(network, set, o);
    QVERIFY(!r.ok() && r.error().where == "first" && r.error().what.find("not finite") != std::string::npos);
    QVERIFY(equal_bits(network, before));
    QVERIFY(!std::filesystem::exists(o.checkpoint));
  }

  void it_ends_by_patience_or_when_the_best_is_taken() {
    net::Network network = small_network();
    TrainingOptions o = short_training();
    o.epochs = 50;
    o.patience = 3;
    o.own_loss = [](const at::Tensor& map, const at::Tensor&) { return map.sum() * 0 + 1; };
    const TrainingRecord r = train::train(network, discs_set(), o).or_throw();
    QCOMPARE(r.end, TrainingEnd::patience);
    QCOMPARE(r.best_epoch, int64_t{1});
    QCOMPARE(r.curves.size(), std::size_t{4});
    o.progress = [](const TrainingProgress& p) { return p.epoch == 2 ? Next::take_best : Next::go_on; };
    const TrainingRecord taken = train::train(network, discs_set(), o).or_throw();
    QCOMPARE(taken.end, TrainingEnd::taken);
    QCOMPARE(taken.curves.size(), std::size_t{2});
  }

  void without_validation_the_last_epoch_counts() {
    TrainingSet set = discs_set();
    set.validation.clear();
    net::Network network = small_network();
    const TrainingRecord r = train::train(network, set, short_training()).or_throw();
    QCOMPARE(r.best_epoch, int64_t{3});
    QVERIFY(std::isnan(r.curves[0].validation_loss));
  }

  void networks_of_three_axes_and_those_that_lose_a_border_train() {
    net::Network box = net::make_network("msd", {"depth=2", "dims=3"}).or_throw();
    TrainingOptions o = short_training();
    o.epochs = 1;
    o.sampling.edge = 8;
    QVERIFY(train::train(box, discs_set(), o).ok());
    net::Network valid = small_network();
    for (net::Layer& l : valid.layers) l.padding = 0, l.dilation = 1, l.border = net::Border::zeros;
    // Without borders, the maps that a layer reads would differ in size: each reads the one before it.
    for (std::size_t i = 2; i < valid.layers.size(); ++i)
      if (valid.layers[i].kind == net::LayerKind::convolution) valid.layers[i].inputs = {static_cast<int64_t>(i) - 1};
    valid.tensors.clear();
    o.sampling.edge = 15;
    const auto r = train::train(valid, discs_set(), o);
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().message().c_str());
  }

  void data_that_cannot_be_learned_from_is_refused_data() {
    QTest::addColumn<int>("wrong");
    QTest::addColumn<QString>("says");
    QTest::newRow("NaN") << 0 << "not finite";
    QTest::newRow("one class") << 1 << "only one class";
    QTest::newRow("nothing labelled") << 2 << "no voxel is labelled";
    QTest::newRow("validation") << 3 << "nothing to validate";
    QTest::newRow("sizes") << 4 << "the volume is";
    QTest::newRow("channels") << 5 << "channels";
    QTest::newRow("classes") << 6 << "classes";
    QTest::newRow("rate") << 7 << "rate";
  }
  void data_that_cannot_be_learned_from_is_refused() {
    QFETCH(int, wrong);
    QFETCH(QString, says);
    TrainingSet set = discs_set();
    TrainingOptions o = short_training();
    net::Network network = small_network();
    Item& item = set.training[0];
    if (wrong == 0) item.volume[0][3][4][5].fill_(std::numeric_limits<float>::quiet_NaN());
    if (wrong == 1 || wrong == 2) set.training.resize(1);
    if (wrong == 1) set.training[0].labels.clamp_max_(0);
    if (wrong == 2) set.training[0].labels.fill_(unlabelled);
    if (wrong == 3) set.validation[0].labels.fill_(unlabelled);
    if (wrong == 4) item.labels = item.labels.narrow(0, 0, 5);
    if (wrong == 5) item.volume = item.volume.expand({2, 12, 20, 20}).contiguous();
    if (wrong == 6) set.classes.push_back({9, "more", ""});
    if (wrong == 7) o.optimiser.rate = 0;
    const auto r = train::train(network, set, o);
    QVERIFY(!r.ok());
    QVERIFY2(r.error().message().find(says.toStdString()) != std::string::npos, r.error().message().c_str());
    QVERIFY(!r.error().where.empty());
    QVERIFY(network.tensors.empty());
  }
};

TL_TEST_CASE(Training)

}  // namespace tl::training_test

#include "training.moc"
