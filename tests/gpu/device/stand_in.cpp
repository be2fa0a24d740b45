// Verification with tensors of a stand-in device: no operator mixes them with CPU tensors or falls back to the CPU.
#include "gpu/correction/stripes/ring_removal.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/device/device.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/device_cases.h"
#include "tests/support/stand_in_gpu.h"
#include "tests/support/test_case.h"

namespace tl::stand_in_test {

namespace {

constexpr double parity = 1e-5;  // of the range

double gap(const at::Tensor& found, const at::Tensor& wanted) {
  const at::Tensor a = found.to(at::kDouble), b = wanted.to(at::kDouble);
  const double range = (b.max() - b.min()).item<double>(), worst = (a - b).abs().max().item<double>();
  return range > 0 ? worst / range : worst;
}

void same(const std::string& name, const std::function<at::Tensor(const at::Tensor&)>& work, const at::Tensor& x,
          double bound) {
  try {
    const at::Tensor there = work(x.to(at::Device(test::stand_in_device)));
    const double worst = gap(there.cpu(), work(x));
    QVERIFY2(worst <= bound, (name + ": " + std::to_string(worst)).c_str());
  } catch (const Failure& failure) {
    QFAIL((name + ": " + failure.error().message()).c_str());
  } catch (const std::exception& problem) {
    QFAIL((name + ": " + problem.what()).c_str());
  }
}

}  // namespace

class StandInTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void front_doors() {
    const test::StandIn gpu;
    for (const verify::DeviceCase& door : verify::device_cases())
      same(door.name, door.run, (0.1 + 0.9 * verify::gaussian(door.shape, 5, 6).sin().square()).to(at::kFloat),
           std::max(door.bound, parity));
  }

  void operators() {
    const test::StandIn gpu;
    const auto check = [](const std::string& name, const OperatorPtr& op) {
      same(
          name, [&](const at::Tensor& x) { return op->apply(x); }, verify::gaussian(op->domain(), 1, 1).to(at::kFloat),
          parity);
      same(
          name + ", transpose", [&](const at::Tensor& y) { return op->adjoint(y); },
          verify::gaussian(op->range(), 1, 2).to(at::kFloat), parity);
    };
    for (const verify::ScanCase& scan : verify::scan_cases())
      for (const auto& [name, make, on_devices] : verify::operator_cases())
        if (const OperatorPtr op = on_devices ? make(scan) : nullptr) check(name + ", " + scan.name, op);
    for (const auto& [name, op] : verify::device_operator_cases()) check(name, op);
  }

  // More rows than are sorted at a time.
  void stripes_of_many_rows() {
    const test::StandIn gpu;
    const at::Tensor x = verify::gaussian({400, 24, 512}, 3, 7).to(at::kFloat);
    const auto sorted = [](const at::Tensor& views) { return ops::remove_stripes_by_sorting(views, {}).or_throw(); };
    same("stripes: sorting", sorted, x, 0);
  }

  // The stand-in itself: it refuses what a GPU refuses, and without it nobody takes its tensors.
  void it_behaves_as_a_gpu() {
    at::Tensor there;
    {
      const test::StandIn gpu;
      there = at::ones({2, 3, 4}).to(at::Device(test::stand_in_device));
      QCOMPARE(test::StandIn::uploaded(), int64_t{96});
      QVERIFY_THROWS_EXCEPTION(c10::Error, (void)(there + at::ones({2, 3, 4})));
      QVERIFY_THROWS_EXCEPTION(c10::Error, (void)there.index_select(0, at::zeros({1}, at::kLong)));
      QCOMPARE((there + 1).sum().item<float>(), 48.0f);
      QVERIFY(!ops::remove_rings(there, {}).ok());
      test::StandIn::limit_memory(1000);
      QVERIFY_THROWS_EXCEPTION(c10::OutOfMemoryError, (void)at::empty({1000}, there.options()));
    }
    QVERIFY(!check_device(there, "test").ok());
  }
};

TL_TEST_CASE(StandInTest)

}  // namespace tl::stand_in_test

#include "stand_in.moc"
