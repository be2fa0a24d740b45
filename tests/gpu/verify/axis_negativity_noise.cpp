// Verification table of the axis finder by negative values in slices: known axes are found in noise.
#include "tests/support/check_table.h"

namespace tl::axis_negativity_noise_test {

class VerifyAxisNegativityNoise : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void known_axes() { test::assert_table(verify_axis(AxisPart::known_by_negativity_noise, VerifySize::small), 1); }
};

TL_TEST_CASE(VerifyAxisNegativityNoise)

}  // namespace tl::axis_negativity_noise_test

#include "axis_negativity_noise.moc"
