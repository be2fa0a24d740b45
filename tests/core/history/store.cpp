// The store of the history: what is entered is read back, filters choose, several processes write at once, and files
// that are damaged, newer, foreign or read-only are reported and left as they are.
#include "core/history/store.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <filesystem>

#include "tests/support/small_disk.h"
#include "tests/support/test_case.h"

namespace tl::history {
namespace store_test {

namespace {

Entry foam_run() {
  Entry e;
  e.kind = Kind::run;
  e.state = State::done;
  e.begun = 1.7e9;
  e.seconds = 161.5;
  e.title = "Foam, phase, axis";
  e.digest = "0123abcd";
  e.record = R"({"pipeline": {"nodes": {}}})";
  e.program = "command line";
  e.version = "0.1.0";
  e.device = "CPU";
  // Names of files are bytes, not text.
  e.inputs = {{"/data/foam_017.nx", "xxh128:1", 34'000'000'000}, {"/data/\xff\xfe angles.txt", "", 12}};
  e.outputs = {{"/out/foam_017.h5", "xxh128:2", 8'000'000'000}};
  e.values = {{"axis", "axis", "6.3012345", "px", 0.021, "resolved"},
              {"fbp", "cutoff", "0.8", "", {}, ""},
              {"fbp", "window", "hann", "", {}, ""}};
  e.thumbnail = {2, 3, std::string("\0\1\2\3\4\xff", 6)};
  return e;
}

Entry other(const char* scan, const char* verdict, double cutoff) {
  Entry e = foam_run();
  e.begun += 10;
  e.inputs = {{scan, "", 1}};
  e.values[0].verdict = verdict;
  e.values[1].value = std::to_string(cutoff);
  return e;
}

std::vector<int64_t> ids(const Store& store, const Filter& filter) {
  std::vector<int64_t> all;
  const auto listing = store.list(filter);
  if (listing.ok())
    for (const Entry& e : listing.value().entries) all.push_back(e.id);
  return all;
}

// In a process of its own, which ends by `work`'s result.
int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

}  // namespace

class StoreTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    file_ = folder_->filePath("deep/down/history.sqlite").toStdString();
  }

  void what_is_entered_is_read_back() {
    const Store store(file_);
    QCOMPARE(store.list().value().all, 0);  // before there is a file
    QVERIFY(!std::filesystem::exists(file_));
    Entry e = foam_run();
    const auto id = store.add(e);
    QVERIFY2(id.ok(), id.ok() ? "" : id.error().message().c_str());
    const Entry back = Store(file_).get(id.value()).value();
    QCOMPARE(back.id, id.value());
    QCOMPARE(back.record, e.record);
    QCOMPARE(back.title, e.title);
    QCOMPARE(back.digest, e.digest);
    QCOMPARE(back.begun, e.begun);
    QCOMPARE(back.seconds, e.seconds);
    QCOMPARE(back.state, State::done);
    QCOMPARE(back.inputs.size(), 2U);
    QCOMPARE(back.inputs[1].path, e.inputs[1].path);
    QCOMPARE(back.outputs[0].fingerprint, e.outputs[0].fingerprint);
    QCOMPARE(back.outputs[0].bytes, e.outputs[0].bytes);
    QCOMPARE(back.values.size(), 3U);
    QCOMPARE(back.values[0].uncertainty, e.values[0].uncertainty);
    QCOMPARE(value_text(back.values[0]), std::string("6.301 ± 0.021 px"));
    QVERIFY(!back.values[1].found());
    QCOMPARE(back.thumbnail.pixels, e.thumbnail.pixels);
    QCOMPARE(name_of(back), std::string("foam_017.nx"));
    QCOMPARE(store.list().value().entries.at(0).record, std::string());  // records may be long
  }

  void rows_change_and_go() {
    const Store store(file_);
    Entry e = foam_run();
    e.state = State::running;
    e.id = store.add(e).value();
    QCOMPARE(store.get(e.id).value().state, State::running);
    e.state = State::failed;
    e.error = "no flat frames";
    e.outputs.clear();
    QVERIFY(store.update(e).ok());
    const Entry back = store.get(e.id).value();
    QCOMPARE(back.state, State::failed);
    QCOMPARE(back.error, e.error);
    QVERIFY(back.outputs.empty());
    QCOMPARE(back.inputs.size(), 2U);
    QVERIFY(store.remove({e.id}).ok());
    QVERIFY(!store.get(e.id).ok());
    QVERIFY(store.update(e).ok());  // deleted meanwhile: nothing comes back
    QCOMPARE(store.list().value().all, 0);
    QVERIFY(store.add(e).value() != e.id);  // numbers of deleted entries are not used again
  }

  void filters_choose() {
    const Store store(file_);
    const int64_t foam = store.add(foam_run()).value();
    const int64_t tooth = store.add(other("/data/tooth 100%.h5", "flat", 0.3)).value();
    Entry failed = other("/data/box_1.nx", "resolved", 0.5);
    failed.kind = Kind::training;
    failed.state = State::failed;
    failed.error = "no labels";
    failed.begun += 100;
    const int64_t box = store.add(failed).value();
    const auto chosen = [&](Filter f) { return ids(store, f); };
    using Ids = std::vector<int64_t>;
    QCOMPARE(chosen({}), (Ids{box, tooth, foam}));  // newest first
    QCOMPARE(chosen({.text = "TOOTH"}), Ids{tooth});
    QCOMPARE(chosen({.text = "100%"}), Ids{tooth});
    QCOMPARE(chosen({.text = "box_"}), Ids{box});  // no wildcard
    QCOMPARE(chosen({.text = "no labels"}), Ids{box});
    QCOMPARE(chosen({.text = "hann"}), (Ids{box, tooth, foam}));
    QCOMPARE(chosen({.text = "%"}), Ids{tooth});
    QCOMPARE(chosen({.scan = "foam_017.h5"}), Ids{});  // an output
    QCOMPARE(chosen({.scan = "foam_017.nx"}), Ids{foam});
    QCOMPARE(chosen({.parameter = "cutoff<0.5"}), Ids{tooth});
    QCOMPARE(chosen({.parameter = "fbp.cutoff >= 0.5"}), (Ids{box, foam}));
    QCOMPARE(chosen({.parameter = "window=hann"}), (Ids{box, tooth, foam}));
    QCOMPARE(chosen({.parameter = "sharpness"}), Ids{});
    QCOMPARE(chosen({.verdict = "resolved"}), (Ids{box, foam}));
    QCOMPARE(chosen({.kind = "training"}), Ids{box});
    QCOMPARE(chosen({.since = 1.7e9 + 50}), Ids{box});
    QCOMPARE(chosen({.limit = 2}), (Ids{box, tooth}));
    QCOMPARE(chosen({.text = "foam", .verdict = "flat"}), Ids{tooth});  // all filters must fit; the title has "Foam"
    QVERIFY(!store.list({.parameter = "cutoff<high"}).ok());
    QVERIFY(!store.list({.kind = "dance"}).ok());
    QCOMPARE(store.list({.limit = 1}).value().all, 3);
  }

  // Nobody's rows are lost, and nobody fails because another one writes.
  void processes_write_at_once() {
    constexpr int processes = 4, rows = 25;
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        for (int row = 0; row < rows; ++row) {
          Entry e = foam_run();
          const auto id = Store(file_).add(e);
          if (!id.ok()) _exit(1);
          e.id = id.value();
          e.error = "changed";
          if (!Store(file_).update(e).ok()) _exit(2);
        }
        _exit(0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      QCOMPARE(status, 0);
    }
    const Listing all = Store(file_).list().value();
    QCOMPARE(all.all, int64_t{processes * rows});
    for (const Entry& e : all.entries) {
      QCOMPARE(e.error, std::string("changed"));
      QCOMPARE(e.values.size(), 3U);
    }
  }

  // kill -9 at any moment: every row is whole, the file goes on, and what ran is shown as interrupted.
  void killed_writers_leave_whole_rows() {
    const Store store(file_);
    QVERIFY(store.add(foam_run()).ok());
    for (int trial = 0; trial < 20; ++trial) {
      const pid_t child = fork();
      if (child == 0) {
        for (;;) {
          Entry e = foam_run();
          e.state = State::running;
          static_cast<void>(Store(file_).add(e));
        }
      }
      usleep(static_cast<useconds_t>(7'000 * (trial + 1)));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      const auto listing = store.list();
      QVERIFY2(listing.ok(), listing.ok() ? "" : listing.error().message().c_str());
      for (const Entry& e : listing.value().entries) {
        QCOMPARE(e.values.size(), 3U);
        QCOMPARE(e.inputs.size(), 2U);
        QVERIFY(e.state == State::done || e.state == State::interrupted);
      }
      const auto added = store.add(foam_run());
      QVERIFY2(added.ok(), added.ok() ? "" : added.error().message().c_str());
    }
    QVERIFY(store.list().value().all > 21);  // the killed ones had written something
  }

  void damaged_files_are_reported_and_kept() {
    const Store store(file_);
    QVERIFY(store.add(foam_run()).ok());
    QFile file(QString::fromStdString(file_));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray whole = file.readAll();
    // No data base at all; its header alone; pages of noise behind a good header.
    QByteArray noise = whole;
    for (qsizetype i = 100; i < noise.size(); ++i) noise[i] = static_cast<char>(i * 37 % 251);
    for (const QByteArray& damaged :
         {QByteArray("no data base, only words in a file"), whole.left(whole.size() / 2), noise}) {
      QVERIFY(file.resize(0) && file.seek(0));
      QCOMPARE(file.write(damaged), damaged.size());
      QVERIFY(file.flush());
      const auto added = store.add(foam_run());
      QVERIFY(!added.ok());
      QVERIFY2(added.error().what.find("damaged") != std::string::npos, added.error().message().c_str());
      QCOMPARE(added.error().kind, ErrorKind::io);
      QVERIFY(!store.list().ok() || damaged != noise);
      QVERIFY(file.seek(0));
      QCOMPARE(file.readAll(), damaged);
    }
  }

  void newer_and_foreign_files_are_refused() {
    const Store store(file_);
    QVERIFY(store.add(foam_run()).ok());
    QFile file(QString::fromStdString(file_));
    QVERIFY(file.open(QIODevice::ReadWrite));
    // user_version: 4 bytes, big-endian, at 60; application_id at 68 (sqlite.org/fileformat2.html).
    const auto set = [&](qint64 at, const QByteArray& bytes) {
      return file.seek(at) && file.write(bytes) == bytes.size() && file.flush();
    };
    QVERIFY(set(60, QByteArray("\0\0\0\x63", 4)));
    QVERIFY(store.add(foam_run()).error().what.find("newer version") != std::string::npos);
    QVERIFY(store.list().error().what.find("newer version") != std::string::npos);
    QVERIFY(set(68, QByteArray("\0\0\0\1", 4)));
    QVERIFY(store.add(foam_run()).error().what.find("another program") != std::string::npos);
  }

  // A full disk refuses entries in words and keeps those that are there; with room again it goes on.
  void a_full_disk_keeps_what_is_there() {
    const test::SmallDisk disk(test::Shortage::disk, 192 << 10);
    if (!disk.is_made()) QSKIP("no file system may be mounted here");
    const Store store(disk.folder() / "history.sqlite");
    Entry large = foam_run();
    large.record = std::string(8 << 10, 'x');
    int entered = 0;
    std::optional<Error> refused;
    while (!refused && entered < 100) {
      const auto added = store.add(large);
      if (added.ok())
        ++entered;
      else
        refused = added.error();
    }
    QVERIFY(entered > 0 && refused.has_value());
    QCOMPARE(refused->kind, ErrorKind::io);
    QVERIFY2(refused->message().find("full") != std::string::npos, refused->message().c_str());
    const auto listed = store.list();
    QVERIFY2(listed.ok(), listed.ok() ? "" : listed.error().message().c_str());
    QCOMPARE(static_cast<int>(listed.value().all), entered);
    QVERIFY(store.get(listed.value().entries.back().id).value().record == large.record);
  }

  // Entries can be read; a new one is refused in words.
  void read_only_files_are_read() {
    QVERIFY(Store(file_).add(foam_run()).ok());
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(file_).parent_path();
    fs::permissions(folder_->path().toStdString(), fs::perms(0755));
    fs::permissions(folder, fs::perms(0555));
    fs::permissions(file_, fs::perms(0444));
    const int code = in_child([&] {
      constexpr uid_t nobody = 65534;
      if (geteuid() == 0 && seteuid(nobody) != 0) return 10;  // root may write everywhere
      const auto listing = Store(file_).list();
      if (!listing.ok() || listing.value().all != 1) return 11;
      const auto added = Store(file_).add(foam_run());
      if (added.ok()) return 12;
      return added.error().what.find("read-only") != std::string::npos ? 0 : 13;
    });
    fs::permissions(folder, fs::perms(0755));
    QCOMPARE(code, 0);
  }

  void off_takes_and_lists_nothing() {
    const Store off({});
    QVERIFY(off.is_off());
    QCOMPARE(off.add(foam_run()).value(), 0);
    QCOMPARE(off.list().value().all, 0);
    QVERIFY(off.remove({1}).ok());
    QVERIFY(!off.get(1).ok());
    const QByteArray before = qgetenv("TL_HISTORY");
    qputenv("TL_HISTORY", "off");
    QVERIFY(default_file().empty());
    qputenv("TL_HISTORY", "/tmp/h.sqlite");
    QCOMPARE(default_file(), std::filesystem::path("/tmp/h.sqlite"));
    qputenv("TL_HISTORY", before);
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::string file_;
};

TL_TEST_CASE(StoreTest)

}  // namespace store_test
}  // namespace tl::history

#include "store.moc"
