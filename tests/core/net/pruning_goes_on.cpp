// A pruning that was ended after any step goes on from its checkpoint, and gives the same bits.
#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "core/io/model/safetensors.h"
#include "core/net/architectures/architectures.h"
#include "core/net/files/network_file.h"
#include "core/net/prune/prune_checkpoint.h"
#include "core/net/prune/prune_report.h"
#include "tests/support/test_case.h"

namespace tl::pruning_goes_on_test {

using namespace net;
namespace fs = std::filesystem;

namespace {

// As training does: numbers that follow from those before, and an entry of the history.
Result<void> changed(Network& network, const FilterMasks& masks) {
  for (auto& [name, tensor] : network.tensors) tensor = tensor * 1.01 + 0.001;
  for (const auto& [name, mask] : masks) network.tensors[name] = network.tensors[name] * mask;
  HistoryEntry entry;
  entry.kind = "training";
  entry.results = {{"numbers", static_cast<double>(network.tensors.size())}};
  add_to(network.history, entry);
  return ok();
}

PruneOptions options_for(PruneMethod method, bool training) {
  PruneOptions o;
  o.method = method;
  o.keep = 0.1;
  o.steps = 4;
  o.program = "1.0";
  if (training) {
    o.fine_tune = changed;
    o.training_settings = {{"seed", "1"}};
  }
  return o;
}

Network network_of(const std::string& name, const std::vector<std::string>& settings) {
  Network network = make_network(name, settings).or_throw();
  randomise(network, 3).or_throw();
  return network;
}

std::string bytes_of(const Network& first, const Pruned& pruned, const PruneOptions& options) {
  return io::to_safetensors(model_of(pruned.network)) + report_text(first, pruned, options).or_throw();
}

}  // namespace

class PruningGoesOnTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void from_every_step_with_the_same_bits_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("training");
    for (const PruneMethod m : prune_methods)
      for (const bool training : {false, true})
        QTest::addRow("%s%s", std::string(to_string(m)).c_str(), training ? ", trained" : "")
            << static_cast<int>(m) << training;
  }
  void from_every_step_with_the_same_bits() {
    QFETCH(int, method);
    QFETCH(bool, training);
    for (const Network& first : {network_of("msd", {"depth=8"}), network_of("unet", {"features=2", "levels=2"}),
                                 network_of("plain", {"depth=4", "channels=6"})}) {
      PruneOptions options = options_for(static_cast<PruneMethod>(method), training);
      const std::string whole = bytes_of(first, prune(first, options).or_throw(), options);
      const QTemporaryDir folder;
      options.checkpoint = fs::path(folder.path().toStdString()) / "small.safetensors.checkpoint";
      for (int64_t last = 1; last < options.steps; ++last) {
        fs::remove(options.checkpoint);
        PruneOptions ended = options;
        ended.cancel = CancelToken();
        ended.progress = [&](const PruneStep& step, const Network&) {
          if (step.step == last) ended.cancel.cancel();
        };
        QVERIFY(prune(first, ended).error().kind == ErrorKind::cancelled);
        int64_t steps = 0;
        PruneOptions again = options;
        again.progress = [&](const PruneStep&, const Network&) { ++steps; };
        QVERIFY(bytes_of(first, prune(first, again).or_throw(), again) == whole);
        QCOMPARE(steps, options.steps - last);
      }
    }
  }

  void of_another_pruning_is_refused() {
    const Network first = network_of("msd", {"depth=8"}), other = network_of("msd", {"depth=9"});
    Network retrained = first;
    retrained.tensors.begin()->second = retrained.tensors.begin()->second + 1;
    PruneOptions options = options_for(PruneMethod::lean, true);
    const QTemporaryDir folder;
    options.checkpoint = fs::path(folder.path().toStdString()) / "checkpoint";
    (void)prune(first, options).or_throw();
    const std::string kept = io::model_file_bytes(options.checkpoint).or_throw();
    const auto refused = [&](const Network& network, const PruneOptions& o, const char* why) {
      const auto pruned = prune(network, o);
      QVERIFY2(!pruned.ok(), why);
      QVERIFY2(pruned.error().what.find(why) != std::string::npos, pruned.error().what.c_str());
      QVERIFY(io::model_file_bytes(options.checkpoint).or_throw() == kept);
    };
    PruneOptions share = options, method = options, untrained = options, seed = options;
    share.keep = 0.2;
    method.method = PruneMethod::operator_norm;
    untrained.fine_tune = {};
    untrained.training_settings.clear();
    seed.training_settings["seed"] = "2";
    refused(first, share, "share to keep");
    refused(first, method, "method");
    refused(first, untrained, "training in between");
    refused(first, seed, "training: seed");
    refused(retrained, options, "numbers of the network");
    refused(other, options, "other");
  }

  // Files are untrusted: every array may be of any shape.
  void damaged_is_refused() {
    const Network first = network_of("msd", {"depth=8"});
    PruneOptions options = options_for(PruneMethod::lean, false);
    const QTemporaryDir folder;
    options.checkpoint = fs::path(folder.path().toStdString()) / "checkpoint";
    (void)prune(first, options).or_throw();
    const Model kept = io::read_model(options.checkpoint).or_throw();
    const auto write = [&](const std::string& bytes) {
      std::ofstream(options.checkpoint, std::ios::binary | std::ios::trunc) << bytes;
    };
    const auto refused = [&](const std::string& what) {
      const auto pruned = prune(first, options);
      QVERIFY2(!pruned.ok(), what.c_str());
      QVERIFY2(pruned.error().kind == ErrorKind::invalid && pruned.error().where == options.checkpoint.string(),
               (what + ": " + pruned.error().what).c_str());
    };
    for (const auto& [name, array] : kept.arrays)
      for (const bool missing : {true, false}) {
        Model damaged = kept;
        damaged.arrays.erase(name);
        if (!missing) damaged.arrays[name] = at::zeros({2, 3, 1}, array.scalar_type());
        write(io::to_safetensors(damaged));
        refused(name);
      }
    for (const auto& [name, array] : kept.arrays) {
      if (name.rfind("out/", 0) != 0 && name.rfind("in/", 0) != 0) continue;
      Model damaged = kept;
      damaged.arrays[name] = array + (int64_t{1} << 40);
      write(io::to_safetensors(damaged));
      if (array.numel() > 0 && kept.arrays.count("edges/" + name.substr(name.find('/') + 1)) != 0) refused(name);
    }
    Model other = kept;
    other.description = "{}";
    write(io::to_safetensors(other));
    refused("another kind");
    write("no model");
    refused("no model");
  }
};

TL_TEST_CASE(PruningGoesOnTest)

}  // namespace tl::pruning_goes_on_test

#include "pruning_goes_on.moc"
