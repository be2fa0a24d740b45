// Submissions without a cluster: commands and what they print, task scripts, states, damaged files.
#include "core/run/cluster/command.h"

#include <QTemporaryDir>
#include <cmath>
#include <fstream>

#include "core/live/rates.h"
#include "core/run/cluster/queue_jobs.h"
#include "core/run/cluster/submission.h"
#include "core/run/cluster/task_needs.h"
#include "core/run/many/scan_table.h"
#include "tests/support/disc_scan.h"
#include "tests/support/test_case.h"

namespace tl::cluster_test {
namespace {

namespace fs = std::filesystem;

// Programs in a folder of their own that stand in for those of Slurm.
class FakeSlurm {
 public:
  FakeSlurm() : before_(qgetenv("PATH")) {
    qputenv("PATH", folder_.path().toUtf8() + ":" + before_);
    program("sbatch", "echo \"$@\" >> " + path("calls") + "\necho 17");
    program("squeue", "cat " + path("queue"));
    program("scancel", "echo scancel \"$@\" >> " + path("calls"));
    queue("");
  }
  ~FakeSlurm() { qputenv("PATH", before_); }
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;
  void program(const std::string& name, const std::string& body) const {
    const fs::path file = path(name);
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  void queue(const std::string& text) const { std::ofstream(path("queue")) << text; }
  [[nodiscard]] std::string calls() const {
    std::ifstream file(path("calls"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }

 private:
  QTemporaryDir folder_;
  QByteArray before_;
};

const io::OutputRules keeping = io::no_inputs(io::Overwrite::refuse);

Submission three_tasks(const fs::path& out) {
  Submission s;
  s.out = out;
  for (const char* name : {"1/3", "2/3", "3/3"}) s.tasks.push_back({name, {"echo", "it's", name, "$HOME"}});
  s.join = {"true"};
  s.resources = {4, 1, int64_t{3} << 30, 90, "long", "beam", {"--nice"}};
  s.join_resources = {1, 0, int64_t{1} << 30, 0, "", "", {}};
  return s;
}

}  // namespace

class ClusterTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void both_outputs_are_read_to_the_end();
  void a_submission_is_written_and_read_back();
  void scripts_say_when_they_are_done();
  void states_follow_slurm_and_the_scripts();
  void what_failed_is_submitted_alone();
  void files_of_the_users_are_neither_replaced_nor_submitted();
  void a_refusal_is_an_error();
  void a_task_asks_for_three_times_the_forecast();
  void rows_of_a_queue_are_sent_and_their_outcomes_entered();
};

// More than a pipe holds on each of them.
void ClusterTest::both_outputs_are_read_to_the_end() {
  const auto output =
      run_command({"sh", "-c", "for i in $(seq 20000); do echo out $i; echo err $i >&2; done; exit 3"}).or_throw();
  QCOMPARE(output.code, 3);
  QVERIFY(output.out.ends_with("out 20000\n") && output.err.ends_with("err 20000\n"));
  QCOMPARE(run_command({"sh", "-c", "kill -9 $$"}).or_throw().code, 128 + 9);
  QCOMPARE(run_command({"no-such-program-anywhere"}).error().kind, ErrorKind::unavailable);
}

void ClusterTest::a_submission_is_written_and_read_back() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  rules_of_submission(s, keeping).or_throw();
  submit(s, keeping).or_throw();
  QVERIFY(!rules_of_submission(s, keeping).ok());
  QVERIFY(rules_of_submission(s, io::no_inputs(io::Overwrite::replace)).ok());
  const Submission back = read_submission(s.out).or_throw();
  QCOMPARE(back.tasks.size(), std::size_t{3});
  QCOMPARE(back.tasks[1].words, s.tasks[1].words);
  QCOMPARE(back.tasks[1].job, std::string("17"));
  QCOMPARE(back.join_job, std::string("17"));
  QCOMPARE(back.resources.memory, int64_t{3} << 30);
  QCOMPARE(back.resources.more, std::vector<std::string>{"--nice"});
  const std::string calls = slurm.calls();
  for (const char* word : {"--array=1-3", "--cpus-per-task=4", "--mem=3072M", "--time=90", "--gres=gpu:1",
                           "--partition=long", "--account=beam", "--nice", "--dependency=afterok:17"})
    QVERIFY2(calls.find(word) != std::string::npos, calls.c_str());
}

// Words mean themselves, and the file that says "done" comes only after success.
void ClusterTest::scripts_say_when_they_are_done() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  s.tasks[1].words = {"false"};
  submit(s, keeping).or_throw();
  const auto run = run_command({"bash", (s.folder() / "1.sh").string()}).or_throw();
  QCOMPARE(run.out, std::string("it's 1/3 $HOME\n"));
  QVERIFY(fs::exists(s.folder() / "1.done"));
  QVERIFY(run_command({"bash", (s.folder() / "2.sh").string()}).or_throw().code != 0);
  QVERIFY(!fs::exists(s.folder() / "2.done"));
  qputenv("SLURM_ARRAY_TASK_ID", "3");
  QCOMPARE(run_command({"bash", (s.folder() / "array.sh").string()}).or_throw().out, std::string("it's 3/3 $HOME\n"));
  qunsetenv("SLURM_ARRAY_TASK_ID");
}

void ClusterTest::states_follow_slurm_and_the_scripts() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  submit(s, keeping).or_throw();
  slurm.queue("17_1 RUNNING\n17_2 FAILED\n17_3 PENDING\n17 PENDING\n99_1 RUNNING\n");
  std::ofstream(s.folder() / "2.log") << "first line\nerror: no space\n\n";
  auto states = task_states(s).or_throw();
  QCOMPARE(states.size(), std::size_t{4});
  QVERIFY(states[0].state == TaskState::running && states[1].state == TaskState::failed);
  QVERIFY(states[2].state == TaskState::waiting && states[3].state == TaskState::waiting);
  QCOMPARE(states[1].last_line, std::string("error: no space"));
  // What is not known to have ended is never taken for it: it would be submitted again while its own job runs.
  for (const std::string live :
       {"REQUEUE_HOLD", "REQUEUE_FED", "STAGE_OUT", "SIGNALING", "STOPPED", "RESIZING", "SPECIAL_EXIT", "RESV_DEL_HOLD",
        "COMPLETING", "CONFIGURING", "SUSPENDED", "A_STATE_OF_LATER_VERSIONS"}) {
    slurm.queue("17_1 " + live + "\n17_2 FAILED\n17_3 PENDING\n17 PENDING\n");
    QVERIFY2(task_states(s).or_throw()[0].state != TaskState::failed, live.c_str());
  }
  for (const std::string over :
       {"BOOT_FAIL", "CANCELLED", "DEADLINE", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT"}) {
    slurm.queue("17_1 " + over + "\n17_2 FAILED\n17_3 PENDING\n17 PENDING\n");
    QVERIFY2(task_states(s).or_throw()[0].state == TaskState::failed, over.c_str());
  }
  // Slurm has forgotten all: what is done says so, the rest has failed.
  slurm.queue("");
  std::ofstream(s.folder() / "1.done").flush();
  states = task_states(s).or_throw();
  QVERIFY(states[0].state == TaskState::done && states[2].state == TaskState::failed);
}

void ClusterTest::what_failed_is_submitted_alone() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  submit(s, keeping).or_throw();
  slurm.program("sbatch", "echo \"$@\" >> " + slurm.path("calls") + "\necho 18");
  slurm.queue("17_2 RUNNING\n");
  std::ofstream(s.folder() / "1.done").flush();
  QCOMPARE(submit_failed(s).or_throw(), 1);
  QCOMPARE(s.tasks[2].job, std::string("18"));
  QCOMPARE(s.tasks[1].job, std::string("17"));
  const std::string calls = slurm.calls();
  for (const char* word : {"--array=3 ", "scancel --quiet 17", "--dependency=afterok:18,afterany:17"})
    QVERIFY2(calls.find(word) != std::string::npos, calls.c_str());
  for (const char* name : {"2.done", "3.done", "join.done"}) std::ofstream(s.folder() / name).flush();
  QCOMPARE(submit_failed(s).or_throw(), 0);
}

