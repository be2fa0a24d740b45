// The verification tables: every law and every analytic case holds.
#include "gpu/verify/verify.h"

#include "tests/support/test_main.h"

using namespace tl;

namespace {

void assert_table(const CheckTable& table, std::size_t least) {
  QVERIFY2(table.size() >= least, "checks are missing");
  for (const CheckRow& row : table) QVERIFY2(row.passed, to_text({row}).c_str());
}

}  // namespace

class VerifyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void transposes() { assert_table(verify_operators(VerifySize::small), 140); }
  void gradients() { assert_table(verify_gradients(VerifySize::small), 100); }
  void invariance() { assert_table(verify_invariance(), 60); }
  void analytic() { assert_table(verify_analytic(VerifySize::small), 8); }
  void gridrec() { assert_table(verify_gridrec(), 5); }
  void solvers() { assert_table(verify_solvers(VerifySize::small), 22); }
  void phase() { assert_table(verify_phase(), 16); }
  void stripes() { assert_table(verify_stripes(), 28); }
  void axis() { assert_table(verify_axis(VerifySize::small), 30); }
  void variants() { assert_table(verify_variants(), 20); }
  void shepp_logan() { assert_table(verify_shepp_logan(), 15); }
  void text_marks_failures() {
    const CheckRow good{"C9 dot", "a", "parallel", "float32", 1e-8, 1e-6, true};
    const CheckRow bad{"C9 dot", "bb", "cone", "float64", 1e-3, 1e-6, false};
    QVERIFY(all_passed({good}));
    QVERIFY(!all_passed({good, bad}));
    const std::string text = to_text({good, bad});
    QVERIFY(text.find("FAILED\n1 passed, 1 failed\n") != std::string::npos);
  }
};

TL_TEST_MAIN(VerifyTest)
#include "verify.moc"
