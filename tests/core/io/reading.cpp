// Reading in a separate process: scans on which a library crashes, hangs or exhausts memory, and scans that change
// while they are read.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "core/io/bytes/reader_limits.h"
#include "core/io/open_scan.h"
#include "core/io/process/reader_service.h"
#include "core/node/registry.h"
#include "core/run/automatic/automatic.h"
#include "core/run/executor.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/partial_scans.h"
#include "tests/support/reader_processes.h"
#include "tests/support/test_case.h"

namespace tl::reading_test {

using namespace tl::test;
using namespace tl::test::partial;
namespace fs = std::filesystem;

namespace {

// Largest memory that a reader of ours ever had [bytes].
int64_t children_peak() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  return int64_t{use.ru_maxrss} * 1024;
}

// pidfd_open(), pidfd_send_signal() and close_range() are unknown from now on, to children, too.
bool refuse_new_system_calls() {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 2, 0),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_send_signal, 1, 0),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program = {sizeof code / sizeof *code, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Which step fails; 0: none.
int trial_on_an_old_kernel(const fs::path& file) {
  const auto read = [&](io::ScanReader& scan) { return scan.read({{0, 3}, {0, rows}, {0, cols}}).ok(); };
  for (int i = 0; i < 3; ++i) {
    auto scan = io::open_scan(file);
    if (!scan.ok()) return 1;
    if (!read(*scan.value())) return 2;
    kill(reader_process(), SIGKILL);
    if (read(*scan.value())) return 3;
    if (!read(*scan.value())) return 4;
  }
  const auto begin = std::chrono::steady_clock::now();
  while (reader_process() != -1)
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(5)) return 5;
  return 0;
}

}  // namespace

class IoReadingTest : public ScanFolder {
  Q_OBJECT

  void put_frame(const std::string& name, int64_t frame_rows, int64_t frame_cols, uint16_t value) {
    fs::create_directories(path(name).parent_path());
    TIFF* out = TIFFOpen(path(name).c_str(), "w");
    for (const auto& [tag, number] : {std::pair(TIFFTAG_IMAGEWIDTH, frame_cols), {TIFFTAG_IMAGELENGTH, frame_rows}})
      TIFFSetField(out, static_cast<uint32_t>(tag), static_cast<int>(number));
    TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    std::vector<uint16_t> line(static_cast<std::size_t>(frame_cols), value);
    for (uint32_t r = 0; r < frame_rows; ++r) TIFFWriteScanline(out, line.data(), r, 0);
    TIFFClose(out);
  }

  void formats_that_change() {
    QTest::addColumn<QString>("scan");
    for (const char* name : {"h5", "tif"}) QTest::newRow(name) << name;
  }

