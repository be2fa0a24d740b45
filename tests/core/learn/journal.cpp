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

  void another_run_begins_anew() {
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

  void an_input_is_no_journal() {
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
