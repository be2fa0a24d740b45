// PruningJob: a network pruned and trained in between on what is painted; without labels; pauses, refusals, files.
#include "core/train/pruning_job.h"

#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/net/counts.h"
#include "core/net/files/network_file.h"
#include "core/net/prune/prune.h"
#include "core/train/labelled_training.h"
#include "tests/support/heard_job.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/small_network.h"
#include "tests/support/test_case.h"

namespace tl::pruning_job_test {

using namespace train;

namespace {

const io::OutputRules new_files = io::no_inputs(io::Overwrite::refuse);

std::string in_folder(const QTemporaryDir& dir, const char* name) {
  return dir.filePath(QLatin1String(name)).toStdString();
}

using HeardPruning = test::HeardJob<PruningListener, PruningProgress, PruningEnd>;

PruningSettings settings_in(const QTemporaryDir& dir, const Graph& graph) {
  PruningSettings s;
  s.graph = graph;
  s.pipeline = "p.json";
  s.plan.network = in_folder(dir, "net.safetensors");
  s.plan.keep = 0.3;
  s.plan.steps = 2;
  s.plan.epochs = 2;
  s.plan.epoch_steps = 3;
  s.samples.patch = 16;
  s.samples.gap = 2;
  s.threads = 1;
  test::write_small_network(s.plan.network.string(), 5);
  return s;
}

bool have_equal_bits(const net::Network& a, const net::Network& b) {
  return a.tensors.size() == b.tensors.size() && std::all_of(a.tensors.begin(), a.tensors.end(), [&](const auto& t) {
           return b.tensors.count(t.first) > 0 && t.second.equal(b.tensors.at(t.first));
         });
}

nlohmann::json json_in(const std::string& file) { return nlohmann::json::parse(std::ifstream(file)); }

}  // namespace

class PruningJobTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void what_is_left_is_trained_on_what_is_painted() {
    const QTemporaryDir dir;
    const PruningSettings s = settings_in(dir, test::painted_phantom(in_folder(dir, "p.strokes")));
    HeardPruning heard;
    const PruningJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
    const PruningProgress& p = heard.last;
    QCOMPARE(p.states.size(), std::size_t{3});
    QCOMPARE(p.done, 1.0);
    QCOMPARE(p.edges, int64_t{15});  // 1 + 2 + ... + 5
    QCOMPARE(p.states[0].kept, 1.0);
    QVERIFY(p.states[0].trained && !p.states[0].cut);
    for (std::size_t i = 1; i < 3; ++i) {
      const PrunedState &before = p.states[i - 1], &state = p.states[i];
      QCOMPARE(state.step, static_cast<int64_t>(i));
      QVERIFY(state.filters < before.filters && state.parameters < before.parameters);
      QVERIFY(state.operations < before.operations && state.operations > 0);
      QVERIFY(state.cut && state.trained);
    }
    QVERIFY(std::abs(p.states[1].asked - std::sqrt(0.3)) < 1e-12);
    // Just cut, then the epochs: of step 1 over 0 to 1, of step 2 over 1 to 2.
    QCOMPARE(p.trained_at, (std::vector<double>{0, 0.5, 1, 1, 1.5, 2}));
    QCOMPARE(p.macro_f1.size(), p.trained_at.size());
    QCOMPARE(p.macro_f1[3], p.states[2].cut->macro_f1);
    QCOMPARE(p.classes.size(), std::size_t{2});
    const std::string network = in_folder(dir, "small.safetensors"), report = in_folder(dir, "small.report.json");
    QVERIFY(job.save(network, report, new_files).ok());
    const auto written = json_in(report);
    QCOMPARE(written.at("method"), "lean");
    QVERIFY(written.at("fine_tuned") == true && written.at("edges") == 15 && written.at("kept") == p.states[2].filters);
    const net::Network small = net::read_network(network).or_throw();
    QCOMPARE(net::counts_of(small).or_throw().parameters(), p.states[2].parameters);
    // The scores are those of the network that was written, on the voxels that validate.
    const LabelledSet made = labelled_set(Registry::all(), s, s.samples, {}).or_throw();
    const EpochScores scores = validate(small, made.set, options_of(s.samples)).or_throw();
    QCOMPARE(scores.macro_f1, p.states[2].trained->macro_f1);
    QCOMPARE(scores.validation_loss, p.states[2].trained->validation_loss);
    QVERIFY(std::isnan(scores.training_loss));
  }

