// Safety of outputs: files of others are never touched; races, interference and failures leave either the old files or
// the new ones, complete.
#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <span>
#include <thread>

#include "core/io/output/output_file.h"
#include "core/io/output/stack_folder.h"
#include "core/io/output/volume_writer.h"
#include "tests/support/committed.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::output_safety_test {

namespace fs = std::filesystem;

namespace {

// What happens between the call of flock() and the lock, for runs that the system suspends there.
std::function<void()> before_lock;
// A file system that knows neither RENAME_NOREPLACE nor RENAME_EXCHANGE.
std::atomic<bool> plain_renames{false};
// One without hard links.
std::atomic<bool> no_links{false};

}  // namespace

extern "C" int flock(int handle, int how) noexcept {
  if (before_lock) std::exchange(before_lock, {})();
  return static_cast<int>(syscall(SYS_flock, handle, how));
}

extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned how) noexcept {
  if (plain_renames && how != 0) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, how));
}

extern "C" int link(const char* from, const char* to) noexcept {
  if (no_links) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

class IoOutputSafety : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }
  test::Tree tree() const { return test::tree_of(path("")); }
  static io::OutputRules refuse() { return io::no_inputs(io::Overwrite::refuse); }
  static io::OutputRules replace() { return io::no_inputs(io::Overwrite::replace); }
  static io::OutputRules protecting(const fs::path& input) {
    auto inputs = std::make_shared<io::ProtectedFiles>();
    inputs->add(input, "the input");
    return {io::Overwrite::replace, inputs};
  }
  static std::span<const std::byte> bytes(const char* text) {
    return std::as_bytes(std::span(text, std::strlen(text)));
  }
  // A stack as a run writes it, with the pipeline in its first slice.
  Result<void> write_stack(const fs::path& folder, float value, const io::OutputRules& rules) {
    io::VolumeTarget target;
    target.path = folder;
    target.grid = VolumeGrid::cubic(3, 4, 5, 1.0);
    target.rules = rules;
    target.description = R"({"pipeline": {}})";
    TL_TRY(auto writer, io::open_tiff_stack(target));
    TL_TRY(writer->write({0, 3}, at::full({3, 4, 5}, value)));
    return test::committed(writer->finish());
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    plain_renames = no_links = false;
    before_lock = {};
  }

  // --- files of others

  void files_of_others_called_part_are_left() {
    test::put(path("X.tif.part"), "mine");
    test::put(path("X.tif.part~"), "mine");
    test::put(path(".X.tif.0123456789abcdef.part"), "mine: no checksum of ours");
    fs::create_directories(path("X.part/deep"));
    test::put(path("X.part/deep/raw.tif"), "mine");
    test::put(path("data"), "raw data");
    fs::create_hard_link(path("data"), path("Y.tif.part"));
    fs::create_symlink(path("data"), path("Z.tif.part"));
    const test::Tree before = tree();
    for (const char* name : {"X.tif", "Y.tif", "Z.tif"}) QVERIFY(io::write_text(path(name), "new", refuse()).ok());
    QVERIFY(write_stack(path("X"), 1, refuse()).ok());
    for (const char* name : {"X.tif", "Y.tif", "Z.tif", "X"}) fs::remove_all(path(name));
    QCOMPARE(test::difference(before, tree()), std::string());
  }

  void links_under_our_own_names_are_left() {
    test::put(path("data"), "raw data");
    fs::create_hard_link(path("data"), path(io::new_part_name("X.tif")));
    fs::create_symlink(path("data"), path(io::new_part_name("X.tif")));
    fs::create_directories(path(io::new_part_name("X.tif") + "/theirs"));
    const test::Tree before = tree();
    QVERIFY(io::write_text(path("X.tif"), "new", refuse()).ok());
    fs::remove(path("X.tif"));
    QCOMPARE(test::difference(before, tree()), std::string());
  }

  void names_of_unfinished_outputs() {
    const std::string name = io::new_part_name("volume.tif");
    QVERIFY(io::is_part_name(name, "volume.tif"));
    QVERIFY(!io::is_part_name(name, "volume.tiff") && !io::is_part_name("volume.tif.part", "volume.tif"));
    QVERIFY(io::new_part_name("volume.tif") != name);
    const std::string longest(255, 'n');
    QVERIFY(io::new_part_name(longest).size() <= 255);
    QVERIFY(io::write_text(path(longest), "fits", refuse()).ok());
  }

  void a_link_that_leads_nowhere_is_refused() {
    fs::create_symlink(path("nowhere"), path("link"));
    fs::create_symlink(path("circle"), path("circle"));
    const test::Tree before = tree();
    for (const char* name : {"link", "circle"})
      for (const auto& rules : {refuse(), replace()}) {
        QCOMPARE(io::write_text(path(name), "x", rules).error().kind, ErrorKind::invalid);
        QCOMPARE(write_stack(path(name), 1, rules).error().kind, ErrorKind::invalid);
      }
    QCOMPARE(test::difference(before, tree()), std::string());
  }

  // --- inputs

  void inputs_are_known_under_every_name() {
    fs::create_directories(path("in/deep"));
    test::put(path("in/deep/scan.h5"), "raw data");
    fs::create_symlink(path("in/deep/scan.h5"), path("symbolic"));
    fs::create_symlink("symbolic", path("twice"));
    fs::create_hard_link(path("in/deep/scan.h5"), path("hard"));
    fs::create_directory_symlink(path("in"), path("folder"));
    const io::OutputRules rules = protecting(path("in/deep/scan.h5"));
    const test::Tree before = tree();
    for (const char* name : {"in/deep/scan.h5", "symbolic", "twice", "hard", "folder/deep/scan.h5",
                             "in/deep/../deep/./scan.h5", "in/deep", "in", "in/", "folder", "."}) {
      QCOMPARE(io::write_text(path(name), "x", rules).error().kind, ErrorKind::invalid);
      QCOMPARE(write_stack(path(name), 1, rules).error().kind, ErrorKind::invalid);
    }
    QCOMPARE(test::difference(before, tree()), std::string());
    QVERIFY(io::write_text(path("in/deep/other"), "x", rules).ok());
  }

  void an_input_that_appears_under_the_name_meanwhile_is_kept() {
    test::put(path("scan"), "raw data");
    auto file = io::OutputFile::create(path("out"), protecting(path("scan")));
    QVERIFY(file.ok());
    fs::create_hard_link(path("scan"), path("out"));
    QVERIFY(!file.value().commit().ok());
    QCOMPARE(test::contents(path("out")), std::string("raw data"));
  }

  // --- folders

  void only_our_stacks_are_replaced() {
    QVERIFY(write_stack(path("stack"), 1, refuse()).ok());
    QVERIFY(write_stack(path("stack"), 2, replace()).ok());
    fs::rename(path("stack"), path("renamed"));
    QVERIFY(write_stack(path("renamed"), 3, replace()).ok());
    QCOMPARE(tree().size(), std::size_t{4});
    // Raw frames, also when they are called like our slices, and a stack to which somebody added something.
    fs::create_directories(path("raw"));
    for (const char* name : {"raw/raw_00000.tif", "raw/raw_00001.tif"}) test::put(path(name), "raw data");
    QVERIFY(write_stack(path("mixed"), 1, refuse()).ok());
    test::put(path("mixed/frame_00000.tif"), "raw data");
    QVERIFY(write_stack(path("noted"), 1, refuse()).ok());
    test::put(path("noted/notes.json"), "{}");
    QVERIFY(write_stack(path("holder"), 1, refuse()).ok());
    fs::create_directory(path("holder/flats"));
    QVERIFY(write_stack(path("linking"), 1, refuse()).ok());
    fs::create_symlink(path("raw/raw_00000.tif"), path("linking/linking_00003.tif"));
    const test::Tree before = tree();
    for (const char* name : {"raw", "mixed", "noted", "holder", "linking"}) {
      const auto refused = write_stack(path(name), 5, replace());
      QVERIFY2(!refused.ok() && refused.error().kind == ErrorKind::invalid, name);
      QVERIFY2(refused.error().what.find("not written by Tomoloom") != std::string::npos, refused.error().what.c_str());
    }
    QCOMPARE(test::difference(before, tree()), std::string());
  }

  void what_is_put_into_a_folder_while_its_successor_is_written_is_kept() {
    QVERIFY(write_stack(path("stack"), 1, refuse()).ok());
    auto folder = io::OutputFile::create_folder(path("stack"), replace());
    QVERIFY(folder.ok() && folder.value().add_member("stack_00000.tif", bytes("new")).ok());
    test::put(path("stack/thesis.doc"), "dear");
    QCOMPARE(folder.value().commit().error().kind, ErrorKind::invalid);
    QCOMPARE(test::contents(path("stack/thesis.doc")), std::string("dear"));
    QCOMPARE(tree().size(), std::size_t{5});
  }

  void members_are_counted_before_the_name_is_given_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"gone", "shorter", "longer", "added", "a link"}) QTest::newRow(what) << what;
  }
  void members_are_counted_before_the_name_is_given() {
    QFETCH(QString, what);
    auto folder = io::OutputFile::create_folder(path("stack"), refuse());
    QVERIFY(folder.ok());
    for (const char* name : {"stack_00000.tif", "stack_00001.tif", "stack_00002.tif"})
      QVERIFY(folder.value().add_member(name, bytes("slice")).ok());
    QVERIFY(!folder.value().add_member("stack_00002.tif", bytes("slice")).ok());
    const fs::path slice = folder.value().part_path() / "stack_00001.tif";
    if (what != "added") fs::remove(slice);
    if (what == "shorter") test::put(slice, "sli");
    if (what == "longer") test::put(slice, "slices");
    if (what == "added") test::put(folder.value().part_path() / "stack_00003.tif", "slice");
    if (what == "a link") fs::create_symlink("stack_00000.tif", slice);
    QCOMPARE(folder.value().commit().error().kind, ErrorKind::io);
    QVERIFY(!fs::exists(path("stack")));
  }

  // --- two runs

  // The second run is suspended between opening its file and locking it; the first finishes in between.
  void a_delayed_lock_harms_nothing() {
    for (const auto& rules : {refuse(), replace()}) {
      auto first = io::OutputFile::create(path("v.tif"), rules);
      QVERIFY(first.ok() && io::write_all(first.value().handle(), bytes("first, whole"), "v").ok());
      bool committed = false;
      before_lock = [&] { committed = first.value().commit().ok(); };
      auto second = io::OutputFile::create(path("v.tif"), rules);
      QVERIFY(committed);
      QCOMPARE(test::contents(path("v.tif")), std::string("first, whole"));
      if (second.ok()) {
        QVERIFY(io::write_all(second.value().handle(), bytes("second"), "v").ok());
        const bool may = rules.overwrite == io::Overwrite::replace;
        QCOMPARE(second.value().commit().ok(), may);
        QCOMPARE(test::contents(path("v.tif")), std::string(may ? "second" : "first, whole"));
      }
      fs::remove(path("v.tif"));
      QCOMPARE(tree().size(), std::size_t{0});
    }
  }

  // Another run takes the new file for litter before it is locked.
  void a_file_that_vanished_before_its_lock_is_made_again() {
    before_lock = [&] {  // the lock of the folder comes first
      before_lock = [&] {
        for (const auto& entry : fs::directory_iterator(path(""))) fs::remove(entry.path());
      };
    };
    QVERIFY(io::write_text(path("v.tif"), "whole", refuse()).ok());
    QCOMPARE(test::contents(path("v.tif")), std::string("whole"));
    QCOMPARE(tree().size(), std::size_t{1});
  }

  void what_took_the_place_of_an_unfinished_output_is_not_named() {
    auto file = io::OutputFile::create(path("v.tif"), refuse());
    QVERIFY(file.ok());
    const fs::path part = file.value().part_path();
    fs::remove(part);
    test::put(part, "somebody else's");
    QCOMPARE(file.value().commit().error().kind, ErrorKind::io);
    QVERIFY(!fs::exists(path("v.tif")));
    QCOMPARE(test::contents(part), std::string("somebody else's"));
  }

  void of_many_runs_one_writes() {
    std::atomic<int> whole{0}, busy{0}, other{0};
    std::vector<std::thread> runs;
    for (int t = 0; t < 4; ++t)
      runs.emplace_back([&, t] {
        for (int i = 0; i < 25; ++i) {
          const std::string text(1000 + static_cast<std::size_t>(t), static_cast<char>('a' + t));
          const auto r = io::write_text(path("v.tif"), text, replace());
          if (r.ok()) ++whole;
          if (!r.ok()) ++(r.error().kind == ErrorKind::io && r.error().what.find("another run") == 0 ? busy : other);
        }
      });
    for (auto& run : runs) run.join();
    QCOMPARE(other.load(), 0);
    QCOMPARE(whole.load() + busy.load(), 100);
    QVERIFY(whole.load() >= 1);
    const std::string text = test::contents(path("v.tif"));
    QCOMPARE(text, std::string(1000 + static_cast<std::size_t>(text[0] - 'a'), text[0]));
    QCOMPARE(tree().size(), std::size_t{1});
  }

  // --- what a killed run left while it replaced an output without exchanging names

  void what_was_being_replaced_gets_its_name_back() {
    const auto killed = [&] {  // the old output and the new one, both without the name
      test::put(path(io::new_replaced_name("v.tif")), "old");
      test::put(path(io::new_part_name("v.tif")), "new");
    };
    killed();
    const auto refused = io::write_text(path("v.tif"), "next", refuse());
    QVERIFY(!refused.ok() && refused.error().what.find("exists already") != std::string::npos);
    QCOMPARE(test::contents(path("v.tif")), std::string("old"));
    QCOMPARE(tree().size(), std::size_t{1});
    fs::remove(path("v.tif"));
    killed();
    {
      auto unfinished = io::OutputFile::create(path("v.tif"), replace());
      QVERIFY(unfinished.ok());
    }
    QCOMPARE(test::contents(path("v.tif")), std::string("old"));
    QVERIFY(io::write_text(path("v.tif"), "next", replace()).ok());
    QCOMPARE(test::contents(path("v.tif")), std::string("next"));
    QCOMPARE(tree().size(), std::size_t{1});
    // Where the new output has the name, the old one is removed; so is a second name of the output.
    test::put(path(io::new_replaced_name("v.tif")), "old");
    fs::create_hard_link(path("v.tif"), path(io::new_replaced_name("v.tif")));
    QVERIFY(!io::write_text(path("v.tif"), "last", refuse()).ok());
    QVERIFY(io::write_text(path("v.tif"), "last", replace()).ok());
    QCOMPARE(test::contents(path("v.tif")), std::string("last"));
    QCOMPARE(tree().size(), std::size_t{1});
    // A folder.
    QVERIFY(write_stack(path("stack"), 1, refuse()).ok());
    const std::string slice = test::contents(path("stack/stack_00000.tif"));
    fs::rename(path("stack"), path(io::new_replaced_name("stack")));
    QVERIFY(!write_stack(path("stack"), 2, refuse()).ok());
    QCOMPARE(test::contents(path("stack/stack_00000.tif")), slice);
  }

  // --- several outputs together

  void together_or_not_at_all_data() {
    QTest::addColumn<bool>("plain");
    QTest::addColumn<bool>("unlinked");
    QTest::newRow("exchanged") << false << false;
    QTest::newRow("a file system without exchange") << true << false;
    QTest::newRow("a file system without exchange and hard links") << true << true;
  }
  void together_or_not_at_all() {
    QFETCH(bool, plain);
    QFETCH(bool, unlinked);
    plain_renames = plain;
    no_links = unlinked;
    QVERIFY(write_stack(path("stack"), 1, refuse()).ok());
    test::put(path("old.tif"), "old");
    const auto outputs = [&](const char* last) {
      std::vector<io::OutputFile> all;
      for (const char* name : {"new.tif.json", "old.tif"})
        all.push_back(io::uncommitted_text(path(name), "new", replace()).or_throw());
      auto folder = io::OutputFile::create_folder(path("stack"), replace()).or_throw();
      folder.add_member("stack_00000.tif", bytes("new")).or_throw();
      all.push_back(std::move(folder));
      all.push_back(io::uncommitted_text(path(last), "new", replace()).or_throw());
      return all;
    };
    auto failing = outputs("last.tif");
    fs::create_directory(path("last.tif"));
    const std::string old_slice = test::contents(path("stack/stack_00000.tif"));
    QVERIFY(!io::commit_together(std::move(failing)).ok());
    fs::remove(path("last.tif"));
    QCOMPARE(test::contents(path("old.tif")), std::string("old"));
    QCOMPARE(test::contents(path("stack/stack_00000.tif")), old_slice);
    QCOMPARE(tree().size(), std::size_t{5});  // the folder with its three slices, old.tif
    QVERIFY(io::commit_together(outputs("last.tif")).ok());
    for (const char* name : {"new.tif.json", "old.tif", "stack/stack_00000.tif", "last.tif"})
      QCOMPARE(test::contents(path(name)), std::string("new"));
    QCOMPARE(tree().size(), std::size_t{5});
  }
};

TL_TEST_CASE(IoOutputSafety)

}  // namespace tl::output_safety_test

#include "output_safety.moc"
