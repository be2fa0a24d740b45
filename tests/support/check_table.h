// Verification tables in tests: every row holds, and none is missing.
#pragma once

#include "gpu/verify/verify.h"
#include "tests/support/test_case.h"

namespace tl::test {

inline void assert_table(const CheckTable& table, std::size_t least) {
  QVERIFY2(table.size() >= least, "checks are missing");
  for (const CheckRow& row : table) QVERIFY2(row.passed, to_text({row}).c_str());
}

}  // namespace tl::test
