// Scans whose pixels are not all there or lie elsewhere: half-recorded, virtual, external, behind links and pipes.
#include <sys/stat.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/format.h"
#include "core/io/process/reader_service.h"
#include "tests/support/partial_scans.h"
#include "tests/support/test_main.h"

using namespace tl;
using namespace tl::test;
namespace fs = std::filesystem;

class IoSourcesTest : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(dir_.path().toStdString()) / name; }
  // Opening fails with these words.
  void refuses(const fs::path& file, ErrorKind kind, std::initializer_list<std::string> words,
               const io::OpenOptions& options = {}) const {
    const auto scan = io::open_scan(file, {}, options);
    QVERIFY(!scan.ok());
    const std::string message = scan.error().message();
    QVERIFY2(scan.error().kind == kind && mentions(message, words), message.c_str());
    QVERIFY2(!scan.error().hint.empty() && mentions(scan.error().where, {file.string()}), message.c_str());
  }
  // Views `good` can be read and are all 7, `bad` cannot, and the error has these words.
  static void reads(io::ScanReader& scan, Range good, Range bad, std::initializer_list<std::string> words) {
    const auto whole = scan.read({good, {0, rows}, {0, cols}});
    QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().message().c_str());
    QCOMPARE(whole.value().min().item<float>(), 7.0F);
    QCOMPARE(whole.value().max().item<float>(), 7.0F);
    const auto lost = scan.read({bad, {0, 1}, {0, 1}});
    QVERIFY(!lost.ok());
    const std::string message = lost.error().message();
    QVERIFY2(lost.error().kind == ErrorKind::io && mentions(message, words), message.c_str());
  }

 private Q_SLOTS:
  void half_recorded_compressed() {
    {
      Hdf5Maker h5(path("compressed.h5"));
      const hid_t plist = compressed();
      half_recorded(h5.file(), "/exchange/data", 12, {0, 1, 2, 3, 4, 8}, plist);
      H5Pclose(plist);
    }
    const auto scan = io::open_scan(path("compressed.h5")).or_throw();
    QVERIFY2(mentions(notes_of(*scan), {"50 %", "frames 5 to 7, 9 to 11 of 12"}), notes_of(*scan).c_str());
    reads(*scan, {0, 5}, {3, 7}, {"frames 5 to 6", "never recorded", "0 to 4", "last_view = 4", "/exchange/data"});
    QVERIFY(scan->read({{8, 9}, {0, 1}, {0, 1}}).ok());
  }
  void half_recorded_in_external_files() {
    {
      Hdf5Maker h5(path("external.h5"));
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_external(plist, "frames.raw", 16, H5F_UNLIMITED);
      half_recorded(h5.file(), "/exchange/data", 6, {}, plist);
      H5Pclose(plist);
    }
    const std::vector<uint16_t> frames(3 * rows * cols, 7);
    std::ofstream raw(path("frames.raw"), std::ios::binary);
    raw.write("0123456789abcdef", 16).write(reinterpret_cast<const char*>(frames.data()), 2 * std::ssize(frames) + 10);
    raw.close();
    fs::resize_file(path("frames.raw"), 16 + 2 * frames.size() + 10);
    const auto scan = io::open_scan(path("external.h5")).or_throw();
    QVERIFY2(mentions(notes_of(*scan), {"50 %", "frames 3 to 5 of 6"}), notes_of(*scan).c_str());
    reads(*scan, {0, 3}, {2, 4}, {"frames 3 were never", "last_view = 2"});
    QCOMPARE(scan->files().size(), std::size_t(2));
  }
  void half_recorded_virtual() {
    {
      Hdf5Maker a(path("part_a.h5")), b(path("part_b.h5"));
      const hid_t plist = compressed();
      half_recorded(a.file(), "/raw", 4, {0, 1, 2, 3}, plist);
      half_recorded(b.file(), "/raw", 4, {0, 1}, plist);
      H5Pclose(plist);
    }
    {
      Hdf5Maker h5(path("virtual.h5"));
      make_virtual(h5.file(), "/exchange/data", 12, {{"part_a.h5", "/raw", 0, 4}, {"part_b.h5", "/raw", 4, 4}});
      make_virtual(h5.file(), "/exchange/again", 12, {{".", "/exchange/data", 0, 12}});
    }
    {
      const auto scan = io::open_scan(path("virtual.h5")).or_throw();
      QVERIFY2(mentions(notes_of(*scan), {"50 %", "frames 6 to 11 of 12"}), notes_of(*scan).c_str());
      reads(*scan, {0, 6}, {5, 9}, {"frames 6 to 8", "last_view = 5"});
      QCOMPARE(scan->files().size(), std::size_t(3));
    }
    {  // through two levels
      Hdf5Maker h5(path("nested.h5"));
      make_virtual(h5.file(), "/exchange/data", 12, {{"virtual.h5", "/exchange/again", 0, 12}});
    }
    const auto scan = io::open_scan(path("nested.h5")).or_throw();
    reads(*scan, {0, 6}, {5, 9}, {"frames 6 to 8", "last_view = 5"});
    fs::remove(path("part_b.h5"));
    refuses(path("virtual.h5"), ErrorKind::io, {"part_b.h5", "missing"});
  }
  void a_virtual_dataset_of_itself() {
    {
      Hdf5Maker h5(path("self.h5"));
      make_virtual(h5.file(), "/exchange/data", 4, {{".", "/exchange/data", 0, 4}});
    }
    refuses(path("self.h5"), ErrorKind::invalid, {"refers to itself"});
    {
      Hdf5Maker h5(path("pair.h5"));
      make_virtual(h5.file(), "/exchange/data", 4, {{".", "/other", 0, 4}});
      make_virtual(h5.file(), "/other", 4, {{".", "/exchange/data", 0, 2}, {".", "/exchange/data", 2, 2}});
    }
    refuses(path("pair.h5"), ErrorKind::invalid, {"refers to itself"});
  }

  void files_outside_the_folder_are_asked_for() {
    fs::create_directories(path("scans"));
    {
      Hdf5Maker h5(path("raw.h5"));
      h5.frames<uint16_t>("/raw", 3, rows, cols, 7);
    }
    { Hdf5Maker(path("scans/link.h5").string()).external_link("../raw.h5", "/raw", "/exchange/data"); }
    { Hdf5Maker(path("scans/group.h5").string()).external_link(path("raw.h5").string(), "/", "/exchange"); }
    {
      Hdf5Maker h5(path("scans/virtual.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"../raw.h5", "/raw", 0, 3}});
    }
    for (const char* name : {"scans/link.h5", "scans/group.h5", "scans/virtual.h5"})
      refuses(path(name), ErrorKind::io, {"raw.h5", "outside its own folder", "outside_links"});
    for (const char* name : {"scans/link.h5", "scans/virtual.h5"}) {
      const auto scan = io::open_scan(path(name), {}, {io::OutsideLinks::follow, {}}).or_throw();
      QVERIFY2(mentions(notes_of(*scan), {"outside its folder", "raw.h5"}), notes_of(*scan).c_str());
      QCOMPARE(scan->info().outside.size(), std::size_t(1));
      QCOMPARE(scan->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>(), 7.0F);
    }
    // A scan that is itself a link may lie beside what it refers to.
    { Hdf5Maker(path("beside.h5").string()).external_link("raw.h5", "/raw", "/exchange/data"); }
    fs::create_symlink(path("beside.h5"), path("scans/symbolic.h5"));
    QVERIFY(io::open_scan(path("beside.h5")).ok());
  }
  void absolute_plugin_folders_are_named() {
    {
      Hdf5Maker h5(path("plugins.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
    }
    qputenv("HDF5_PLUGIN_PATH", "/nowhere/plugins:relative");
    io::replace_fork(nullptr);  // a service that sees the environment
    const auto scan = io::open_scan(path("plugins.h5")).or_throw();
    qunsetenv("HDF5_PLUGIN_PATH");
    io::replace_fork(nullptr);
    QCOMPARE(scan->info().outside.size(), std::size_t(1));
    QVERIFY(mentions(scan->info().outside.front(), {"/nowhere/plugins", "code"}));
  }

  // Nobody waits for a pipe.
  void pipes_are_refused() {
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    QCOMPARE(mkfifo(path("pipe.tif").c_str(), 0600), 0);
    refuses(path("pipe"), ErrorKind::io, {"not a file"});
    refuses(path("pipe.tif"), ErrorKind::io, {"not a file"});
    { Hdf5Maker(path("to_pipe.h5").string()).external_link("pipe", "/raw", "/exchange/data"); }
    refuses(path("to_pipe.h5"), ErrorKind::io, {"no regular file", "pipe"});
    {
      Hdf5Maker h5(path("of_pipe.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"pipe", "/raw", 0, 3}});
    }
    refuses(path("of_pipe.h5"), ErrorKind::io, {"no regular file", "pipe"});
    {
      Hdf5Maker h5(path("in_pipe.h5"));
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_external(plist, "pipe", 0, H5F_UNLIMITED);
      half_recorded(h5.file(), "/exchange/data", 3, {}, plist);
      H5Pclose(plist);
    }
    refuses(path("in_pipe.h5"), ErrorKind::io, {"no regular file", "pipe"});
    {  // behind a source of a virtual dataset
      Hdf5Maker h5(path("behind.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"to_pipe.h5", "/exchange/data", 0, 3}});
    }
    refuses(path("behind.h5"), ErrorKind::io, {"no regular file", "pipe"});
  }

  void a_file_of_many_groups_is_sound() {
    constexpr int groups = 20000;
    {
      Hdf5Maker h5(path("groups.nx"));
      for (int i = 0; i < groups; ++i)
        H5Gclose(H5Gcreate2(h5.file(), ("g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      h5.frames<uint16_t>("/z/instrument/detector/data", 3, rows, cols, 7);
      h5.numbers<int32_t>("/z/instrument/detector/image_key", {3}, {0, 0, 0});
    }
    const auto scan = io::open_scan(path("groups.nx"));
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    QCOMPARE(scan.value()->info().format, std::string("nxtomo"));
  }
};

TL_TEST_MAIN(IoSourcesTest)
#include "sources.moc"
