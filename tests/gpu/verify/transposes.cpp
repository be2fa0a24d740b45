// Verification table of transposes: every law holds.
#include "tests/support/check_table.h"

using namespace tl;

class VerifyTransposes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void transposes() { test::assert_table(verify_operators(VerifySize::small), 140); }
};

TL_TEST_MAIN(VerifyTransposes)
#include "transposes.moc"
