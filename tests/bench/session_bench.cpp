// Times the response of the whole studio: from the start to a usable window and to a sharp slice of the example,
// the first projection of a scan of 100 GB, and the longest time in which the window did not respond during a session
// with everything in it: workspaces, knobs, slices, an oblique plane, undo and redo, a run. Run under Xvfb; prints a
// table. Arguments: a folder for the large (sparse) file, default the current one; "large" after it leaves the session
// out.
#include <unistd.h>

#include <QApplication>
#include <QStandardPaths>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "gpu/device/device.h"
#include "tests/support/gui/random_user.h"
#include "tests/support/gui/watched_application.h"
#include "tests/support/io/hdf5_maker.h"
#include "widgets/views/views_area.h"

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

struct Row {
  std::string what;
  double value, budget;  // budget 0: none
  std::string unit, remark;
};
std::vector<Row> table;

void report(Row row) {
  std::fprintf(stderr, "%s: %.1f %s %s\n", row.what.c_str(), row.value, row.unit.c_str(), row.remark.c_str());
  table.push_back(std::move(row));
}

void print_table() {
  std::printf("| what | measured | asked | |\n| --- | --- | --- | --- |\n");
  for (const Row& r : table) {
    const bool missed = r.budget > 0 && r.value > r.budget;
    const std::string asked = r.budget > 0 ? std::to_string(static_cast<int64_t>(r.budget)) + " " + r.unit : "";
    std::printf("| %s | %s%.1f %s%s | %s | %s |\n", r.what.c_str(), missed ? "**" : "", r.value, r.unit.c_str(),
                missed ? "**" : "", asked.c_str(), r.remark.c_str());
  }
}

// 5 600 views of 3 000 x 3 000 16-bit pixels that take no room on the disk: nothing is ever written into them.
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
// The pace of a person: what is measured is how long the window stalls meanwhile, whatever has come or not.
void pause_between_actions(int ms) { QTest::qWait(ms); }
void must(bool done, const char* what) {
  if (!done) qFatal("%s", what);
}

void report_stalls(const std::string& during, WatchedApplication& app) {
  const auto& stalls = app.stalls();
  const WatchedApplication::Stall none;
  const auto& worst = stalls.empty() ? none : stalls.front();
  double wall = 0;
  for (const auto& stall : stalls) wall = std::max(wall, stall.wall_ms);
  constexpr double most = 50;
  char remark[160];
  std::snprintf(remark, sizeof remark, "%s; by the clock %.1f ms", worst.what.toUtf8().constData(), wall);
  report({"longest stall: " + during, worst.processor_ms, most, "ms", remark});
  for (std::size_t i = 1; i < std::min<std::size_t>(stalls.size(), 4); ++i)
    std::fprintf(stderr, "  then %.1f ms (%.1f by the clock) in %s\n", stalls[i].processor_ms, stalls[i].wall_ms,
                 stalls[i].what.toUtf8().constData());
  app.forget();
}

void large_scan(WatchedApplication& app, const std::filesystem::path& folder) {
  constexpr hsize_t views = 5600, rows = 3000, cols = 3000;
  const std::string path = write_large_scan(folder, views, rows, cols);
  const double size = static_cast<double>(std::filesystem::file_size(path));
  {
    Studio studio;
    must(studio.open(), "no window");
    auto* area = studio.window.findChild<ui::ViewsArea*>();
    app.forget();
    const int64_t before = bytes_read();
    QElapsedTimer timer;
    timer.start();
    studio.window.files().open(QString::fromStdString(path));
    must(wait_for([&] { return !studio.document.graph().nodes.empty(); }), "the scan was not opened");
    // Views of the node that reads them: those behind an axis finder wait for it, and it reads much of the scan.
    for (const auto& [id, node] : studio.document.graph().nodes)
      if (studio.document.registry().find(node.type)->inputs.empty())
        studio.selection.set_one(QString::fromStdString(id));
    area->cell(0).set_kind(ui::PaneKind::projections);
    must(wait_for([&] { return area->cell(0).image_pane()->picture() && area->cell(0).image_pane()->is_current(); }),
         "no projection came");
    area->cell(0).pane()->repaint();
    const double shown = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    const double read = static_cast<double>(bytes_read() - before) * 1e-6;
    char remark[120];
    std::snprintf(remark, sizeof remark, "read %.1f MB, one view has %.1f MB", read, 2e-6 * rows * cols);
    report({"first projection of " + std::to_string(std::llround(size * 1e-9)) + " GB", shown, 1000, "ms", remark});
    report_stalls("opening the large scan", app);
    studio.session.stop();
    studio.document.undo_stack().setClean();
    studio.window.close();
  }
  std::filesystem::remove(path);
}

// The example through every workspace, with knobs, slices, planes, undo and a run.
void whole_session(WatchedApplication& app) {
  Studio studio;
  must(studio.open(), "no window");
  app.forget();
  studio.press("Try the example");
  auto* views = studio.window.findChild<ui::ViewsArea*>();
  must(wait_for([&] { return views->cell(0).image_pane()->is_current(); }), "no slice came");
  report_stalls("opening the example", app);
  for (const int key : {Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_1, Qt::Key_2}) {
    QTest::keyClick(&studio.window, static_cast<Qt::Key>(key), Qt::ControlModifier);
    pause_between_actions(700);
  }
  report_stalls("switching workspaces", app);
  studio.selection.set_one("fbp");
  for (int i = 0; i < 30; ++i) {
    studio.document.edit("Turn", [&](Graph& g) {
      g.nodes["fbp"].params["cutoff"] = Number{1 - 0.02 * i, Unit::nyquist};
    });
    pause_between_actions(30);
  }
  report_stalls("30 turns of a knob", app);
  QWidget* slices = views->cell(0).pane();
  slices->setFocus();
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(slices, i < 20 ? Qt::Key_Up : Qt::Key_Down);
    pause_between_actions(15);
  }
  report_stalls("40 steps through slices", app);
  QTest::keyClick(views->cell(2).pane(), Qt::Key_O);
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(views->cell(2).pane(), Qt::Key_Right, Qt::AltModifier);
    pause_between_actions(15);
  }
  report_stalls("40 turns of the oblique plane", app);
  auto& undo = studio.document.undo_stack();
  int steps = 0;
  for (; undo.canUndo(); ++steps) {
    undo.undo();
    pause_between_actions(20);
  }
  for (int i = 0; i < steps; ++i) {
    undo.redo();
    pause_between_actions(20);
  }
  report_stalls("undo of " + std::to_string(steps) + " steps, and redo", app);
  QTest::keyClick(&studio.window, Qt::Key_F5);
  must(wait_for([&] { return studio.has_message("Done in"); }), "the run did not end");
  report_stalls("a run", app);
  undo.setClean();
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
    must(studio.open(), "no window");
    QApplication::processEvents();
    report({"start to a usable window", 1e3 * process_age(), 2000, "ms", ""});
    must(studio.press(QStringLiteral("Try the example")), "no example");
    auto* views = studio.window.findChild<tl::ui::ViewsArea*>();
    must(wait_for([views] {
           const tl::ui::ImagePane* pane = views->cell(0).image_pane();
           return pane != nullptr && pane->is_current() && pane->is_sharp();
         }),
         "no slice of the example");
    report({"start to the first sharp slice of the example", 1e3 * process_age(), 2000, "ms", ""});
    studio.window.close();
  }
  if (argc <= 2) whole_session(app);
  large_scan(app, argc > 1 ? argv[1] : ".");
  print_table();
  return 0;
}
