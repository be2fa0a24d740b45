// Verification table of the axis finder by negative values in slices: known axes are found.
#include "tests/support/check_table.h"

namespace tl::axis_negativity_test {

class VerifyAxisNegativity : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void known_axes() { test::assert_table(verify_axis(AxisPart::known_by_negativity, VerifySize::small), 1); }
};

TL_TEST_CASE(VerifyAxisNegativity)

}  // namespace tl::axis_negativity_test

#include "axis_negativity.moc"
