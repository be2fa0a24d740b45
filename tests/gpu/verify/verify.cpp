// Verification tables of phase retrieval, stripes and the CPU variants; the table as text.
#include "tests/support/check_table.h"

namespace tl::verify_test {

class VerifyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void phase() { test::assert_table(verify_phase(), 16); }
  void segmentation() { test::assert_table(verify_segmentation(VerifySize::small), 13); }
  void stripes() { test::assert_table(verify_stripes(), 28); }
  void variants() { test::assert_table(verify_variants(), 20); }
  void text_marks_failures() {
    const CheckRow good{"C9 dot", "a", "parallel", "float32", 1e-8, 1e-6, true};
    const CheckRow bad{"C9 dot", "bb", "cone", "float64", 1e-3, 1e-6, false};
    QVERIFY(all_passed({good}));
    QVERIFY(!all_passed({good, bad}));
    const std::string text = to_text({good, bad});
    QVERIFY(text.find("FAILED\n1 passed, 1 failed\n") != std::string::npos);
  }
};

TL_TEST_CASE(VerifyTest)

}  // namespace tl::verify_test

#include "verify.moc"
