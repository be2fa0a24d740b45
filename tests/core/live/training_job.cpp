// TrainingJob: a network from what is painted in a pipeline: pauses, the best, checkpoints with the same bits,
// refusals.
#include "core/live/jobs/training_job.h"

#include <ATen/ATen.h>

#include <QTemporaryDir>

#include "core/net/files/network_file.h"
#include "core/run/executor.h"
#include "core/train/checkpoint_head.h"
#include "core/train/example_nodes.h"
#include "core/train/labelled_volumes.h"
#include "tests/support/heard_job.h"
#include "tests/support/painted_phantom.h"
#include "tests/support/test_case.h"

namespace tl::training_job_test {

using namespace jobs;
using namespace train;

namespace {

std::string in(const QTemporaryDir& dir, const char* name) { return dir.filePath(QLatin1String(name)).toStdString(); }

using Heard = test::HeardJob<TrainingJob>;

TrainingJob::Settings settings_for(const QTemporaryDir& dir, const Graph& graph) {
  TrainingJob::Settings s;
  s.graph = graph;
  s.pipeline = "p.json";
  s.plan.settings["depth"] = 3;
  s.plan.patch = 16;
  s.plan.epochs = 3;
  s.plan.steps = 4;
  s.plan.gap = 2;
  s.checkpoint = in(dir, "p.checkpoint");
  s.threads = 1;
  return s;
}

bool equal_bits(const net::Network& a, const net::Network& b) {
  return a.tensors.size() == b.tensors.size() && std::all_of(a.tensors.begin(), a.tensors.end(), [&](const auto& t) {
           return t.second.equal(b.tensors.at(t.first));
         });
}

}  // namespace

class TrainingJobTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void strokes_become_a_network_that_a_stop_does_not_change() {
    const QTemporaryDir dir;
    TrainingJob::Settings s = settings_for(dir, test::painted_phantom(in(dir, "p.strokes")));
    s.best_folder = dir.path().toStdString();
    {
      Heard heard;
      TrainingJob job(Registry::all(), s, heard);
      QVERIFY(heard.wait_for_end());
      QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
      QCOMPARE(heard.last.curves.size(), std::size_t{3});
      QCOMPARE(heard.last.classes.size(), std::size_t{2});
      QCOMPARE(heard.last.classes[0].name, std::string("foam"));
      QCOMPARE(heard.end->best_epoch, best_epoch_of(heard.last.curves));
      QVERIFY(job.save(in(dir, "whole.safetensors"), io::no_inputs(io::Overwrite::refuse)).ok());
      QVERIFY(equal_bits(net::read_network(in(dir, "whole.safetensors")).or_throw(),
                         net::read_network(heard.last.best).or_throw()));
    }
    std::filesystem::remove(s.checkpoint);
    {
      Heard heard;
      TrainingJob job(Registry::all(), s, heard);
      QVERIFY(heard.wait([&] { return !heard.last.curves.empty(); }));
      job.cancel();
      QVERIFY(heard.wait_for_end());
      QVERIFY(heard.end->error && heard.end->error->kind == ErrorKind::cancelled);
      QVERIFY(!job.save(in(dir, "none.safetensors"), io::no_inputs(io::Overwrite::refuse)).ok());
    }
    const CheckpointHead head = read_checkpoint_head(s.checkpoint).or_throw();
    const TrainingIdentity identity = identity_from_note(head.note).or_throw();
    QVERIFY(identity.plan == s.plan);
    QCOMPARE(identity.data, data_identity(s.graph));
    QVERIFY(!head.curves.empty());
    s.begin = TrainingJob::Settings::Begin::with_checkpoint;
    Heard heard;
    TrainingJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    QVERIFY(job.save(in(dir, "resumed.safetensors"), io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(equal_bits(net::read_network(in(dir, "whole.safetensors")).or_throw(),
                       net::read_network(in(dir, "resumed.safetensors")).or_throw()));
  }

  // The labels of the phantom, whole, as an example; with strokes, whose 0 is nobody's label, 0 stays a class.
  void examples_are_learned_from() {
    const QTemporaryDir dir;
    TrainingJob::Settings s = settings_for(dir, test::painted_phantom(in(dir, "p.strokes")));
    s.graph.nodes["examples"] = {"input.examples", 1, {}};
    s.graph.links.push_back({"phantom", "volume", "examples", "volume"});
    s.graph.links.push_back({"phantom", "labels", "examples", "labels"});
    QCOMPARE(example_nodes(s.graph), (std::vector<std::string>{"examples", "paint"}));
    Executor e(Registry::all(), {});
    const std::vector<LabelledVolume> both = example_volumes(e, s.graph, "p").or_throw();
    const at::Tensor whole = std::get<Labels>(e.pull(s.graph, "phantom", "labels").or_throw()).data;
    QVERIFY(both[0].numbers.equal(whole) && whole.eq(0).any().item<bool>());
    QVERIFY(both[1].numbers.min().item<int>() < 0 && both[1].table.not_labelled == both[0].table.not_labelled);
    // Each alone keeps its own number.
    s.graph.nodes.erase("paint");
    s.graph.links.erase(s.graph.links.begin());
    s.graph.nodes["examples"].params["unlabelled"] = int64_t{1};
    const std::vector<LabelledVolume> one = example_volumes(e, s.graph, "p").or_throw();
    QVERIFY(one.size() == 1 && one[0].table.not_labelled == 1);
    Heard heard;
    TrainingJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
    QCOMPARE(heard.last.curves.size(), std::size_t{3});
  }

  // What the table of classes leaves open, and what no score is known of, is said.
  void doubts_about_labels_are_said() {
    const auto labelled = [](const std::string& name, const std::vector<int>& numbers) {
      LabelledVolume v;
      v.name = name;
      v.numbers = at::tensor(numbers, at::kInt).view({1, 2, 3});
      v.volume = v.numbers.to(at::kFloat).unsqueeze(0);
      v.grid = VolumeGrid::cubic(1, 2, 3, 1);
      return v;
    };
    const std::vector<LabelledVolume> training{labelled("a", {0, 1, 2, 0, 1, 2})},
        validation{labelled("b", {0, 1, 0, 1, 0, 1})};
    const auto said = [&](std::vector<LabelledVolume> volumes) {
      const LabelledSet made = training_set_of(std::move(volumes), validation, {}).or_throw();
      std::string all;
      for (const std::string& warning : made.warnings) all += warning + "\n";
      return std::pair{all, made.set.classes.size()};
    };
    const auto [plain, three] = said(training);
    QCOMPARE(three, std::size_t{3});
    QVERIFY2(plain.find("the labels of a have no table of classes: 0 counts as a class") != std::string::npos,
             plain.c_str());
    QVERIFY2(plain.find("no validation data have labels of class 2") != std::string::npos, plain.c_str());
    // A table without 0 means that nobody labelled it.
    std::vector<LabelledVolume> named = training;
    named[0].table.classes = {{1, "bone", ""}, {2, "air", ""}};
    const auto [text, two] = said(named);
    QCOMPARE(two, std::size_t{2});
    QVERIFY2(text.find("the labels of a") == std::string::npos, text.c_str());
    QVERIFY2(text.find("class 2 (air)") != std::string::npos, text.c_str());
  }

  void other_networks_and_batches() {
    const QTemporaryDir dir;
    TrainingJob::Settings s = settings_for(dir, test::painted_phantom(in(dir, "p.strokes")));
    s.plan.network = "unet4";
    s.plan.settings["features"] = 2;
    s.plan.batch = 3;
    s.plan.epochs = 1;
    s.checkpoint.clear();
    Heard heard;
    TrainingJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait_for_end());
    QVERIFY2(!heard.end->error, heard.end->error ? heard.end->error->message().c_str() : "");
    const std::string file = in(dir, "n.safetensors");
    job.save(file, {}).or_throw();
    const net::Network network = net::read_network(file).or_throw();
    QVERIFY2(network.architecture.starts_with("unet4"), network.architecture.c_str());
    QCOMPARE(network.tensors.at(network.layers[1].weight).size(0), int64_t{2});
  }

