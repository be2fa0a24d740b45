// Every variant of CPU code that this processor supports, one after the other: for (variant : cpu_variants()).
#pragma once

#include <QtGlobal>
#include <vector>

#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"

namespace tl::test {

// While an object exists, operators use that variant.
class UseCpuVariant {
 public:
  explicit UseCpuVariant(const char* variant) { qputenv("TL_CPU_VARIANT", variant); }
  ~UseCpuVariant() { qunsetenv("TL_CPU_VARIANT"); }
  UseCpuVariant(const UseCpuVariant&) = delete;
  UseCpuVariant& operator=(const UseCpuVariant&) = delete;
};

// Variants that the processor lacks are left out and reported.
inline std::vector<const char*> cpu_variants() {
  std::vector<const char*> there;
  for (const char* variant : {"plain", "avx2", "avx512"}) {
    const UseCpuVariant use(variant);
    try {
      ops::best_cpu_variant();
      there.push_back(variant);
    } catch (const Failure&) {
      qInfo("left out: this processor has no %s", variant);
    }
  }
  return there;
}

}  // namespace tl::test
