// What this process and its children run, from made-up readings of /proc: it never counts as the load of others.
#include "gpu/device/own_processes.h"

#include <unistd.h>

#include <QTemporaryDir>
#include <fstream>
#include <string>

#include "gpu/device/free_cores.h"
#include "tests/support/test_case.h"

namespace tl::own_processes_test {

constexpr double ticks = 100;
constexpr int own = 4711, service = 4712, reader = 4715, foreign = 99;

std::string stat_line(int id, const std::string& name, char state, const std::string& times) {
  return std::to_string(id) + " (" + name + ") " + state + " 1 4711 4711 0 -1 4194560 100 0 0 0 " + times +
         " 20 0 1 0\n";
}

class FakeProc {
 public:
  FakeProc() : root_(dir_.path().toStdString()) {}
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  void put(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  // A process whose threads have these states: "RSS".
  void process(int id, const std::string& states, const std::string& children,
               const std::string& times = "0 0 0 0") const {
    const std::string folder = std::to_string(id);
    put(folder + "/stat", stat_line(id, "a (b) R 7", states.front(), times));
    for (std::size_t t = 0; t < states.size(); ++t) {
      const int thread = id + 1000 * static_cast<int>(t);
      const std::string task = folder + "/task/" + std::to_string(thread);
      put(task + "/stat", stat_line(thread, "a (b) R 7", states[t], times));
      put(task + "/children", t == 0 ? children : "");
    }
  }
  void running(int threads) const { put("loadavg", "7.20 7.18 7.12 " + std::to_string(threads) + "/80 11206\n"); }

 private:
  QTemporaryDir dir_;
  std::filesystem::path root_;
};

class OwnProcessesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void lines_of_processes() {
    const auto stat = process_stat(stat_line(own, "a (b) R 7", 'S', "150 50 20 5"), ticks);
    QVERIFY(stat.has_value());
    QVERIFY(!stat->running);
    QCOMPARE(stat->own, 2.0);
    QCOMPARE(stat->ended, 0.25);
    QVERIFY(process_stat(stat_line(own, "x", 'R', "0 0 0 0"), ticks)->running);
    QVERIFY(process_stat(stat_line(own, "x", 'R', "0 0 -1 -1"), ticks).has_value());
    for (const char* damaged :
         {"", "4711", "4711 (x)", "4711 (x) ", "4711 (x) R 1 2 3", "4711 (x) R 1 2 3 4 5 6 7 8 9 10 a b c d"})
      QVERIFY2(!process_stat(damaged, ticks).has_value(), damaged);
  }

  void children_of_children_count() {
    const FakeProc proc;
    proc.process(own, "RSR", "4712 ", "900 100 30 10");
    proc.process(service, "S", "4715 ", "10 10 100 0");
    proc.process(reader, "RR", "", "200 50 0 0");
    proc.process(foreign, "RRRR", "", "100000 0 0 0");
    const OwnProcesses all = own_processes(proc.root(), own, ticks);
    QCOMPARE(all.running, 4);
    // Own time is not among it; of the service and the reader: live, and ended ones that were waited for.
    QCOMPARE(all.children, 0.4 + 1.2 + 2.5);
  }

  void own_child_processes_do_not_count_as_load() {
    const FakeProc proc;
    proc.process(own, "RRS", "4712 ");
    proc.process(service, "R", "4715 ");
    proc.process(reader, "RR", "");
    proc.running(5);
    QCOMPARE(other_running_threads(proc.root(), own, ticks), 0);
    proc.running(9);
    QCOMPARE(other_running_threads(proc.root(), own, ticks), 4);
    proc.running(3);  // some began meanwhile
    QCOMPARE(other_running_threads(proc.root(), own, ticks), 0);
  }

  void numbers_that_circle_and_processes_that_ended() {
    const FakeProc proc;
    proc.process(own, "R", "4712 4713 ");
    proc.process(service, "R", "4711 ");  // 4713 ended
    proc.running(2);
    QCOMPARE(other_running_threads(proc.root(), own, ticks), 0);
    const FakeProc empty;
    QCOMPARE(other_running_threads(empty.root(), own, ticks), 0);
    QCOMPARE(own_processes(empty.root(), own, ticks).children, 0.0);
  }

  // A reader that works does not take a core from its program.
  void time_of_children_is_own_time() {
    CoreSample before, now;
    before.cores = now.cores = 2;
    now.time = 0.1;
    now.busy = 0.2;
    now.own = 0.1 + 0.1;  // of the process, and of its reader
    QCOMPARE(free_cores(before, now), 2.0);
    now.own = -1;  // a child that another process inherited takes its time with it
    QCOMPARE(free_cores(before, now), 0.0);
  }

  void this_process_is_its_own() {
    const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    QVERIFY(own_processes("/proc", getpid(), per_second).running >= 1);
    QVERIFY(other_running_threads("/proc", getpid(), per_second) >= 0);
  }
};

TL_TEST_CASE(OwnProcessesTest)

}  // namespace tl::own_processes_test

#include "own_processes.moc"