void ClusterTest::files_of_the_users_are_neither_replaced_nor_submitted() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  fs::create_directories(s.folder());
  const auto script_text = [&](const char* name) {
    std::ifstream file(s.folder() / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* name : {"1.sh", "array.sh", "join.sh", "submission.json"}) {
    std::ofstream(s.folder() / name) << "mine";
    const auto rules = rules_of_submission(s, keeping);
    QVERIFY2(!rules.ok() || !submit(s, rules.value()).ok(), name);
    QCOMPARE(script_text(name), std::string("mine"));
    QVERIFY(slurm.calls().empty());
    fs::remove_all(s.folder());
    fs::create_directories(s.folder());
  }
  submit(s, keeping).or_throw();
  const std::string calls = slurm.calls();
  for (const char* name : {"1.sh", "3.sh", "array.sh", "join.sh"}) {
    const std::string before = script_text(name);
    for (const std::string& other : {std::string("echo mine"), before + "echo more\n", std::string()}) {
      std::ofstream(s.folder() / name) << other;
      const auto again = submit_failed(s);
      QVERIFY2(!again.ok() && again.error().where.ends_with(name), name);
    }
    fs::remove(s.folder() / name);
    QVERIFY2(!submit_failed(s).ok(), name);
    std::ofstream(s.folder() / name) << before;
  }
  QCOMPARE(slurm.calls(), calls);
  QCOMPARE(submit_failed(s).or_throw(), 3);
  // A name that the state cannot hold would be another one when it is submitted again.
  s.tasks[1].words[2] = "sc\xe4n";
  fs::remove_all(s.folder());
  QVERIFY(!check_files(s, keeping).ok());
}

