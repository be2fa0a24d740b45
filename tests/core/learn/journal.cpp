// Journals of learning runs: replayed by the same run only, and no other file is ever written into.
#include "core/learn/journal.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <functional>

#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::journal_test {

using learn::Journal;
namespace fs = std::filesystem;

namespace {
std::function<void()> before_lock;
}

extern "C" int flock(int handle, int how) noexcept {
  if (before_lock) std::exchange(before_lock, {})();
  return static_cast<int>(syscall(SYS_flock, handle, how));
}

class JournalTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  fs::path journal() const { return path("L.json.journal"); }
  static io::OutputRules rules() { return io::no_inputs(io::Overwrite::refuse); }
  Result<std::unique_ptr<Journal>> open(const std::string& identity = "run") {
    return Journal::open(journal(), identity, rules());
  }
  void write_three() {
    auto j = open().or_throw();
    for (int i = 0; i < 3; ++i) j->add("gradient", {0.1 * i}, {1.5 * i, {double(i), -1}}).or_throw();
  }
  int replayed() {
    auto j = open().or_throw();
    int count = 0;
    for (auto r = j->replay("gradient", {0.1 * count}); r; r = j->replay("gradient", {0.1 * count})) {
      if (r->loss != 1.5 * count || r->gradient != std::vector<double>{double(count), -1}) return -1;
      ++count;
    }
    return count;
  }

  // Too long to be written out.
  static std::vector<double> long_list(int i) { return std::vector<double>(400, 0.1 * i); }
  // A survey of two evaluations, then a descent of some. Returns the file.
  std::string write_descent(int evaluations) {
    auto j = open().or_throw();
    for (int i = 0; i < 2; ++i) j->add("loss", {0.1 * i}, {1.5 * i, {}}).or_throw();
    (void)j->begin_descent();
    for (int i = 0; i < evaluations; ++i) j->add("gradient", long_list(i), {double(i), long_list(i)}).or_throw();
    j.reset();
    return test::contents(journal());
  }
  static bool survey_replayed(Journal& j) {
    for (int i = 0; i < 2; ++i)
      if (const auto r = j.replay("loss", {0.1 * i}); !r || r->loss != 1.5 * i) return false;
    return true;
  }
  // Replays survey and descent to their end; the state that was found, or the first evaluation that was not.
  static std::optional<std::string> continued(Journal& j, int evaluations) {
    if (!survey_replayed(j)) return "the survey";
    if (j.begin_descent()) return "a state";
    for (int i = 0; i < evaluations; ++i)
      if (const auto r = j.replay("gradient", long_list(i)); !r || r->gradient != long_list(i))
        return "evaluation " + std::to_string(i);
    return std::nullopt;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void the_same_run_is_replayed() {
    write_three();
    QCOMPARE(replayed(), 3);
    QCOMPARE(replayed(), 3);
  }

  void what_was_cut_short_is_cut_off() {
    write_three();
    const std::string whole = test::contents(journal());
    for (std::size_t keep = whole.size() - 1; keep > 0; keep -= std::min<std::size_t>(keep, 7)) {
      test::put(journal(), whole.substr(0, keep));
      QVERIFY(replayed() < 3);
      QVERIFY(whole.starts_with(test::contents(journal())));
    }
    test::put(journal(), "");
    QCOMPARE(replayed(), 0);
  }

  void another_run_starts_over() {
    write_three();
    QVERIFY(!open("another").value()->replay("gradient", {0.0}));
    QCOMPARE(replayed(), 0);
  }

  void no_other_file_is_written_into_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"text", "almost", "symbolic", "nowhere", "hard", "ours hard", "folder", "pipe"})
      QTest::newRow(what) << what;
  }
  void no_other_file_is_written_into() {
    QFETCH(QString, what);
    test::put(path("data"), "raw data");
    if (what == "text") test::put(journal(), "my own notes\n");
    if (what == "almost") test::put(journal(), "tomoloom-learning-journal: how it works\n");
    if (what == "symbolic") fs::create_symlink(path("data"), journal());
    if (what == "nowhere") fs::create_symlink(path("nothing"), journal());
    if (what == "hard") fs::create_hard_link(path("data"), journal());
    if (what == "ours hard") {
      write_three();
      fs::create_hard_link(journal(), path("kept"));
    }
    if (what == "folder") fs::create_directory(journal());
    if (what == "pipe") QCOMPARE(mkfifo(journal().c_str(), 0600), 0);
    const bool pipe = what == "pipe";  // reading it would wait for ever
    const test::Tree before = pipe ? test::Tree() : test::tree_of(path(""));
    QVERIFY(!open().ok());
    Journal::remove(journal());
    QVERIFY(fs::exists(fs::symlink_status(journal())));
    if (!pipe) QCOMPARE(test::difference(before, test::tree_of(path(""))), std::string());
  }

  void an_input_is_not_a_journal() {
    write_three();
    auto inputs = std::make_shared<io::ProtectedFiles>();
    inputs->add(journal(), "the input");
    const std::string before = test::contents(journal());
    QCOMPARE(Journal::open(journal(), "another", {io::Overwrite::replace, inputs}).error().kind, ErrorKind::invalid);
    QCOMPARE(test::contents(journal()), before);
  }

  void one_run_at_a_time() {
    auto first = open();
    QVERIFY(first.ok());
    QVERIFY(first.value()->add("gradient", {0.0}, {0, {0, -1}}).ok());
    const std::string before = test::contents(journal());
    QCOMPARE(open().error().kind, ErrorKind::invalid);
    Journal::remove(journal());
    QCOMPARE(test::contents(journal()), before);
  }

  // The first run finishes and removes its journal while the second waits for the lock of the file that is gone.
  void a_delayed_lock_harms_nothing() {
    { QVERIFY(open().ok()); }
    before_lock = [&] { fs::remove(journal()); };
    auto second = open();
    QVERIFY(second.ok() && second.value()->add("gradient", {0.0}, {0, {0, -1}}).ok());
    second.value().reset();
    QCOMPARE(replayed(), 1);
  }

  // What came before the descent stays, what it evaluated is dropped, what follows is replayed.
  void a_state_replaces_evaluations() {
    const std::vector<double> state(500, 0.25);
    const std::string before = write_descent(40);
    {
      auto j = open().or_throw();
      QVERIFY(!continued(*j, 40).has_value());
      j->replace_by(state).or_throw();
      j->add("gradient", long_list(40), {40, long_list(40)}).or_throw();
    }
    QVERIFY(test::contents(journal()).size() < before.size() / 10);
    auto j = open().or_throw();
    QVERIFY(survey_replayed(*j));
    const auto found = j->begin_descent();
    QVERIFY(found && *found == state);
    QVERIFY(j->replay("gradient", long_list(40))->gradient == long_list(40));
    QVERIFY(!j->replay("gradient", long_list(41)));
    const std::vector<double> later(500, 0.5);
    for (int i = 41; i < 50; ++i) j->add("gradient", long_list(i), {double(i), long_list(i)}).or_throw();
    j->replace_by(later).or_throw();
    j.reset();
    j = open().or_throw();
    QVERIFY(survey_replayed(*j) && j->begin_descent() == later && !j->replay("gradient", long_list(50)));
  }

  // The state goes behind the evaluations first, then over them.
  void killed_while_a_state_is_written() {
    const std::vector<double> state(500, 0.25);
    const std::string before = write_descent(8);
    {
      auto j = open().or_throw();
      (void)continued(*j, 8);
      j->replace_by(state).or_throw();
    }
    const std::string after = test::contents(journal());
    std::size_t begin = 0;
    while (before[begin] == after[begin]) ++begin;
    begin = after.rfind('\n', begin) + 1;
    const std::string line = after.substr(begin);
    QVERIFY(begin > 0 && begin + line.size() < before.size());
    for (std::size_t written = 0; written < line.size(); written += std::min<std::size_t>(97, line.size() - written)) {
      test::put(journal(), before + line.substr(0, written));
      auto j = open().or_throw();
      QVERIFY(!continued(*j, 8).has_value());
      j.reset();
      test::put(journal(), before.substr(0, begin) + line.substr(0, written) + before.substr(begin + written) + line);
      j = open().or_throw();
      QVERIFY(survey_replayed(*j) && j->begin_descent() == state && !j->replay("gradient", long_list(0)));
    }
  }

  void a_finished_run_removes_its_own() {
    write_three();
    Journal::remove(journal());
    QVERIFY(!fs::exists(journal()));
    Journal::remove(journal());
  }
};

TL_TEST_CASE(JournalTest)

}  // namespace tl::journal_test

#include "journal.moc"