 private Q_SLOTS:
  // 6 GB of zeros in a file of some megabytes: one chunk, or one tile.
  void bombs_take_no_memory() {
    {
      Hdf5Maker h5(path("bomb.h5"));
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(links, 1);
      const Box shape = {1, 30000, 30000};
      H5Pset_chunk(plist, 3, shape.data());
      H5Pset_deflate(plist, 9);
      const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
      const hid_t set = H5Dcreate2(h5.file(), "/exchange/data", H5T_NATIVE_UINT16, space, links, plist, H5P_DEFAULT);
      std::vector<unsigned char> packed(2 << 20);
      z_stream stream{};
      deflateInit(&stream, 9);
      std::vector<unsigned char> zeros(1 << 20);
      stream.next_out = packed.data();
      stream.avail_out = static_cast<uInt>(packed.size());
      for (int i = 0; i < 64; ++i) {
        stream.next_in = zeros.data();
        stream.avail_in = static_cast<uInt>(zeros.size());
        deflate(&stream, i == 63 ? Z_FINISH : Z_NO_FLUSH);
      }
      const Box at = {0, 0, 0};
      H5Dwrite_chunk(set, H5P_DEFAULT, 0, at.data(), stream.total_out, packed.data());
      deflateEnd(&stream);
      H5Dclose(set);
      H5Sclose(space);
      H5Pclose(links);
      H5Pclose(plist);
    }
    refuses(path("bomb.h5"), ErrorKind::io, {"chunks of 1800000000 bytes"});
    if (!io::memory_is_bounded) QSKIP("with the address sanitizer the memory of readers is not bounded");

    TIFF* tiff = TIFFOpen(path("bomb.tif").c_str(), "w");
    constexpr uint32_t edge = 40000;  // 3.2 GB
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, edge);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, edge);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, edge);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, edge);
    std::vector<char> stored(1 << 20);
    TIFFWriteRawTile(tiff, 0, stored.data(), std::ssize(stored));
    TIFFClose(tiff);
    refuses(path("bomb.tif"), ErrorKind::io, {"takes more memory"});
    io::replace_fork(nullptr);  // the readers of before have been waited for
    QVERIFY2(children_peak() < int64_t{512} << 20, std::to_string(children_peak()).c_str());
  }

  // What a crash in the middle of a read costs: that read.
  void a_reader_that_dies_costs_one_request() {
    {
      Hdf5Maker h5(path("dies.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
    }
    const auto scan = io::open_scan(path("dies.h5")).or_throw();
    for (const auto& [number, words] :
         {std::pair(SIGSEGV, "crashes"), {SIGKILL, "ended from outside"}, {SIGXCPU, "does not come to an end"}}) {
      const pid_t reader = reader_process();
      QVERIFY(reader > 0);
      kill(reader, SIGSTOP);
      std::thread killer([reader, number = number] {
        wait_until_stopped(reader);
        kill(reader, number);
        kill(reader, SIGCONT);
      });
      const auto lost = scan->read({{1, 3}, {0, rows}, {0, cols}});
      killer.join();
      QVERIFY(!lost.ok());
      const std::string message = lost.error().message();
      QVERIFY2(lost.error().kind == ErrorKind::io && mentions(message, {"reading views 1 to 2", "dies.h5"}),
               message.c_str());
      QVERIFY2(mentions(message, {words}), message.c_str());
      QCOMPARE(scan->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>(), 7.0F);
    }
    // A dead service, whose readers end with it, is started again.
    const pid_t reader = reader_process();
    kill(parent_of(reader), SIGKILL);
    wait_until_ended(reader);
    QVERIFY(!scan->read({{0, 1}, {0, 1}, {0, 1}}).ok());
    QCOMPARE(scan->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>(), 7.0F);
  }
  // A reader that does not answer for whatever reason is left behind.
  void a_read_is_cancelled_at_once() {
    {
      Hdf5Maker h5(path("slow.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
      h5.frames<uint16_t>("/exchange/data_white", 2, rows, cols, 9);
    }
    const auto scan = io::open_scan(path("slow.h5")).or_throw();
    const std::vector<int64_t> views = {0, 2};
    for (const bool flats : {false, true}) {
      const pid_t reader = reader_process();
      kill(reader, SIGSTOP);
      wait_until_stopped(reader);
      const CancelToken cancel;
      std::chrono::steady_clock::time_point called;
      std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        called = std::chrono::steady_clock::now();
        cancel.cancel();
      });
      const auto read = flats ? scan->read_flats({0, rows}, {0, cols}, cancel)
                              : scan->read_views(views, {0, rows}, {0, cols}, Samples::floats, cancel);
      canceller.join();
      const auto took = std::chrono::steady_clock::now() - called;
      QVERIFY(!read.ok());
      QCOMPARE(read.error().kind, ErrorKind::cancelled);
      QVERIFY(took < std::chrono::seconds(1));
      QCOMPARE(scan->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>(), 7.0F);
    }
  }
  // Kernels before 5.3 and some containers know no descriptors of processes, and before 5.9 no close_range().
  void old_kernels_are_enough() {
    {
      Hdf5Maker h5(path("old.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
    }
    const pid_t child = fork();
    if (child == 0) _exit(refuse_new_system_calls() ? trial_on_an_old_kernel(path("old.h5")) : 100);
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    if (WEXITSTATUS(status) == 100) QSKIP("this system lets nobody refuse system calls");
    QCOMPARE(WEXITSTATUS(status), 0);
  }
  void without_a_process_nothing_is_read() {
    {
      Hdf5Maker h5(path("fork.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
    }
    io::replace_fork([]() -> pid_t {
      errno = EAGAIN;
      return -1;
    });
    refuses(path("fork.h5"), ErrorKind::unavailable, {"no process could be started"});
    // The service starts, its readers do not.
    io::replace_fork([]() -> pid_t {
      static int calls = 0;
      if (calls++ == 0) return fork();
      errno = EAGAIN;
      return -1;
    });
    refuses(path("fork.h5"), ErrorKind::unavailable, {"no process could be started"});
    io::replace_fork(nullptr);
    QVERIFY(io::open_scan(path("fork.h5")).ok());
  }
  // An index of chunks whose last branch leads back to its root: HDF5 1.10 follows it until its stack is full, while
  // the first pixel reads well.
  void a_damaged_chunk_index_does_not_crash() {
    {
      Hdf5Maker h5(path("index.h5"));
      h5.frames<uint16_t>("/exchange/data", 200, rows, cols, 7, {1, rows, cols}, Packing::deflate);
    }
    std::ifstream in(path("index.h5"), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const std::string root = {'T', 'R', 'E', 'E', 1, 1};  // of raw data, one level above the leaves
    const std::size_t at = bytes.find(root);
    QVERIFY(at != std::string::npos);
    constexpr std::size_t head = 24, key = 40, entry = key + 8;
    const auto entries = static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + 6]));
    const auto address = static_cast<uint64_t>(at);
    bytes.replace(at + head + (entries - 1) * entry + key, 8, reinterpret_cast<const char*>(&address), 8);
    std::ofstream(path("index.h5"), std::ios::binary) << bytes;
    refuses(path("index.h5"), ErrorKind::io, {"damaged", "crashes"});
    QVERIFY(!io::read_scan_info(path("index.h5")).ok());
  }
  // What many pieces of a request leave unused adds up to 1.5 s, not to the time of all of them.
  void time_without_an_end_is_not_given() {
    for (const bool in_pieces : {false, true}) {
      const pid_t child = fork();
      if (child == 0) {
        io::limit_this_process();
        io::allow_cpu_time(0.1);
        io::allow_more_cpu_time(0.1);
        for (int piece = 0; in_pieces && piece < 100; ++piece) io::allow_cpu_time_for_piece(1000);
        for (std::atomic<int> i = 0;; ++i) {
        }
      }
      int status = 0;
      rusage used{};
      QCOMPARE(wait4(child, &status, 0, &used), child);
      QVERIFY(WIFSIGNALED(status));
      QCOMPARE(WTERMSIG(status), SIGXCPU);
      QVERIFY(used.ru_utime.tv_sec < 3);
    }
  }
  // Readers leave with those who asked for them, and take no lock of theirs along.
  void closed_scans_leave_no_process() {
    {
      Hdf5Maker h5(path("closed.h5"));
      h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
    }
    for (int i = 0; i < 20; ++i) {
      QVERIFY(io::open_scan(path("closed.h5")).ok());
      const hid_t file = H5Fopen(path("closed.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      QVERIFY(file >= 0);
      H5Fclose(file);
    }
    QTRY_COMPARE(reader_process(), pid_t(-1));
  }

  void a_scan_that_changes_is_noticed_data() { formats_that_change(); }
  void a_scan_that_changes_is_noticed() {
    QFETCH(QString, scan);
    const bool tiff = scan == "tif";
    const fs::path file = tiff ? path("frames/f_1.tif") : path("changes.h5");
    fs::create_directories(path("frames"));
    const auto make = [&] {
      if (!tiff) {
        Hdf5Maker h5(file.string());
        h5.frames<uint16_t>("/exchange/data", 3, rows, cols, 7);
        return;
      }
      for (const char* name : {"frames/f_0.tif", "frames/f_1.tif", "frames/f_2.tif"}) put_frame(name, rows, cols, 7);
    };
    const std::function<void()> changes[] = {[&] { fs::resize_file(file, fs::file_size(file) - 8); },
                                             [&] {
                                               std::fstream in_place(file,
                                                                     std::ios::in | std::ios::out | std::ios::binary);
                                               in_place.seekp(-4, std::ios::end);
                                               in_place << "zz";
                                             },
                                             [&] {
                                               fs::copy_file(file, path("copy"), fs::copy_options::overwrite_existing);
                                               fs::rename(path("copy"), file);
                                             },
                                             [&] { fs::remove(file); }};
    for (const auto& change : changes) {
      make();
      const auto reader = io::open_scan(tiff ? path("frames") : file).or_throw();
      QVERIFY(reader->read({{0, 3}, {0, rows}, {0, cols}}).ok());
      QVERIFY(reader->inputs()->unchanged().ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // more than a tick of the file system's clock
      change();
      const auto read = reader->read({{0, 3}, {0, rows}, {0, cols}});
      QVERIFY(!read.ok());
      QVERIFY2(mentions(read.error().message(), {"changed while it was read", file.string()}),
               read.error().message().c_str());
      QVERIFY(!reader->inputs()->unchanged().ok());
    }
  }

  // Also after the last block was read, and then there is no volume.
  void no_volume_of_a_scan_that_changed_data() { formats_that_change(); }
  void no_volume_of_a_scan_that_changed() {
    QFETCH(QString, scan);
    const bool tiff = scan == "tif";
    const fs::path scan_path = tiff ? path("run") : path("run.h5"), file = tiff ? path("run/f_07.tif") : scan_path,
                   results = path(tiff ? "of_tif" : "of_h5"), volume = results / "volume.tif";
    if (tiff) {
      for (int i = 0; i < 12; ++i)
        put_frame("run/f_" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".tif", 4, 8, 7);
      put_frame("run/flats/flat_0.tif", 4, 8, 2000);
      put_frame("run/darks/dark_0.tif", 4, 8, 0);
    } else {
      Hdf5Maker h5(file.string());
      h5.frames<uint16_t>("/exchange/data", 12, 4, 8, 7);
      h5.frames<uint16_t>("/exchange/data_white", 1, 4, 8, 2000);
      h5.frames<uint16_t>("/exchange/data_dark", 1, 4, 8, 0);
    }
    struct ChangeAtTheEnd final : EventSink {
      fs::path file;
      std::streamoff pixel = 0;
      bool change = false;
      void node_progress(std::string_view node, int64_t done, int64_t total) override {
        if (node != "save" || done != total || !change) return;
        std::fstream in_place(file, std::ios::in | std::ios::out | std::ios::binary);
        in_place.seekp(pixel);
        in_place << "zz";
      }
    } sink;
    sink.file = file;
    // A pixel: the last bytes of a TIFF file say where its next page is.
    sink.pixel = tiff ? 8 : static_cast<std::streamoff>(fs::file_size(file)) - 4;
    const Graph graph =
        automatic_pipeline(io::read_scan_info(scan_path).or_throw(), {"volume.tif", {}, 0.0}).or_throw().graph;
    RunOptions options;
    options.output_dir = results;
    options.events = &sink;
    for (const bool change : {true, false}) {
      sink.change = change;
      Executor executor(Registry::all(), options);
      const auto run = executor.run(graph);
      QVERIFY2(run.ok() != change, run.ok() ? "" : run.error().message().c_str());
      QCOMPARE(fs::exists(volume), !change);
      if (change)
        QVERIFY2(run.error().kind == ErrorKind::io &&
                     mentions(run.error().message(), {"changed while it was read", file.filename().string()}),
                 run.error().message().c_str());
    }
  }
};

TL_TEST_CASE(IoReadingTest)

}  // namespace tl::reading_test

#include "reading.moc"
