// Energy meters: counters of processors in a folder, wraps, power over time, and lengths of Fourier transforms.
#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/tune/energy/meters.h"
#include "core/tune/energy/observe.h"
#include "core/tune/fft/fft_lengths.h"
#include "tests/support/test_case.h"

namespace tl::tune_meters_test {

namespace fs = std::filesystem;
using namespace tune;

class Meters : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path root_;

  static void put(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  void put_zone(const std::string& zone, const std::string& name, const std::string& energy) {
    put(root_ / zone / "name", name);
    put(root_ / zone / "energy_uj", energy);
    put(root_ / zone / "max_energy_range_uj", "1000000");
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    root_ = dir_->path().toStdString();
    qputenv("TL_POWERCAP", QByteArray::fromStdString(root_.string()));
    qputenv("TL_NVML", "libthere_is_no_such_library.so");
  }
  void cleanup() {
    qunsetenv("TL_POWERCAP");
    qunsetenv("TL_NVML");
  }

  void packages_are_read_and_counters_wrap() {
    put_zone("intel-rapl:0", "package-0", "999000");
    put_zone("intel-rapl:0:0", "core", "1");
    put_zone("intel-rapl-mmio:0", "package-0", "1");
    put(root_ / "intel-rapl/enabled", "1");
    MetersFound found = powercap_meters();
    QVERIFY(found.meters.size() == 1 && found.unreadable.empty());
    EnergyMeter& meter = *found.meters.front();
    QCOMPARE(meter.name(), std::string("CPU: package-0"));
    QCOMPARE(meter.joules().or_throw(), 0.0);
    put(root_ / "intel-rapl:0/energy_uj", "999500");
    QCOMPARE(meter.joules().or_throw(), 500e-6);
    put(root_ / "intel-rapl:0/energy_uj", "250000");  // wrapped after 1000000
    QCOMPARE(meter.joules().or_throw(), 251000e-6);
  }

  void what_cannot_be_read_is_not_available() {
    const MetersFound none = powercap_meters();
    QVERIFY(none.meters.empty() && none.unreadable.size() == 1);
    put_zone("intel-rapl:0", "package-0", "many");
    const MetersFound broken = powercap_meters();
    QVERIFY(broken.meters.empty() && broken.unreadable.front().name == "CPU: package-0");
    const MetersFound gpus = nvml_meters();
    QVERIFY(gpus.meters.empty() && gpus.unreadable.front().why.kind == ErrorKind::unavailable);
    WrappingCounter counter(0);
    QVERIFY(counter.add(5).ok() && counter.add(7).ok());
    QCOMPARE(counter.add(1).error().kind, ErrorKind::unavailable);
  }

  void a_power_that_rises_has_its_integral() {
    PowerIntegral integral;
    for (int i = 0; i <= 100; ++i) integral.add(.02 * i, 50 + 30 * .02 * i);
    QVERIFY(std::abs(integral.joules() - (50 * 2 + 15 * 4)) < 1e-9);  // trapezoids are exact for a straight line
  }

  // A counter that does not move, or fails on the way, has no energy; one that moves has all of it.
  void an_observation_has_joules_or_a_reason() {
    put_zone("intel-rapl:0", "moves", "1000");
    put_zone("intel-rapl:1", "rests", "1000");
    put_zone("intel-rapl:2", "goes", "1000");
    std::thread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      put(root_ / "intel-rapl:0/new", "401000");
      fs::rename(root_ / "intel-rapl:0/new", root_ / "intel-rapl:0/energy_uj");
      fs::remove(root_ / "intel-rapl:2/energy_uj");
    });
    const auto all = observe_energy(energy_meters(), 1, {}).or_throw();
    writer.join();
    QCOMPARE(all.size(), std::size_t{4});  // the GPU is the last one
    QCOMPARE(*all[0].joules, .4);
    QVERIFY(*all[0].watts > 0 && *all[0].watts <= .4 / .99);
    for (const std::size_t i : {1, 2, 3}) QVERIFY(!all[i].joules && all[i].why);
    const CancelToken cancel;
    cancel.cancel();
    QCOMPARE(observe_energy(energy_meters(), 100, cancel).error().kind, ErrorKind::cancelled);
  }

  void transforms_have_lengths_of_small_primes() {
    const auto lengths = fft_lengths(1001, .1).or_throw();
    QCOMPARE(lengths.front().length, int64_t{1008});
    QVERIFY(lengths.back().length <= 1101);
    for (const FftLength& one : lengths) {
      int64_t product = 1;
      const int primes[] = {2, 3, 5, 7};
      for (int i = 0; i < 4; ++i) product *= std::llround(std::pow(primes[i], one.powers[static_cast<std::size_t>(i)]));
      QVERIFY(product == one.length && one.powers[0] >= 1 && one.launches == 1);
    }
    // Next even lengths of ground truth.
    const std::vector<std::pair<int64_t, int64_t>> next = {{1025, 1050}, {1283, 1296}, {2049, 2058}, {3839, 3840},
                                                           {4097, 4116}, {5761, 5832}, {7677, 7680}};
    for (const auto& [n, expected] : next) QCOMPARE(fft_lengths(n, 0).or_throw().front().length, expected);
    QCOMPARE(fft_lengths(1008, 0).or_throw().front().factors(), std::string("2^4 3^2 7"));
    QCOMPARE(predicted_launches({13, 0, 0, 0}), 2);
    QCOMPARE(predicted_launches({11, 2, 1, 0}), 3);
    QCOMPARE(predicted_launches({12, 0, 0, 0}), 1);
    QVERIFY(!fft_lengths(1, .1).ok() && !fft_lengths(100, 2).ok() && !fft_lengths(longest_fft + 1, 0).ok());
  }
};

TL_TEST_CASE(Meters)

}  // namespace tl::tune_meters_test

#include "meters.moc"
