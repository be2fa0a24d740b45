// Output files: complete or absent, never overwritten without permission, clear errors; fingerprints depend on the
// content.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "core/io/bytes/fingerprint.h"
#include "core/io/output/output_file.h"
#include "tests/support/test_case.h"

namespace tl::output_test {

namespace fs = std::filesystem;

// No file of this process may grow beyond `bytes`: what a full disk does, on any disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &old_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
};

class IoOutputTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const char* name) const { return dir_->filePath(name).toStdString(); }
  int64_t entries() const { return std::distance(fs::directory_iterator(path("")), fs::directory_iterator()); }
  static std::string content(const fs::path& p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void appears_only_when_committed() {
    {
      auto file = io::OutputFile::create(path("a.txt"), io::no_inputs(io::Overwrite::refuse));
      QVERIFY(file.ok());
      std::ofstream(file.value().part_path()) << "half";
      QVERIFY(!fs::exists(path("a.txt")));
      QVERIFY(fs::exists(file.value().part_path()));
      QCOMPARE(file.value().part_path().parent_path(), path("a.txt").parent_path());
    }
    QCOMPARE(entries(), 0);
    QVERIFY(io::write_text(path("a.txt"), "whole", io::no_inputs(io::Overwrite::refuse)).ok());
    QCOMPARE(content(path("a.txt")), std::string("whole"));
    QCOMPARE(entries(), 1);
  }

  void refuses_what_exists_unless_asked() {
    QVERIFY(io::write_text(path("a.txt"), "first", io::no_inputs(io::Overwrite::refuse)).ok());
    const auto again = io::write_text(path("a.txt"), "second", io::no_inputs(io::Overwrite::refuse));
    QCOMPARE(again.error().kind, ErrorKind::invalid);
    QVERIFY(again.error().where.find("a.txt") != std::string::npos);
    QCOMPARE(content(path("a.txt")), std::string("first"));
    QVERIFY(io::write_text(path("a.txt"), "second", io::no_inputs(io::Overwrite::replace)).ok());
    QCOMPARE(content(path("a.txt")), std::string("second"));
  }

  void what_appears_meanwhile_is_kept() {
    auto file = io::OutputFile::create(path("a.txt"), io::no_inputs(io::Overwrite::refuse));
    QVERIFY(file.ok());
    std::ofstream(path("a.txt")) << "someone else's";
    QCOMPARE(file.value().commit().error().kind, ErrorKind::invalid);
    QCOMPARE(content(path("a.txt")), std::string("someone else's"));
  }

  void one_run_at_a_time() {
    auto first = io::OutputFile::create(path("a.txt"), io::no_inputs(io::Overwrite::refuse));
    QVERIFY(first.ok());
    const auto second = io::OutputFile::create(path("a.txt"), io::no_inputs(io::Overwrite::refuse));
    QVERIFY(!second.ok() && second.error().kind == ErrorKind::io);
    QVERIFY(fs::exists(first.value().part_path()));
    QVERIFY(std::move(first).value().commit().ok());
    QCOMPARE(entries(), 1);
  }

  void what_a_killed_run_left_is_removed() {
    // A process that ends without cleaning up.
    const pid_t child = fork();
    if (child == 0) {
      auto file = io::OutputFile::create(path("a.txt"), io::no_inputs(io::Overwrite::refuse));
      auto folder = io::OutputFile::create_folder(path("stack"), io::no_inputs(io::Overwrite::refuse));
      const bool made = file.ok() && folder.ok() &&
                        io::write_all(file.value().handle(), std::as_bytes(std::span("half", 4)), "a").ok() &&
                        folder.value().add_member("stack_00000.tif", {}).ok();
      _exit(made ? 0 : 1);
    }
    int status = 1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    QCOMPARE(entries(), 2);
    QVERIFY(io::write_text(path("a.txt"), "new", io::no_inputs(io::Overwrite::refuse)).ok());
    QCOMPARE(content(path("a.txt")), std::string("new"));
    QCOMPARE(entries(), 2);
    { QVERIFY(io::OutputFile::create_folder(path("stack"), io::no_inputs(io::Overwrite::refuse)).ok()); }
    QCOMPARE(entries(), 1);
  }

  void bad_places() {
    QCOMPARE(io::write_text(path("no/such/a.txt"), "x", io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::io);
    std::ofstream(path("file")) << "x";
    QCOMPARE(io::write_text(path("file") / "a.txt", "x", io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::io);
    fs::create_directory(path("folder"));
    QCOMPARE(io::write_text(path("folder"), "x", io::no_inputs(io::Overwrite::replace)).error().kind,
             ErrorKind::invalid);
    // A file system that takes no files, whoever asks.
    const auto read_only = io::write_text("/proc/a.txt", "x", io::no_inputs(io::Overwrite::refuse));
    QCOMPARE(read_only.error().kind, ErrorKind::io);
    QVERIFY(!read_only.error().hint.empty());
  }

  void read_only_folder() {
    if (geteuid() == 0) QSKIP("permissions do not bind this user");
    fs::create_directory(path("locked"));
    fs::permissions(path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
    QCOMPARE(io::write_text(path("locked") / "a.txt", "x", io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::io);
    fs::permissions(path("locked"), fs::perms::owner_all);
    QVERIFY(fs::is_empty(path("locked")));
  }

  void full_disk() {
    const auto full = io::write_text("/dev/full", "x", io::no_inputs(io::Overwrite::refuse));
    QCOMPARE(full.error().kind, ErrorKind::io);
    QVERIFY(full.error().hint.find("space") != std::string::npos);
    QVERIFY(fs::is_character_file("/dev/full"));
    QVERIFY(!fs::exists("/dev/full.part"));
    {
      const FileSizeLimit limit(4096);
      const auto stopped = io::write_text(path("a.txt"), std::string(10000, 'x'), io::no_inputs(io::Overwrite::refuse));
      QCOMPARE(stopped.error().kind, ErrorKind::io);
    }
    QCOMPARE(entries(), 0);
  }

  void folders() {
    const auto stack = [&](const char* text, io::Overwrite overwrite) -> Result<void> {
      TL_TRY(auto folder, io::OutputFile::create_folder(path("stack"), io::no_inputs(overwrite)));
      TL_TRY(folder.add_member("stack_00000.tif", std::as_bytes(std::span(text, std::strlen(text)))));
      return folder.commit();
    };
    {
      auto folder = io::OutputFile::create_folder(path("stack"), io::no_inputs(io::Overwrite::refuse));
      QVERIFY(folder.ok() && folder.value().add_member("stack_00000.tif", {}).ok());
    }
    QCOMPARE(entries(), 0);
    QVERIFY(stack("1", io::Overwrite::refuse).ok());
    QCOMPARE(content(path("stack") / "stack_00000.tif"), std::string("1"));
    QCOMPARE(entries(), 1);
    QCOMPARE(stack("2", io::Overwrite::refuse).error().kind, ErrorKind::invalid);
    // Which folders may be replaced: tests/core/io/output_safety.cpp.
    fs::create_directory(path("empty"));
    auto folder = io::OutputFile::create_folder(path("empty"), io::no_inputs(io::Overwrite::refuse));
    QVERIFY(folder.ok() && folder.value().commit().ok());
    QCOMPARE(entries(), 2);
  }

  void links_stay_links() {
    QVERIFY(io::write_text(path("real.txt"), "old", io::no_inputs(io::Overwrite::refuse)).ok());
    fs::create_symlink(path("real.txt"), path("link.txt"));
    QVERIFY(io::write_text(path("link.txt"), "new", io::no_inputs(io::Overwrite::replace)).ok());
    QVERIFY(fs::is_symlink(path("link.txt")));
    QCOMPARE(content(path("real.txt")), std::string("new"));
  }

  void fingerprints() {
    std::string text(9 << 20, 'a');
    const auto print = [&](const std::string& t) {
      std::ofstream(path("f"), std::ios::trunc) << t;
      return io::fingerprint(path("f")).value();
    };
    const std::string first = print(text);
    QCOMPARE(first.size(), std::string("xxh128:").size() + 32);
    QCOMPARE(print(text), first);
    text.front() = 'b';
    const std::string other = print(text);
    QVERIFY(other != first);
    text.back() = 'b';
    QVERIFY(print(text) != other);
    text.push_back('b');
    QVERIFY(print(text) != first);
    QCOMPARE(io::fingerprint(path("none")).error().kind, ErrorKind::io);
    // A folder follows its members' names and content.
    const std::string folder = io::fingerprint(dir_->path().toStdString()).value();
    fs::rename(path("f"), path("g"));
    QVERIFY(io::fingerprint(dir_->path().toStdString()).value() != folder);
  }
};

TL_TEST_CASE(IoOutputTest)

}  // namespace tl::output_test

#include "output.moc"