  void it_pauses_and_ends_with_the_best_within_an_epoch() {
    const QTemporaryDir dir;
    TrainingJob::Settings s = settings_for(dir, test::painted_phantom(in(dir, "p.strokes")));
    s.plan.epochs = 1'000'000;
    s.plan.patience = 0;
    Heard heard;
    TrainingJob job(Registry::all(), s, heard);
    QVERIFY(heard.wait([&] { return !heard.last.curves.empty(); }));
    job.pause();
    QVERIFY(heard.wait([&] { return heard.last.phase == JobPhase::paused; }));
    const int64_t paused = heard.last.step;
    job.go_on();
    QVERIFY(heard.wait([&] { return heard.last.step > paused; }));
    QVERIFY(heard.last.seconds_left > 0);
    job.pause();
    QVERIFY(heard.wait([&] { return heard.last.phase == JobPhase::paused; }));
    job.take_best();
    QVERIFY(heard.wait_for_end());
    QVERIFY(!heard.end->error && heard.end->why == TrainingEnd::taken && heard.end->best_epoch > 0);
  }

  void what_cannot_be_learned_from_is_said() {
    const auto refused = [](const TrainingJob::Settings& s) {
      Heard heard;
      const TrainingJob job(Registry::all(), s, heard);
      return heard.wait_for_end() && heard.end->error ? heard.end->error->message() : std::string();
    };
    const QTemporaryDir dir;
    TrainingJob::Settings s = settings_for(dir, test::painted_phantom(in(dir, "one.strokes"), 1));
    QVERIFY(refused(s).find("only one class is labelled") != std::string::npos);
    s.graph.nodes["paint"].params["stroke"] = int64_t{0};
    QVERIFY(refused(s).find("neither painted labels") != std::string::npos);
    s = settings_for(dir, test::painted_phantom(in(dir, "two.strokes")));
    s.plan.gap = 1000;
    QVERIFY(refused(s).find("nothing to validate with") != std::string::npos);
    s = settings_for(dir, s.graph);
    s.plan.weights = in(dir, "none.safetensors");
    QVERIFY(refused(s).find("none.safetensors") != std::string::npos);
    // Another training's checkpoint is not gone on with.
    s.plan.weights.clear();
    QCOMPARE(refused(s), std::string());
    s.plan.patch = 12;
    s.begin = TrainingJob::Settings::Begin::with_checkpoint;
    QVERIFY(refused(s).find("other settings") != std::string::npos);
  }

