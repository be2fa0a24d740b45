// Scans with missing or external pixels: partly recorded, virtual, external, behind links and pipes.
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/io/open_scan.h"
#include "core/io/process/reader_service.h"
#include "core/node/registry.h"
#include "core/run/executor.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/partial_scans.h"
#include "tests/support/test_case.h"

namespace tl::sources_test {

using namespace tl::test;
using namespace tl::test::partial;
namespace fs = std::filesystem;

class IoSourcesTest : public ScanFolder {
  Q_OBJECT

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
    raw.write("0123456789abcdef", 16).write(reinterpret_cast<const char*>(frames.data()), 2 * std::ssize(frames));
    raw.close();
    fs::resize_file(path("frames.raw"), 16 + 2 * frames.size() + 10);
    const auto scan = io::open_scan(path("external.h5")).or_throw();
    QVERIFY2(mentions(notes_of(*scan), {"50 %", "frames 3 to 5 of 6"}), notes_of(*scan).c_str());
    reads(*scan, {0, 3}, {2, 4}, {"frames 3 were never", "last_view = 2"});
    QCOMPARE(scan->files().size(), std::size_t(2));
  }
  // External files are found from the file that names them, whatever the working folder and the environment hold.
  void external_files_are_not_looked_for_elsewhere() {
    for (const char* folder : {"data", "data/raw", "elsewhere", "elsewhere/raw"}) fs::create_directories(path(folder));
    const auto fill = [&](const std::string& name, uint16_t value) {
      const std::vector<uint16_t> frames(3 * rows * cols, value);
      std::ofstream(path(name), std::ios::binary)
          .write(reinterpret_cast<const char*>(frames.data()), 2 * std::ssize(frames));
    };
    fill("data/raw/frames.raw", 7);
    fill("elsewhere/raw/frames.raw", 9);
    {
      Hdf5Maker h5(path("data/external.h5"));
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_external(plist, "raw/frames.raw", 0, H5F_UNLIMITED);
      half_recorded(h5.file(), "/exchange/data", 3, {}, plist);
      H5Pclose(plist);
    }
    {
      Hdf5Maker h5(path("data/virtual.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"external.h5", "/exchange/data", 0, 3}});
    }
    { Hdf5Maker(path("data/link.h5").string()).external_link("virtual.h5", "/exchange/data", "/exchange/data"); }
    const fs::path before = fs::current_path();
    fs::current_path(path("elsewhere"));
    for (const char* prefix : {"HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX", "HDF5_EXT_PREFIX"})
      qputenv(prefix, path("elsewhere").c_str());
    io::replace_fork(nullptr);  // a service that sees the environment
    for (const char* name : {"data/external.h5", "data/virtual.h5", "data/link.h5"}) {
      const auto scan = io::open_scan(path(name)).or_throw();
      const auto pixels = scan->read({{0, 3}, {0, rows}, {0, cols}});
      QVERIFY2(pixels.ok(), pixels.ok() ? "" : pixels.error().message().c_str());
      QVERIFY2((pixels.value() == 7).all().item<bool>(), name);
    }
    // One that lies next to the scan instead is not what the library would read.
    fs::rename(path("data/raw/frames.raw"), path("data/frames.raw"));
    refuses(path("data/external.h5"), ErrorKind::io, {"raw/frames.raw", "missing"});
    fs::current_path(before);
    for (const char* prefix : {"HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX", "HDF5_EXT_PREFIX"}) qunsetenv(prefix);
    io::replace_fork(nullptr);
  }
  // Too many chunks to ask for each when the scan is opened: the frames are named all the same.
  void missing_frames_among_many_chunks_are_named() {
    constexpr hsize_t n = 80, side = 64;  // 327 680 chunks of one pixel
    const auto make = [&](const char* name, bool with_holes) {
      Hdf5Maker h5(path(name).string());
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
      const Box shape = {n, side, side}, chunk = {1, 1, 1};
      H5Pset_create_intermediate_group(links, 1);
      H5Pset_chunk(plist, 3, chunk.data());
      const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
      const hid_t set = H5Dcreate2(h5.file(), "/exchange/data", H5T_NATIVE_UINT16, space, links, plist, H5P_DEFAULT);
      const std::vector<uint16_t> values(5 * side * side, 7);
      const auto write = [&](const Box& at, const Box& size) {
        const hid_t memory = H5Screate_simple(3, size.data(), nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, size.data(), nullptr);
        H5Dwrite(set, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, values.data());
        H5Sclose(memory);
      };
      write({0, 0, 0}, {5, side, side});
      if (with_holes) {  // the first and the last pixel of a frame, nothing between
        write({20, 0, 0}, {1, 1, 1});
        write({20, side - 1, side - 1}, {1, 1, 1});
      }
      H5Dclose(set);
      H5Sclose(space);
      H5Pclose(plist);
      H5Pclose(links);
    };
    make("short.h5", false);
    const auto cut = io::open_scan(path("short.h5")).or_throw();
    QVERIFY2(mentions(notes_of(*cut), {"frames 5 to 79 of 80", "last_view = 4"}), notes_of(*cut).c_str());
    const auto whole = cut->read({{0, 5}, {0, side}, {0, side}});
    QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().message().c_str());
    make("holes.h5", true);
    const auto scan = io::open_scan(path("holes.h5")).or_throw();
    QVERIFY2(mentions(notes_of(*scan), {"6 %"}), notes_of(*scan).c_str());
    const auto read = scan->read({{3, 5}, {0, 2}, {0, 3}});
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QCOMPARE(read.value().min().item<float>(), 7.0F);
    for (const auto& [views, words] :
         {std::pair(Range{20, 21}, "frames 20 were"), {Range{4, 8}, "frames 5 to 7 were"}}) {
      const auto lost = scan->read({views, {0, 1}, {0, 1}});
      QVERIFY(!lost.ok());
      QVERIFY2(mentions(lost.error().message(), {words, "never recorded", "exclude"}), lost.error().message().c_str());
    }
  }
  // What was computed from a source is not taken for what it holds now.
  void a_source_that_changed_is_read_again() {
    const auto make = [&](uint16_t value) {
      // A reader may still hold a lock on the file that is replaced.
      {
        Hdf5Maker h5(path("new.h5"));
        h5.numbers<uint16_t>("/raw", {3, rows, cols}, std::vector<uint16_t>(3 * rows * cols, value));
      }
      fs::rename(path("new.h5"), path("changing.h5"));
    };
    make(7);
    { Hdf5Maker(path("linked.h5").string()).external_link("changing.h5", "/raw", "/exchange/data"); }
    {
      Hdf5Maker h5(path("mapped.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"changing.h5", "/raw", 0, 3}});
    }
    RunOptions options;
    options.memory = int64_t{256} << 20;
    Executor executor(Registry::all(), options);
    for (const char* name : {"linked.h5", "mapped.h5"}) {
      Graph graph;
      graph.nodes["load"] = {"input.load_scan", 1, {{"file", path(name).string()}}};
      for (const uint16_t value : {7, 7, 9}) {
        make(value);
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // files are looked at once in a second
        const auto views = executor.pull(graph, "load", "projections");
        QVERIFY2(views.ok(), views.ok() ? "" : views.error().message().c_str());
        QCOMPARE(std::get<Projections>(views.value()).data.max().item<float>(), static_cast<float>(value));
      }
      make(7);
    }
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
  // The library keeps all sources of a virtual dataset open, more of them than a reader's memory holds.
  void a_virtual_dataset_of_many_files() {
    constexpr hsize_t n = 400;
    fs::create_directories(path("many"));
    std::vector<Part> parts;
    for (hsize_t i = 0; i < n; ++i) {
      const std::string name = "view_" + std::to_string(i) + ".h5";
      Hdf5Maker h5(path("many/" + name).string());
      h5.numbers<uint16_t>("/data", {1, rows, cols}, std::vector<uint16_t>(rows * cols, static_cast<uint16_t>(i + 1)));
      parts.push_back({name, "/data", i, 1});
    }
    {
      Hdf5Maker h5(path("many/scan.h5"));
      make_virtual(h5.file(), "/exchange/data", n, parts);
    }
    const auto scan = io::open_scan(path("many/scan.h5")).or_throw();
    QCOMPARE(scan->files().size(), std::size_t(n + 1));
    const auto all = scan->read({{0, n}, {0, rows}, {0, cols}});
    QVERIFY2(all.ok(), all.ok() ? "" : all.error().message().c_str());
    for (const int64_t view : {0, 63, 64, 65, 399}) {
      QCOMPARE(all.value()[view].min().item<float>(), static_cast<float>(view + 1));
      QCOMPARE(all.value()[view].max().item<float>(), static_cast<float>(view + 1));
    }
    for (const char* name : {"many/view_3.h5", "many/view_7.h5", "many/view_20.h5"}) fs::remove(path(name));
    refuses(path("many/scan.h5"), ErrorKind::io, {"3 files", "view_3.h5", "view_7.h5", "view_20.h5", "missing"});
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
    // All that would have to be allowed is named at once.
    {
      Hdf5Maker h5(path("more.h5")), scan(path("scans/two.h5"));
      h5.frames<uint16_t>("/raw", 3, rows, cols, 7);
      make_virtual(scan.file(), "/exchange/data", 6, {{"../raw.h5", "/raw", 0, 3}, {"../more.h5", "/raw", 3, 3}});
    }
    refuses(path("scans/two.h5"), ErrorKind::io, {"2 files", "raw.h5", "more.h5", "outside its own folder"});
    const auto refused = io::open_scan(path("scans/two.h5"));
    QVERIFY(io::refuses_outside_links(refused.error()));
    QVERIFY(!io::refuses_outside_links(io::open_scan(path("no_such.h5")).error()));
    // A scan that is itself a link may lie next to what it refers to.
    { Hdf5Maker(path("by_its_side.h5").string()).external_link("raw.h5", "/raw", "/exchange/data"); }
    fs::create_symlink(path("by_its_side.h5"), path("scans/symbolic.h5"));
    QVERIFY(io::open_scan(path("by_its_side.h5")).ok());
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
    refuses(path("to_pipe.h5"), ErrorKind::io, {"not a regular file", "pipe"});
    {
      Hdf5Maker h5(path("of_pipe.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"pipe", "/raw", 0, 3}});
    }
    refuses(path("of_pipe.h5"), ErrorKind::io, {"not a regular file", "pipe"});
    {
      Hdf5Maker h5(path("in_pipe.h5"));
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_external(plist, "pipe", 0, H5F_UNLIMITED);
      half_recorded(h5.file(), "/exchange/data", 3, {}, plist);
      H5Pclose(plist);
    }
    refuses(path("in_pipe.h5"), ErrorKind::io, {"not a regular file", "pipe"});
    {  // behind a source of a virtual dataset
      Hdf5Maker h5(path("behind.h5"));
      make_virtual(h5.file(), "/exchange/data", 3, {{"to_pipe.h5", "/exchange/data", 0, 3}});
    }
    refuses(path("behind.h5"), ErrorKind::io, {"not a regular file", "pipe"});
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

TL_TEST_CASE(IoSourcesTest)

}  // namespace tl::sources_test

#include "sources.moc"
