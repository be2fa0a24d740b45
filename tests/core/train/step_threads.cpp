// Weights depend on the number of threads in their last digits: a checkpoint holds it, and a training that goes on with
// another one says so, once.
#include "core/train/step_threads.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <filesystem>
#include <string>
#include <vector>

#include "core/net/architectures/architectures.h"
#include "core/train/checkpoint.h"
#include "core/train/train.h"
#include "tests/support/test_case.h"

namespace tl::step_threads_test {

using namespace train;

class StepThreadsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { at::set_num_threads(2); }

  void the_fewest_and_the_most_are_kept() {
    StepThreads threads;
    for (const int n : {3, 2, 5}) threads.add(n);
    QCOMPARE(threads.fewest, 2);
    QCOMPARE(threads.most, 5);
  }

  void what_is_said() {
    QCOMPARE(resumed_with_other_threads({}, 4), std::string());  // a checkpoint of before
    QCOMPARE(resumed_with_other_threads({4, 4}, 4), std::string());
    const auto contains = [](const std::string& text, const char* part) {
      return text.find(part) != std::string::npos;
    };
    QVERIFY(contains(resumed_with_other_threads({4, 4}, 2), "begun with 4 threads and continues with 2:"));
    QVERIFY(contains(resumed_with_other_threads({1, 1}, 2), "begun with 1 thread and continues with 2:"));
    QVERIFY(contains(resumed_with_other_threads({1, 4}, 4), "begun with 1 to 4 threads and continues with 4:"));
  }

  void a_training_that_goes_on_with_other_threads_says_so() {
    const QTemporaryDir dir;
    const TrainingSet set = halves();
    TrainingOptions o;
    o.steps = 2;
    o.checkpoint = std::filesystem::path(dir.path().toStdString()) / "state";
    std::vector<std::string> warnings;
    o.warn = [&](const std::string& text) { warnings.push_back(text); };
    const auto run = [&](int threads, int64_t epochs) {
      at::set_num_threads(threads);
      o.epochs = epochs;
      net::Network network = small_network();
      train::train(network, set, o).or_throw();
    };
    run(2, 1);
    o.resume = Resume::if_there;
    run(2, 2);
    QVERIFY(warnings.empty());
    run(1, 3);
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY2(warnings[0].find("begun with 2 threads and continues with 1") != std::string::npos, warnings[0].c_str());
    const Checkpoint kept = read_checkpoint(o.checkpoint, small_network()).or_throw();
    QCOMPARE(kept.threads.fewest, 1);
    QCOMPARE(kept.threads.most, 2);
  }

 private:
  static net::Network small_network() { return net::make_network("msd", {"depth=2"}).or_throw(); }
  // A volume that is dark on one side and bright on the other.
  static TrainingSet halves() {
    TrainingSet set;
    const at::Tensor side = at::arange(16).ge(8).expand({4, 16, 16});
    set.training = {{"halves", side.to(at::kFloat).unsqueeze(0).contiguous(), side.to(at::kInt).contiguous()}};
    set.classes = {{0, "dark", ""}, {1, "bright", ""}};
    return set;
  }
};

TL_TEST_CASE(StepThreadsTest)

}  // namespace tl::step_threads_test

#include "step_threads.moc"
