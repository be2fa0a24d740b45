// Verification table of the axis finder by entropy of slices: known axes are found in noise.
#include "tests/support/check_table.h"

namespace tl::axis_entropy_noise_test {

class VerifyAxisEntropyNoise : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void known_axes() { test::assert_table(verify_axis(AxisPart::known_by_entropy_noise, VerifySize::small), 1); }
};

TL_TEST_CASE(VerifyAxisEntropyNoise)

}  // namespace tl::axis_entropy_noise_test

#include "axis_entropy_noise.moc"
