// Verification table of transposes: every law holds.
#include "tests/support/check_table.h"

namespace tl::transposes_test {

class VerifyTransposes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void transposes() { test::assert_table(verify_operators(VerifySize::small), 140); }
};

TL_TEST_CASE(VerifyTransposes)

}  // namespace tl::transposes_test

#include "transposes.moc"