  void without_training_it_is_what_prune_gives_and_needs_no_labels() {
    for (const net::PruneMethod method : net::prune_methods) {
      const QTemporaryDir own;
      PruningSettings s = settings_in(own, {});
      s.plan.method = method;
      s.plan.epochs = 0;
      HeardPruning heard;
      const PruningJob job(Registry::all(), s, heard);
      QVERIFY(heard.wait_for_end());
      QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
      QCOMPARE(heard.last.states.size(), std::size_t{3});
      QVERIFY(!heard.last.states[2].trained && heard.last.macro_f1.empty());
      const std::string network = in_folder(own, "small.safetensors"), report = in_folder(own, "small.report.json");
      QVERIFY(job.save(network, report, new_files).ok());
      net::PruneOptions options;
      options.method = method;
      options.keep = s.plan.keep;
      options.steps = s.plan.steps;
      const net::Network large = net::read_network(s.plan.network).or_throw();
      QVERIFY(have_equal_bits(net::read_network(network).or_throw(), net::prune(large, options).or_throw().network));
      const auto written = json_in(report);
      QVERIFY(written.at("fine_tuned") == false && written.at("method") == std::string(net::to_string(method)));
    }
  }

  void it_pauses_goes_on_and_ends_when_it_is_cancelled() {
    const QTemporaryDir dir;
    PruningSettings s = settings_in(dir, test::painted_phantom(in_folder(dir, "p.strokes")));
    s.plan.epoch_steps = 1'000'000;
    HeardPruning heard;
    PruningJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait([&] { return heard.last.done > 0; }));
    job.pause();
    QVERIFY(heard.wait([&] { return heard.last.phase == PruningProgress::Phase::paused; }));
    const double paused = heard.last.done;
    job.go_on();
    QVERIFY(heard.wait([&] { return heard.last.done > paused; }));
    QVERIFY(heard.last.seconds_left > 0 && heard.last.phase == PruningProgress::Phase::training);
    QElapsedTimer clock;
    clock.start();
    job.cancel();
    QVERIFY(heard.wait_for_end());
    qInfo("ended %lld ms after cancel()", static_cast<long long>(clock.elapsed()));
    QVERIFY(heard.end->error && heard.end->error->kind == ErrorKind::cancelled);
    const std::string network = in_folder(dir, "small.safetensors");
    QVERIFY(!job.save(network, {}, new_files).ok() && !QFile::exists(QString::fromStdString(network)));
    // Also one that is paused when its owner leaves.
    HeardPruning left;
    {
      PruningJob paused_job(Registry::all(), s, left);
      paused_job.pause();
      QVERIFY(left.wait([&] { return left.last.phase == PruningProgress::Phase::paused; }));
    }
    QVERIFY(left.end && left.end->error && left.end->error->kind == ErrorKind::cancelled);
  }

  void what_cannot_be_pruned_is_said() {
    const auto refused = [](const PruningSettings& s) {
      HeardPruning heard;
      const PruningJob job(Registry::all(), s, heard);
      return heard.wait_for_end() && heard.end->error ? heard.end->error->message() : std::string();
    };
    const QTemporaryDir dir;
    PruningSettings s = settings_in(dir, test::painted_phantom(in_folder(dir, "one.strokes"), 1));
    QVERIFY(refused(s).find("only one class is labelled") != std::string::npos);
    s.graph = test::painted_phantom(in_folder(dir, "two.strokes"));
    test::write_small_network(in_folder(dir, "three.safetensors"), 4, 3);
    s.plan.network = in_folder(dir, "three.safetensors");
    QVERIFY(refused(s).find("the data have 2 classes, the network 3") != std::string::npos);
    s.plan.network = in_folder(dir, "none.safetensors");
    QVERIFY(refused(s).find("none.safetensors") != std::string::npos);
    s.plan.network = in_folder(dir, "net.safetensors");
    s.plan.epochs = 0;
    s.plan.keep = 1;
    QVERIFY(refused(s).find("between 0 and 1") != std::string::npos);
  }

  void files_are_written_together_and_never_over_the_network_that_was_pruned() {
    const QTemporaryDir dir;
    PruningSettings s = settings_in(dir, {});
    s.plan.epochs = 0;
    HeardPruning heard;
    const PruningJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end() && !heard.end->error);
    const std::string large = s.plan.network.string(), small = in_folder(dir, "small.onnx"),
                      report = in_folder(dir, "small.report.json");
    const io::OutputRules replaces = io::no_inputs(io::Overwrite::replace);
    QVERIFY(job.save(large, report, replaces).error().message().find(io::is_an_input) != std::string::npos);
    QVERIFY(job.save(small, large, replaces).error().message().find(io::is_an_input) != std::string::npos);
    QVERIFY(!job.save(small, in_folder(dir, "no folder/r.json"), new_files).ok());
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"net.safetensors"});
    QVERIFY(job.save(small, report, new_files).ok());
    QVERIFY(!job.save(small, report, new_files).ok());  // they exist
    QVERIFY(job.save(small, report, replaces).ok());
    QCOMPARE(net::counts_of(net::read_network(small).or_throw()).or_throw().parameters(),
             heard.last.states.back().parameters);
  }
};

TL_TEST_CASE(PruningJobTest)

}  // namespace tl::pruning_job_test

#include "pruning_job.moc"
