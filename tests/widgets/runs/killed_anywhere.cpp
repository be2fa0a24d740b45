// Kill -9 at many moments of a window that edits, runs its queue and exports at the same time: at most two seconds of
// edits are lost, no scan runs twice, no file is half written. The window that is killed is a process of its own: this
// program, which works as long as a variable of the environment says where. TL_KILLS: how often (6); TL_KILL_SEED: the
// moments (1).
#include <QDirIterator>
#include <QProcess>
#include <QRandomGenerator>
#include <fstream>

#include "core/exports/plan.h"
#include "core/graph/graph_json.h"
#include "core/io/open_volume.h"
#include "core/run/many/scan_table.h"
#include "tests/support/disc_scan.h"
#include "tests/support/file_tree.h"
#include "tests/support/gui/studio.h"
#include "tests/support/test_case.h"
#include "widgets/queue/queue_session.h"
#include "widgets/theme/theme.h"
#include "widgets/window/run_flows.h"

namespace tl::ui::killed_anywhere_test {
namespace {

namespace fs = std::filesystem;
using test::patience_ms;
using test::Studio;

constexpr const char* killed_variable = "TL_STUDIO_KILLED_ANYWHERE";
constexpr int scans = 6, first_moment_ms = 300, last_moment_ms = 5000;

struct Edit {
  qint64 at_ms = 0;
  double value = 0;
};

// In the process that will be killed: a parameter is changed again and again, and said with its time; the queue of the
// folder runs; the volume is exported under one name after the other.
[[noreturn]] void work_until_killed(const QString& folder) {
  Studio studio;
  const QDir here(folder);
  if (!studio.open()) std::_Exit(1);
  Graph graph = test::disc_pipeline();
  graph.nodes["load"].params["file"] = here.filePath("in/s0.nx").toStdString();
  studio.document.reset(graph);
  studio.window.show_main_page();
  QueueSession& queue = studio.window.queue();
  if (!queue.open(here.filePath("out"))) std::_Exit(2);
  if (queue.rows().empty())
    for (int i = 0; i < scans; ++i) queue.add({here.filePath(QString("in/s%1.nx").arg(i))});
  queue.start();
  std::ofstream edits(here.filePath("edits").toStdString());
  QElapsedTimer clock;
  clock.start();
  auto* runs = studio.window.findChild<RunFlows*>();
  int exported = 0;
  for (int n = 1;; ++n) {
    const double value = 0.3 + 0.0001 * n;
    studio.document.edit("Cutoff", [&](Graph& g) {
      g.nodes.at("fbp").params["cutoff"] = Number{value, Unit::nyquist};
    });
    edits << clock.elapsed() << ' ' << value << std::endl;
    if (!studio.session.has_run()) {
      exports::Settings settings;
      settings.format = "output.save_volume nrrd";
      settings.type = "float32";
      settings.file = here.filePath(QString("export%1.nrrd").arg(++exported)).toStdString();
      const auto plan = exports::plan(studio.document.graph(), studio.document.registry(), {"fbp", "volume"}, settings);
      if (plan.ok()) runs->run_export(plan.value());
    }
    QTest::qWait(40);
  }
}

std::vector<Edit> edits_in(const QDir& folder) {
  std::vector<Edit> all;
  std::ifstream in(folder.filePath("edits").toStdString());
  for (Edit one; in >> one.at_ms >> one.value;) all.push_back(one);
  return all;
}

// The value in the copy that the next start would offer; nothing: there is no copy.
std::optional<double> recovered(const QString& home) {
  std::optional<double> newest;
  // Qt names the data folder below it otherwise while programs are tested.
  for (QDirIterator copies(home, {"*.json"}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
       copies.hasNext();) {
    const auto graph = load_pipeline(copies.next().toStdString(), Registry::all(), Completeness::kept);
    if (!graph.ok() || !graph.value().nodes.contains("fbp")) continue;
    const auto& params = graph.value().nodes.at("fbp").params;
    if (const auto set = params.find("cutoff"); set != params.end())
      newest = std::max(newest.value_or(0), std::get<Number>(set->second).value);
  }
  return newest;
}

}  // namespace

class KilledAnywhereTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    if (qEnvironmentVariableIsSet(killed_variable)) work_until_killed(qEnvironmentVariable(killed_variable));
  }

