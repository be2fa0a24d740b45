// Times what a person feels of the whole studio: from the start to a usable window, the first projection of a scan of
// 100 GB, and the longest time in which the window stood still during a session with everything in it. Run under Xvfb;
// prints one JSON line per case. Arguments: a folder for the large (sparse) file, default the current one.
#include <unistd.h>

#include <QApplication>
#include <QStandardPaths>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "gpu/device.h"
#include "tests/support/hdf5_maker.h"
#include "tests/support/random_user.h"
#include "tests/support/watched_application.h"

namespace {

using namespace tl;
using test::Studio;
using test::WatchedApplication;

// Seconds since this process was started, libraries and all.
double process_age() {
  std::ifstream file("/proc/self/stat");
  std::string word;
  constexpr int start_time = 22;
  for (int i = 0; i < start_time; ++i) file >> word;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  int64_t value = 0;
  while (file >> name >> value)
    if (name == "rchar:") return value;
  return 0;
}

// 5 600 views of 3 000 x 3 000 16-bit pixels that take no room on the disk.
std::string write_large_scan(const std::filesystem::path& folder, hsize_t views, hsize_t rows, hsize_t cols) {
  const std::string path = (folder / "session_bench.nx").string();
  test::Hdf5Maker h5(path);
  h5.text("/entry/definition", "NXtomo");
  const hsize_t frames = views + 2;
  std::vector<int32_t> keys(frames, 0);
  keys[0] = 2, keys[1] = 1;
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {frames}, keys);
  h5.numbers<double>("/entry/sample/rotation_angle", {frames},
                     test::ramp(static_cast<int>(frames), 0, 180.0 / static_cast<double>(views)), "degree");
  const hsize_t shape[3] = {frames, rows, cols};
  const hid_t space = H5Screate_simple(3, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
  const hid_t set = H5Dcreate2(h5.file(), "/entry/instrument/detector/data", H5T_NATIVE_UINT16, space, H5P_DEFAULT,
                               plist, H5P_DEFAULT);
  H5Dclose(set);
  H5Pclose(plist);
  H5Sclose(space);
  return path;
}

bool wait_for(const std::function<bool()>& done) { return QTest::qWaitFor(done, 120000); }

void first_projection(const std::filesystem::path& folder) {
  constexpr hsize_t views = 5600, rows = 3000, cols = 3000;
  const std::string path = write_large_scan(folder, views, rows, cols);
  const double size = static_cast<double>(std::filesystem::file_size(path));
  {
    Studio studio;
    if (!studio.open()) return;
    auto* views_area = studio.window.findChild<ui::ViewsArea*>();
    const int64_t before = bytes_read();
    QElapsedTimer timer;
    timer.start();
    studio.window.files().open(QString::fromStdString(path));
    wait_for([&] { return !studio.document.graph().nodes.empty(); });
    const double opened = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    for (const auto& [id, node] : studio.document.graph().nodes)
      if (studio.document.registry().find(node.type)->inputs.empty())
        studio.selection.set_one(QString::fromStdString(id));
    views_area->cell(0).set_kind(ui::PaneKind::projections);
    wait_for([&] { return views_area->cell(0).image_pane()->is_current(); });
    views_area->cell(0).pane()->repaint();
    std::printf(
        "{\"case\": \"first projection of %.0f GB\", \"opened_ms\": %.0f, \"shown_ms\": %.0f, \"read_MB\": %.1f, "
        "\"budget_ms\": 1000}\n",
        size * 1e-9, opened, static_cast<double>(timer.nsecsElapsed()) * 1e-6,
        static_cast<double>(bytes_read() - before) * 1e-6);
    std::fflush(stdout);
    studio.session.stop();
    studio.document.undo_stack().setClean();
    studio.window.close();
  }
  std::filesystem::remove(path);
}

void tell_stalls(const char* name, const WatchedApplication& app) {
  const auto& stalls = app.stalls();
  const WatchedApplication::Stall none;
  const auto& worst = stalls.empty() ? none : stalls.front();
  std::printf(
      "{\"case\": \"longest stall, %s\", \"processor_ms\": %.1f, \"wall_ms\": %.1f, \"in\": \"%s\", "
      "\"budget_ms\": 50}\n",
      name, worst.processor_ms, worst.wall_ms, worst.what.toUtf8().constData());
  for (std::size_t i = 1; i < std::min<std::size_t>(stalls.size(), 4); ++i)
    std::printf("  then %.1f ms (%.1f by the clock) in %s\n", stalls[i].processor_ms, stalls[i].wall_ms,
                stalls[i].what.toUtf8().constData());
  std::fflush(stdout);
}

// The example through every workspace, with knobs, planes and a run.
void whole_session(WatchedApplication& app) {
  Studio studio;
  if (!studio.open()) return;
  app.forget();
  studio.press("Try the example");
  auto* views = studio.window.findChild<ui::ViewsArea*>();
  wait_for([&] { return views->cell(0).image_pane()->is_current(); });
  for (const int key : {Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_1, Qt::Key_2}) {
    QTest::keyClick(&studio.window, static_cast<Qt::Key>(key), Qt::ControlModifier);
    QTest::qWait(700);
  }
  tell_stalls("opening and workspaces", app);
  app.forget();
  studio.selection.set_one("fbp");
  for (int i = 0; i < 30; ++i) {
    studio.document.edit("Turn", [&](Graph& g) {
      g.nodes["fbp"].params["cutoff"] = Number{1 - 0.02 * i, Unit::nyquist};
    });
    QTest::qWait(30);
  }
  QWidget* pane = views->cell(2).pane();
  QTest::keyClick(pane, Qt::Key_O);
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(views->cell(2).pane(), Qt::Key_Right, Qt::AltModifier);
    QTest::qWait(15);
  }
  tell_stalls("knobs and planes", app);
  app.forget();
  QTest::keyClick(&studio.window, Qt::Key_F5);
  wait_for([&] { return studio.told("Done in"); });
  tell_stalls("a run", app);
  studio.document.undo_stack().setClean();
  studio.window.close();
}

}  // namespace

int main(int argc, char** argv) {
  tl::init_devices();
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  WatchedApplication app(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  std::setlocale(LC_ALL, "C");
  tl::ui::Theme::instance().set(QStringLiteral("dark"));
  {
    Studio studio;
    if (!studio.open()) return 1;
    QApplication::processEvents();
    std::printf("{\"case\": \"start to a usable window\", \"ms\": %.0f, \"budget_ms\": 2000}\n", 1e3 * process_age());
    studio.window.close();
  }
  whole_session(app);
  first_projection(argc > 1 ? argv[1] : ".");
  return 0;
}
