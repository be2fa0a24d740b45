// Verification table of iterative solvers: every law holds.
#include "tests/support/check_table.h"

namespace tl::solvers_test {

class VerifySolvers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void solvers() { test::assert_table(verify_solvers(VerifySize::small), 22); }
};

TL_TEST_CASE(VerifySolvers)

}  // namespace tl::solvers_test

#include "solvers.moc"