  void plans_are_read_as_they_were_written() {
    TrainingPlan plan;
    plan.weights = "/a/b c.safetensors";
    plan.planes = Planes::omnidirectional;
    plan.rate = 3e-4;
    plan.gap = 0;
    plan.network = "unet4";
    plan.settings["features"] = 8;
    plan.batch = 4;
    QVERIFY(plan_from_json(to_json_text(plan)).or_throw() == plan);
    TrainingPlan longer = plan;
    longer.epochs = 7;
    QVERIFY(can_resume_as(plan, longer));
    longer.patch = 3;
    QVERIFY(!can_resume_as(plan, longer));
    QVERIFY(!plan_from_json("{\"depth\": 3}").ok());
    plan.network = "msd";
    // Checkpoints of 0.1.0 state neither the network nor the batch, and the depth by itself.
    std::string old = to_json_text(TrainingPlan{});
    for (const auto& [word, in_old] :
         {std::pair("\"network\":\"msd\",", ""), {"\"settings\":{}", "\"depth\":30"}, {"\"batch\":1,", ""}}) {
      const auto at = old.find(word);
      QVERIFY2(at != std::string::npos, word);
      old.replace(at, std::string(word).size(), in_old);
    }
    QVERIFY(can_resume_as(plan_from_json(old).or_throw(), TrainingPlan{}));
    old.replace(old.find("30"), 2, "31");
    QVERIFY(!can_resume_as(plan_from_json(old).or_throw(), TrainingPlan{}));
    plan.settings["depth"] = 0;
    QVERIFY(!plan_from_json(to_json_text(plan)).ok());
  }
};

TL_TEST_CASE(TrainingJobTest)

}  // namespace tl::training_job_test

#include "training_job.moc"
