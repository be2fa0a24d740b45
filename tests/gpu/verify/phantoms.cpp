// Verification tables of analytic objects: invariances, accuracy, gridrec, Shepp-Logan.
#include "tests/support/check_table.h"

namespace tl::phantoms_test {

class VerifyPhantoms : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void invariance() { test::assert_table(verify_invariance(), 60); }
  void analytic() { test::assert_table(verify_analytic(VerifySize::small), 8); }
  void fourier() { test::assert_table(verify_fourier(), 4); }
  void gridrec() { test::assert_table(verify_gridrec(), 5); }
  void shepp_logan() { test::assert_table(verify_shepp_logan(), 15); }
};

TL_TEST_CASE(VerifyPhantoms)

}  // namespace tl::phantoms_test

#include "phantoms.moc"
