// Verification table of iterative solvers: every law holds.
#include "tests/support/check_table.h"

using namespace tl;

class VerifySolvers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void solvers() { test::assert_table(verify_solvers(VerifySize::small), 22); }
};

TL_TEST_MAIN(VerifySolvers)
#include "solvers.moc"
