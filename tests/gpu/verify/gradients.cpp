// Verification table of gradients: every law holds.
#include "tests/support/check_table.h"

namespace tl::gradients_test {

class VerifyGradients : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void gradients() { test::assert_table(verify_gradients(VerifySize::small), 100); }
};

TL_TEST_CASE(VerifyGradients)

}  // namespace tl::gradients_test

#include "gradients.moc"
