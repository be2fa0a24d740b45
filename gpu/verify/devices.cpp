// Verifies a device: functors on the host or a GPU must agree with the CPU as the reference.
#include <ATen/ATen.h>

#include <cmath>
#include <optional>

#include "gpu/device/device.h"
#include "gpu/device/launch.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/verify/cases.h"
#include "gpu/verify/device_cases.h"
#include "gpu/verify/verify.h"

namespace tl {
namespace {

// Relative to the range: the two sides add in different orders, and tiles compute positions in float.
constexpr double parity_float = 1e-5, parity_double = 1e-10;
// Half storage: errors are up to 2^-11 of every value, of either sign, so that the error of a sum over views is
// smaller.
constexpr double half_bound = 4.9e-4;

// Runs functions on a device and returns their results to the CPU.
class DeviceRunner {
 public:
  explicit DeviceRunner(const std::string& device) {
    if (device != "functors") device_ = at::Device(choose_device(device).or_throw());
  }
  // Runs work(x) on the device; the result is on the CPU.
  template <class Work>
  at::Tensor run(const Work& work, const at::Tensor& x) const {
    if (device_) return work(x.to(*device_)).cpu();
    const HostFunctors here;
    return work(x);
  }
  // Runs with two input tensors, for vector gradients.
  at::Tensor run(const LinearOperator& op, const at::Tensor& x, const at::Tensor& y) const {
    if (device_) return op.vectors_gradient(x.to(*device_), y.to(*device_));
    const HostFunctors here;
    return op.vectors_gradient(x, y);
  }

 private:
  std::optional<at::Device> device_;
};

double gap(const at::Tensor& found, const at::Tensor& wanted) {
  const at::Tensor a = found.to(at::kDouble), b = wanted.to(at::kDouble);
  const double range = (b.max() - b.min()).item<double>(), worst = (a - b).abs().max().item<double>();
  return range > 0 ? worst / range : worst;
}

class Walk {
 public:
  Walk(const std::string& device, const CancelToken& cancel) : runner_(device), device_(device), cancel_(cancel) {}

  void op(const std::string& name, const std::string& scan, const LinearOperator& op) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      cancel_.check();
      const at::Tensor x = verify::gaussian(op.domain(), 1, 1).to(type),
                       y = verify::gaussian(op.range(), 1, 2).to(type);
      const at::Tensor ax = runner_.run([&](const at::Tensor& t) { return op.apply(t); }, x);
      const at::Tensor aty = runner_.run([&](const at::Tensor& t) { return op.adjoint(t); }, y);
      const double bound = type == at::kFloat ? parity_float : parity_double;
      add("parity", name, scan, type, gap(ax, op.apply(x)), bound);
      add("parity", name + ", transpose", scan, type, gap(aty, op.adjoint(y)), bound);
      const double size = std::sqrt(verify::exact_dot(ax, ax) * verify::exact_dot(y, y));
      add("C9 dot", name, scan, type, std::abs(verify::exact_dot(ax, y) - verify::exact_dot(x, aty)) / size,
          type == at::kFloat ? 1e-6 : 1e-12);
    }
    if (!op.vectors_gradient(verify::gaussian(op.domain(), 1, 1), verify::gaussian(op.range(), 1, 2)).defined()) return;
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      const at::Tensor x = verify::gaussian(op.domain(), 1, 3).to(type),
                       y = verify::gaussian(op.range(), 1, 4).to(type);
      add("parity", name + ", gradient to the geometry", scan, type,
          gap(runner_.run(op, x, y), op.vectors_gradient(x, y)), parity_double);
    }
  }

  void door(const verify::DeviceCase& door) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
      cancel_.check();
      const at::Tensor x = (0.1 + 0.9 * (verify::gaussian(door.shape, 5, 6).sin().square())).to(type);
      add("parity", door.name, "", type, gap(runner_.run(door.run, x), door.run(x)),
          type == at::kFloat ? door.bound : 1e-5 * door.bound);
    }
  }

  void half_storage(const verify::ScanCase& scan) {
    BackProjectorSpec spec{scan.geometry, scan.grid};
    spec.storage = ViewStorage::half;
    const OperatorPtr op = make_back_projector(std::move(spec)).or_throw();
    const at::Tensor x = verify::gaussian(op->domain(), 1, 1).to(at::kFloat);
    add("half", "back-projector, half storage", scan.name, at::kFloat,
        gap(runner_.run([&](const at::Tensor& t) { return op->apply(t); }, x), op->apply(x)), half_bound);
  }

  [[nodiscard]] CheckTable table() const { return table_; }

 private:
  void add(const std::string& id, const std::string& name, const std::string& scan, at::ScalarType type, double found,
           double bound) {
    table_.push_back({id + " on " + device_, name, scan, verify::type_name(type), found, bound, found <= bound});
  }

  DeviceRunner runner_;
  std::string device_;
  CancelToken cancel_;
  CheckTable table_;
};

}  // namespace

CheckTable verify_device(const std::string& device, const CancelToken& cancel) {
  Walk walk(device, cancel);
  for (const verify::ScanCase& scan : verify::scan_cases()) {
    for (const auto& [name, make, on_devices] : verify::operator_cases()) {
      const OperatorPtr op = on_devices ? make(scan) : nullptr;
      if (op == nullptr) continue;
      walk.op(name, scan.name, *op);
    }
    walk.half_storage(scan);
  }
  for (const auto& [name, op] : verify::device_operator_cases()) walk.op(name, "", *op);
  for (const verify::DeviceCase& door : verify::device_cases()) walk.door(door);
  return walk.table();
}

}  // namespace tl
