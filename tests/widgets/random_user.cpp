// Random user: thousands of random actions cause no crash and no growth of memory, and leave all models and forms
// consistent. TL_RANDOM_ACTIONS and TL_RANDOM_SEED set number and seed; with TL_STALL_BUDGET_MS the test fails if the
// window stalls for longer.
#include <malloc.h>

#include <QFile>
#include <iostream>

#include "tests/support/disc_scan.h"
#include "tests/support/gui/random_user.h"
#include "tests/support/gui/watched_application.h"
#include "tests/support/test_case.h"

#ifdef __SANITIZE_ADDRESS__
// Of sanitizer/allocator_interface.h, which GCC does not install. [bytes]
extern "C" size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace tl::ui::random_user_test {
namespace {

using test::RandomUser;
using test::Studio;
using test::WatchedApplication;

constexpr int run_patience_ms = 2000;

// What the program holds. The address sanitizer keeps what was freed in quarantine, so that resident memory grows by up
// to 256 MB without a leak: there it is what is allocated and not yet freed.
int64_t bytes_in_use() {
#ifdef __SANITIZE_ADDRESS__
  return static_cast<int64_t>(__sanitizer_get_current_allocated_bytes());
#else
  malloc_trim(0);
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').at(1).toLongLong() * 4096;
#endif
}

int number_of_variable(const char* variable, int default_value) {
  bool good = false;
  const int value = qEnvironmentVariableIntValue(variable, &good);
  return good ? value : default_value;
}

// Two scans, a file that ends too early, and one that is not a scan.
QStringList make_files(const QTemporaryDir& folder) {
  const QString scan = folder.filePath("scan.nx"), full = folder.filePath("turn.nx");
  test::DiscScan small{24, 6, 32};
  test::write_disc_scan(scan.toStdString(), small);
  small.last_angle = 345;
  test::write_disc_scan(full.toStdString(), small);
  const QString cut = folder.filePath("cut.nx"), words = folder.filePath("words.h5");
  QFile::copy(scan, cut);
  QFile(cut).resize(QFileInfo(scan).size() / 2);
  QFile text(words);
  if (text.open(QIODevice::WriteOnly)) text.write("no scan at all");
  return {scan, full, cut, words, folder.filePath("missing.nx")};
}

}  // namespace

class RandomUserTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    Theme::instance().set(QStringLiteral("dark"));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void ends_well();
};

void RandomUserTest::ends_well() {
  const int actions = number_of_variable("TL_RANDOM_ACTIONS", 200),
            budget = number_of_variable("TL_STALL_BUDGET_MS", 0);
  const auto seed = static_cast<quint32>(number_of_variable("TL_RANDOM_SEED", 1));
  std::cout << "seed " << seed << ", " << actions << " actions" << std::endl;
  auto& app = *static_cast<WatchedApplication*>(qApp);
  const QTemporaryDir history;
  qputenv("TL_HISTORY", QFile::encodeName(history.filePath("history.sqlite")));
  const auto off = qScopeGuard([] { qputenv("TL_HISTORY", "off"); });
  Studio studio;
  QVERIFY(studio.open_example());
  RandomUser user(studio, seed, make_files(studio.folder));
  app.forget();
  const bool print_actions = qEnvironmentVariableIsSet("TL_RANDOM_TELL");
  std::vector<int64_t> memory;
  for (int i = 0; i < actions; ++i) {
    const QString name = user.act();
    if (print_actions) std::cout << i << " " << name.toStdString() << std::endl;
    test::handle_queued_events();
    if (i % std::max(actions / 8, 1) != 0) continue;
    // Memory is compared when nothing runs, unless a run takes long.
    (void)QTest::qWaitFor([&] { return !studio.session.run_progress().running; }, run_patience_ms);
    memory.push_back(bytes_in_use());
    // Whatever was done: taking a step back and making it again changes nothing.
    const Graph now = studio.document.graph();
    if (!studio.document.undo_stack().canUndo()) continue;
    studio.document.undo_stack().undo();
    studio.document.undo_stack().redo();
    QVERIFY(studio.document.graph() == now);
  }
  for (const WatchedApplication::Stall& stall : app.stalls())
    std::cout << "stall " << stall.processor_ms << " ms of its own, " << stall.wall_ms
              << " ms by the clock: " << stall.what.toStdString() << std::endl;
  if (budget > 0) QVERIFY(app.stalls().empty() || app.stalls().front().processor_ms <= budget);

  std::cout << "memory [MB]:";
  for (const int64_t bytes : memory) std::cout << " " << bytes / 1000000;
  std::cout << std::endl;
  // The cache may fill; nothing else may grow. The first three quarters warm libraries and pools up: the largest
  // image so far stays as memory for the next ones.
  constexpr int64_t growth = int64_t{96} << 20;
  const int64_t cache = studio.session.cache_use().budget;
  if (memory.size() > 4)
    QVERIFY(memory.back() - memory[memory.size() * 3 / 4] <= growth + std::min(cache, studio.session.cache_use().used));
  studio.session.stop();
  studio.window.queue().cancel();
  QVERIFY(QTest::qWaitFor([&] { return !studio.window.queue().is_busy(); }, test::patience_ms));
  QVERIFY(studio.document.save(studio.folder.filePath("end.json")).ok());
  QVERIFY(studio.window.close());
}

TL_TEST_CASE(RandomUserTest)

}  // namespace tl::ui::random_user_test

#include "random_user.moc"
