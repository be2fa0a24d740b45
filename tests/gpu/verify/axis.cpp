// Verification tables of axis finders: known axes are found, with correct verdicts.
#include "tests/support/check_table.h"

namespace tl::axis_test {

class VerifyAxis : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void block() { test::assert_table(verify_axis(AxisPart::block, VerifySize::small), 6); }
  void known_by_views() { test::assert_table(verify_axis(AxisPart::known_by_views, VerifySize::small), 8); }
  void known_by_overlap() { test::assert_table(verify_axis(AxisPart::known_by_overlap, VerifySize::small), 3); }
  void refusals() { test::assert_table(verify_axis(AxisPart::refusals, VerifySize::small), 12); }
  void ambiguity() { test::assert_table(verify_axis(AxisPart::ambiguity, VerifySize::small), 5); }
};

TL_TEST_CASE(VerifyAxis)

}  // namespace tl::axis_test

#include "axis.moc"