  void little_is_lost_nothing_runs_twice_and_no_file_is_half() {
    const QTemporaryDir home;
    const QDir folder(home.path());
    folder.mkdir("in");
    for (int i = 0; i < scans; ++i)
      test::write_disc_scan(folder.filePath(QString("in/s%1.nx").arg(i)).toStdString(), {120, 24, 96});
    const int kills = qEnvironmentVariableIsSet("TL_KILLS") ? qEnvironmentVariableIntValue("TL_KILLS") : 6;
    const int seed = qEnvironmentVariableIsSet("TL_KILL_SEED") ? qEnvironmentVariableIntValue("TL_KILL_SEED") : 1;
    QRandomGenerator draw(static_cast<quint32>(seed));
    std::map<std::string, fs::file_time_type> done;
    int recoveries = 0, files = 0;
    for (int round = 0; round < kills; ++round) {
      const QString own_home = folder.filePath(QString("home%1").arg(round));
      folder.mkpath(own_home);
      QFile::remove(folder.filePath("edits"));
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert(QString::fromLatin1(killed_variable), home.path());
      environment.insert("HOME", own_home);
      environment.insert("TMPDIR", own_home);
      environment.remove("XDG_DATA_HOME");
      QProcess studio;
      studio.setProcessEnvironment(environment);
      studio.start(QCoreApplication::applicationFilePath(), {QStringLiteral("killed_anywhere")});
      QVERIFY(QTest::qWaitFor([&] { return !edits_in(folder).empty() || studio.state() == QProcess::NotRunning; },
                              patience_ms));
      QTest::qWait(draw.bounded(first_moment_ms, last_moment_ms));
      QVERIFY2(studio.state() == QProcess::Running, qPrintable(QString::number(studio.exitCode())));
      studio.kill();
      QVERIFY(studio.waitForFinished(patience_ms));
      check_edits(folder, own_home, recoveries);
      check_queue(folder, done);
      check_files(folder, files);
      if (QTest::currentTestFailed()) return;
    }
    qInfo("%d kills: %d copies, %d of %d scans done, %d whole exports", kills, recoveries,
          static_cast<int>(done.size()), scans, files);
    QVERIFY(recoveries > 0);
  }

 private:
  // A busy machine saves as late as it edits: the longest pause between two edits counts on top.
  static void check_edits(const QDir& folder, const QString& home, int& recoveries) {
    // Next to other tests the disk is late as well; asked for more kills (TL_KILLS), the machine is its own.
    const qint64 allowed_ms = qEnvironmentVariableIsSet("TL_KILLS") ? 2000 : 6000;
    const std::vector<Edit> edits = edits_in(folder);
    QVERIFY(!edits.empty());
    qint64 pause = 0;
    for (std::size_t i = 1; i < edits.size(); ++i) pause = std::max(pause, edits[i].at_ms - edits[i - 1].at_ms);
    const std::optional<double> kept = recovered(home);
    if (kept) ++recoveries;
    qint64 lost_from = edits.front().at_ms;
    for (const Edit& e : edits)
      if (kept && e.value <= *kept + 1e-9) lost_from = e.at_ms;
    const qint64 lost = edits.back().at_ms - lost_from;
    QVERIFY2(lost <= allowed_ms + pause, qPrintable(QString("%1 ms lost, longest pause %2 ms").arg(lost).arg(pause)));
  }

  static void check_queue(const QDir& folder, std::map<std::string, fs::file_time_type>& done) {
    const fs::path out = folder.filePath("out").toStdString();
    const auto rows = read_scan_table(out / scan_table_name()).or_throw();
    QVERIFY(rows.size() <= std::size_t{scans});
    for (const tl::ScanRow& row : rows) {
      if (row.state != ScanState::done) continue;
      const fs::path volume = out / row.name / "volume.tif";
      QVERIFY2(io::open_volume(volume).ok(), row.name.c_str());
      const auto [at, is_new] = done.try_emplace(row.name, fs::last_write_time(volume));
      QVERIFY2(is_new || at->second == fs::last_write_time(volume), "it was computed twice");
    }
  }

  // What has its name is whole.
  static void check_files(const QDir& folder, int& files) {
    for (const QString& name : folder.entryList({"export*.nrrd"}, QDir::Files)) {
      const auto volume = io::open_volume(folder.filePath(name).toStdString());
      QVERIFY2(volume.ok(), qPrintable(name));
      const VolumeGrid& g = volume.value()->info().grid;
      QCOMPARE(g.nz, int64_t{24});
      QVERIFY2(volume.value()->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}).ok(), qPrintable(name));
      QFile::remove(folder.filePath(name));
      ++files;
    }
  }
};

TL_TEST_CASE(KilledAnywhereTest)

}  // namespace tl::ui::killed_anywhere_test

#include "killed_anywhere.moc"
