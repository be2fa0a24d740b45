// Verification table of the axis finder by entropy of slices: known axes are found.
#include "tests/support/check_table.h"

namespace tl::axis_entropy_test {

class VerifyAxisEntropy : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void known_axes() { test::assert_table(verify_axis(AxisPart::known_by_entropy, VerifySize::small), 1); }
};

TL_TEST_CASE(VerifyAxisEntropy)

}  // namespace tl::axis_entropy_test

#include "axis_entropy.moc"