void ClusterTest::a_refusal_is_an_error() {
  const FakeSlurm slurm;
  slurm.program("sbatch", "echo 'sbatch: error: invalid partition' >&2; exit 1");
  const QTemporaryDir folder;
  Submission s = three_tasks(folder.path().toStdString());
  const auto refused = submit(s, keeping);
  QVERIFY(!refused.ok());
  QCOMPARE(refused.error().kind, ErrorKind::unavailable);
  QVERIFY(refused.error().what.find("invalid partition") != std::string::npos);
  // The same folder may be used again, as long as what lies there is what was to be submitted.
  QVERIFY(rules_of_submission(s, keeping).or_throw().overwrite == io::Overwrite::replace);
  std::ofstream(s.folder() / "2.sh") << "mine";
  QVERIFY(!rules_of_submission(s, keeping).ok());
  // Damaged states.
  const fs::path file = s.folder() / "submission.json";
  for (const char* text : {"", "{", "[]", R"({"format": 3})", R"({"format": "tomoloom-submission", "tasks": 1})"}) {
    std::ofstream(file) << text;
    QVERIFY2(!read_submission(s.out).ok(), text);
  }
}

// Of rates that are given, not measured.
void ClusterTest::a_task_asks_for_three_times_the_forecast() {
  live::Rates rates;
  // Two slices of a reconstruction took 2 s, four took 4 s: 1024 will take 1024 s.
  for (const double slices : {2.0, 4.0}) rates.add("recon", {1, 0, slices * 1e6, slices});
  const double seconds = rates.seconds("recon", {1, 0, 1024e6});
  QVERIFY2(std::abs(seconds - 1024) < 0.02 * 1024, QByteArray::number(seconds));  // the fit shares a little among parts
  const int64_t asked = minutes_for({0, seconds});
  QVERIFY2(asked == 51 || asked == 52, QByteArray::number(asked));  // 3 * 17.07 min = 51.2 min, whole minutes
  QCOMPARE(minutes_for({0, 1024}), int64_t{52});
  QCOMPARE(minutes_for({0, 2048}), int64_t{103});
  QCOMPARE(minutes_for({0, 600}), int64_t{30});
  QCOMPARE(minutes_for({0, 600.1}), int64_t{31});
  // Not below ten minutes, nothing where nothing is known, and a number in any case.
  QCOMPARE(minutes_for({0, 0}), int64_t{10});
  QCOMPARE(minutes_for({0, 199}), int64_t{10});
  QCOMPARE(minutes_for({0, -1}), int64_t{0});
  QCOMPARE(minutes_for({0, std::nan("")}), int64_t{0});
  QVERIFY(minutes_for({0, 1e300}) > 0);
  QCOMPARE(memory_for({int64_t{8} << 30}), int64_t{10} << 30);
  QCOMPARE(memory_for({0}), int64_t{1} << 30);
}

