// Removal of found stripes works on one copy of each row in turn: no row sees another, and the input stays as it is.
#include <ATen/ATen.h>

#include <string>

#include "gpu/correction/stripes/removal.h"
#include "gpu/correction/stripes/summary.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::stripe_rows_test {

using namespace tl::ops;

class StripeRows : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void each_row_is_what_it_is_alone_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("gain");
    for (const auto& [name, method] : {std::pair{"sorting", StripeMethod::sorting},
                                       {"filtering", StripeMethod::filtering},
                                       {"fitting", StripeMethod::fitting},
                                       {"large", StripeMethod::large},
                                       {"dead", StripeMethod::dead},
                                       {"all", StripeMethod::all}})
      for (const bool gain : {false, true})
        QTest::newRow((std::string(name) + (gain ? ", gain" : ", offset")).c_str()) << static_cast<int>(method) << gain;
  }
  void each_row_is_what_it_is_alone() {
    QFETCH(int, method);
    QFETCH(bool, gain);
    StripeRemovalSpec spec = automatic_stripe_removal(cols, gain ? StripeModel::gain : StripeModel::offset);
    spec.method = static_cast<StripeMethod>(method);
    const at::Tensor lines = striped(), x = gain ? (-lines).exp() : lines, before = x.clone();
    const StripeRemovalResult all = remove_stripes(x, spec).or_throw();
    QVERIFY(x.equal(before));
    QVERIFY(all.columns > 0);
    int64_t columns = 0;
    for (int64_t row = 0; row < rows; ++row) {
      const StripeRemovalResult one = remove_stripes(x.narrow(1, row, 1).contiguous(), spec).or_throw();
      QVERIFY(one.projections.select(1, 0).equal(all.projections.select(1, row)));
      columns += one.columns;
    }
    QCOMPARE(columns, all.columns);
    // Where gradients are wanted, nothing is done in place.
    const at::Tensor leaf = x.clone().requires_grad_();
    QVERIFY(remove_stripes(leaf, spec).or_throw().projections.detach().equal(all.projections));
  }

 private:
  static constexpr int64_t views = 200, rows = 3, cols = 128;
  // Discs that move through the columns, noise, and in every row stripes of its own; none in the last one.
  static at::Tensor striped() {
    const at::Tensor angle = at::arange(views, at::kDouble).mul(3.14159265 / views).view({views, 1, 1});
    const at::Tensor column = at::arange(cols, at::kDouble).sub(0.5 * (cols - 1));
    at::Tensor x = at::zeros({views, rows, cols}, at::kDouble);
    for (const double at : {12.0, 25.0})
      x = x + 0.05 * (300 - (column - at * angle.cos() - 5).square()).clamp_min(0).sqrt();
    x = x + 0.002 * test::gaussian({views, rows, cols}, at::kDouble, 4);
    x.select(1, 0).select(1, 40).add_(0.1);
    x.select(1, 0).narrow(1, 80, 3).sub_(0.08);
    x.select(1, 1).select(1, 55).fill_(0.4);
    x.select(1, 1).narrow(0, 0, views / 2).select(1, 90).add_(0.2);
    return x.to(at::kFloat);
  }
};

TL_TEST_CASE(StripeRows)

}  // namespace tl::stripe_rows_test

#include "stripe_rows.moc"
