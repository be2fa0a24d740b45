// The tables of loops: every loop that fits a scan gives what the generic one gives, on every variant of the processor.
#include "gpu/verify/loops.h"

#include <ATen/ATen.h>

#include <limits>
#include <map>
#include <set>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "tests/support/test_case.h"

namespace tl::loops_test {

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
      const std::string rate_text =
          rate.scan + ", " + rate.direction + ", " + rate.loop + ": " + std::to_string(rate.difference);
      QVERIFY2(rate.difference <= rounding, rate_text.c_str());
      QVERIFY2(rate.updates > 0, rate_text.c_str());
      taken[{rate.scan, rate.direction}] += rate.taken ? 1 : 0;
      names.insert(rate.loop);
    }
    QCOMPARE(taken.size(), std::size_t{6 * 4});
    for (const auto& [which, count] : taken) QVERIFY2(count == 1, (which.first + ", " + which.second).c_str());
    for (const char* name : {"plane", "blocks", "columns", "parallel_untilted", "cone_untilted", "generic"})
      QVERIFY2(names.count(name) == 1, name);
  }

  void bad_numbers_data() {
    QTest::addColumn<float>("number");
    QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
    QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
  }
  // A NaN or an infinite number spoils every output that it has a weight in, and otherwise at most outputs right
  // next to them, where its weight is 0 or rounds to 0: for every loop, with every variant of the processor.
  void bad_numbers() {
    QFETCH(float, number);
    constexpr float large = 1e20F;  // against the other numbers, so that outputs show its weight
    constexpr double small = 1e-4;  // of the largest weight: smaller ones may round to nothing
    std::map<std::pair<std::string, std::string>, at::Tensor> weights;
    for (const ops::LoopOutput& o : outputs_of("plain", large))
      if (o.loop == "generic") weights[{o.scan, o.direction}] = (o.output / large).abs();
    int compared = 0;
    for (const char* variant : {"plain", "avx2", "avx512"})
      for (const ops::LoopOutput& o : outputs_of(variant, number)) {
        const std::string loop_text = o.scan + ", " + o.direction + ", " + o.loop + ", " + variant;
        const at::Tensor weight = weights.at({o.scan, o.direction}), bad = ~o.output.isfinite();
        QVERIFY2(!((weight > small * weight.max()) & ~bad).any().item<bool>(), loop_text.c_str());
        QVERIFY2(!((with_neighbours(weight) == 0) & bad).any().item<bool>(), loop_text.c_str());
        ++compared;
      }
    QVERIFY(compared > 7 * 4);  // scans and directions
  }

 private:
  static std::vector<ops::LoopOutput> outputs_of(const char* variant, float number) {
    const QByteArray before = qgetenv("TL_CPU_VARIANT");
    qputenv("TL_CPU_VARIANT", variant);
    std::vector<ops::LoopOutput> outputs;
    try {
      (void)ops::best_cpu_variant();
      at::manual_seed(5);
      outputs = ops::loop_outputs(number, {});
    } catch (const Failure& refused) {
      qInfo("%s", refused.what());
    }
    before.isNull() ? qunsetenv("TL_CPU_VARIANT") : qputenv("TL_CPU_VARIANT", before);
    return outputs;
  }
  // The largest of each number and its neighbours, each view by itself.
  static at::Tensor with_neighbours(const at::Tensor& x) {
    return at::max_pool3d(x.unsqueeze(0), {1, 3, 3}, {1, 1, 1}, {0, 1, 1}).squeeze(0);
  }
};

TL_TEST_CASE(LoopsTest)

}  // namespace tl::loops_test

#include "loops.moc"