void ClusterTest::rows_of_a_queue_are_sent_and_their_outcomes_entered() {
  const FakeSlurm slurm;
  const QTemporaryDir folder;
  const fs::path scans = folder.filePath("in").toStdString(), place = folder.filePath("queue").toStdString();
  fs::create_directories(scans);
  const auto queue = ScanQueue::open(Registry::all(), place).or_throw();
  const std::string pipeline = queue->keep_pipeline(test::disc_pipeline(), "discs").or_throw();
  std::vector<ScanTask> tasks;
  for (const char* name : {"a", "b", "c"}) tasks.push_back({name, scans / (std::string(name) + ".nx"), {}, {}});
  tasks[0].settings = {"fbp.cutoff=0.5"};
  queue->add(tasks, pipeline).or_throw();
  queue->hold({"c"}, ScanQueue::Hold::paused).or_throw();
  QCOMPARE(submit_rows(*queue, {"a", "b", "c"}, {2, 0, int64_t{2} << 30, 30, {}, {}, {}}, "tomoloom").or_throw(),
           int64_t{2});  // c does not wait
  // The words of `submit`; the table says that they were sent, also to another program.
  const Submission s = read_submission(place / "slurm-1").or_throw();
  QCOMPARE(s.tasks.size(), std::size_t{2});
  QVERIFY(s.tasks[0].words[1] == "run" && s.tasks[0].words[4] == (place / "a").string());
  QVERIFY(s.tasks[0].words.back() == "fbp.cutoff=0.5");
  QCOMPARE(read_scan_table(place / scan_table_name()).or_throw().front().state, ScanState::sent);
  QVERIFY(!queue->take_next());                                    // nothing runs here
  QVERIFY(!submit_rows(*queue, {"a", "b"}, {}, "tomoloom").ok());  // nothing waits
  // One has ended well, one not.
  slurm.queue("17_2 FAILED");
  fs::create_directories(place / "a");
  std::ofstream(place / "a" / "volume.tif") << "voxels";
  std::ofstream(place / "a" / "volume.tif.json")
      << R"({"format": "tomoloom-record", "run": {"seconds": 7}, "files": ["volume.tif"], "parameters": [)"
      << R"({"node": "axis", "name": "axis", "value": 3.5, "unit": "px", "uncertainty": 0.1, "verdict": "resolved"}]})";
  std::ofstream(place / "a" / "other.json") << "[1, 2";
  std::ofstream(s.folder() / "1.done") << "";
  std::ofstream(s.folder() / "2.log") << "reading\nno flat frames\n";
  const std::vector<RowJob> jobs = row_jobs(*queue).or_throw();
  QCOMPARE(jobs.size(), std::size_t{2});
  QCOMPARE(jobs[1].id, std::string("17_2"));
  QCOMPARE(jobs[1].resources.memory, int64_t{2} << 30);
  enter_outcomes(*queue, jobs).or_throw();
  const ScanRow done = queue->find("a").value(), failed = queue->find("b").value();
  QVERIFY(done.state == ScanState::done && done.seconds == 7);
  QCOMPARE(done.files, std::vector<std::string>{"a/volume.tif"});
  QCOMPARE(done.found.at("axis.axis [px]"), std::string("3.5"));
  QCOMPARE(done.found.at("axis.axis verdict"), std::string("resolved"));
  QVERIFY(failed.state == ScanState::failed && failed.error == "no flat frames");
  // Again: a submission of its own. Cancelled, the row is paused.
  queue->retry({"b"}).or_throw();
  QCOMPARE(submit_rows(*queue, {"b"}, jobs[1].resources, "tomoloom").or_throw(), int64_t{1});
  slurm.queue("17_1 PENDING");
  cancel_rows(*queue, {"b"}).or_throw();
  QCOMPARE(queue->find("b")->state, ScanState::paused);
  QVERIFY(slurm.calls().find("scancel --quiet 17_1") != std::string::npos);
  // What Slurm refuses waits again.
  queue->hold({"b"}, ScanQueue::Hold::waiting).or_throw();
  slurm.program("sbatch", "exit 1");
  QVERIFY(!submit_rows(*queue, {"b"}, {}, "tomoloom").ok());
  QCOMPARE(queue->find("b")->state, ScanState::waiting);
  QVERIFY(!fs::exists(place / "slurm-3"));
}

TL_TEST_CASE(ClusterTest)

}  // namespace tl::cluster_test

#include "cluster.moc"
