// Runs all checks of verification as one table, and writes it as text.
#include "gpu/verify/verify.h"

#include <algorithm>
#include <functional>

#include "core/base/text.h"
#include "gpu/device/device.h"

namespace tl {

CheckTable verify_all(VerifySize size, const CancelToken& cancel) {
  const std::function<CheckTable()> parts[] = {[&] { return verify_operators(size, cancel); },
                                               [&] { return verify_gradients(size, cancel); },
                                               [] { return verify_invariance(); },
                                               [&] { return verify_analytic(size); },
                                               [] { return verify_gridrec(); },
                                               [&] { return verify_fourier(cancel); },
                                               [&] { return verify_solvers(size, cancel); },
                                               [] { return verify_phase(); },
                                               [] { return verify_stripes(); },
                                               [&] { return verify_segmentation(size, cancel); },
                                               [&] { return verify_axis(size, cancel); },
                                               [] { return verify_variants(); },
                                               [] { return verify_shepp_logan(); }};
  CheckTable all;
  for (const auto& part : parts) {
    cancel.check();
    const CheckTable table = part();
    all.insert(all.end(), table.begin(), table.end());
  }
  for (const DeviceInfo& device : devices()) {
    if (device.id == "cpu") continue;
    const CheckTable table = verify_device(device.id, cancel);
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

bool all_passed(const CheckTable& table) {
  return std::all_of(table.begin(), table.end(), [](const CheckRow& row) { return row.passed; });
}

std::string to_text(const CheckTable& table) {
  std::size_t id = 0, op = 0, geometry = 0, dtype = 0, failed = 0;
  for (const CheckRow& row : table) {
    id = std::max(id, row.id.size());
    op = std::max(op, row.op.size());
    geometry = std::max(geometry, row.geometry.size());
    dtype = std::max(dtype, row.dtype.size());
    failed += row.passed ? 0 : 1;
  }
  const auto pad = [](const std::string& text, std::size_t width) {
    return text + std::string(width - text.size() + 2, ' ');
  };
  std::string text;
  for (const CheckRow& row : table) {
    text += pad(row.id, id) + pad(row.op, op) + pad(row.geometry, geometry) + pad(row.dtype, dtype) +
            formatted("%12.6g <= %8.3g", row.value, row.bound) + (row.passed ? "\n" : "  FAILED\n");
  }
  return text + std::to_string(table.size() - failed) + " passed, " + std::to_string(failed) + " failed\n";
}

}  // namespace tl
