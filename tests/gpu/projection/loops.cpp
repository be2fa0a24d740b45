// The tables of loops: every loop that fits a scan gives what the generic one gives, on every variant of the processor.
#include "gpu/verify/loops.h"

#include <ATen/ATen.h>

#include <map>
#include <set>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "tests/support/test_main.h"

using namespace tl;

class LoopsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void all_loops_agree_data() {
    QTest::addColumn<QByteArray>("variant");
    for (const char* name : {"plain", "avx2", "avx512"}) QTest::newRow(name) << QByteArray(name);
  }
  void all_loops_agree() {
    // Positions in float within blocks of voxels, sums in float: 1e-6 of the values, a few times more near kinks.
    constexpr double rounding = 1e-5;
    QFETCH(QByteArray, variant);
    qputenv("TL_CPU_VARIANT", variant);
    try {
      (void)ops::best_cpu_variant();
    } catch (const Failure& refused) {
      qunsetenv("TL_CPU_VARIANT");
      QSKIP(refused.what());
    }
    at::manual_seed(5);
    const std::vector<ops::LoopRate> rates = ops::measure_loops({});
    qunsetenv("TL_CPU_VARIANT");
    std::map<std::pair<std::string, std::string>, int> taken;
    std::set<std::string> names;
    for (const ops::LoopRate& rate : rates) {
      const std::string told =
          rate.scan + ", " + rate.direction + ", " + rate.loop + ": " + std::to_string(rate.difference);
      QVERIFY2(rate.difference <= rounding, told.c_str());
      QVERIFY2(rate.updates > 0, told.c_str());
      taken[{rate.scan, rate.direction}] += rate.taken ? 1 : 0;
      names.insert(rate.loop);
    }
    QCOMPARE(taken.size(), std::size_t{6 * 4});
    for (const auto& [which, count] : taken) QVERIFY2(count == 1, (which.first + ", " + which.second).c_str());
    for (const char* name : {"plane", "blocks", "columns", "parallel_untilted", "cone_untilted", "generic"})
      QVERIFY2(names.count(name) == 1, name);
  }
};

TL_TEST_MAIN(LoopsTest)
#include "loops.moc"
