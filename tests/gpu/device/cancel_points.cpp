// Every tensor operation of a thread can be cancelled, including those of backward passes.
#include "gpu/device/cancel_points.h"

#include <ATen/ATen.h>

#include <functional>
#include <optional>

#include "tests/support/test_case.h"

namespace tl::cancel_points_test {

namespace {

std::optional<ErrorKind> failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& failure) {
    return failure.error().kind;
  }
  return std::nullopt;
}

}  // namespace

class CancelPointsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_next_operation_stops() {
    const CancelToken token;
    const at::Tensor x = at::ones({4});
    int done = 0;
    const auto work = [&] {
      for (int i = 0; i < 10; ++i) {
        const at::Tensor y = x + 1;
        if (++done == 3) token.cancel();
      }
    };
    {
      const CancelPoints points(token);
      QVERIFY(failure_of(work) == ErrorKind::cancelled);
    }
    QCOMPARE(done, 3);
    // Outside of it nothing looks.
    QVERIFY(!failure_of(work));
    QCOMPARE(done, 13);
  }

  void the_backward_pass_stops() {
    const CancelToken token;
    const CancelPoints points(token);
    const at::Tensor x = at::ones({8}, at::kDouble).requires_grad_();
    at::Tensor y = x;
    for (int i = 0; i < 50; ++i) y = (y * 1.01).sin();
    const at::Tensor loss = y.sum();
    int checks = 0;
    y.register_hook([&](const at::Tensor&) {
      ++checks;
      token.cancel();
    });
    QVERIFY(failure_of([&] { loss.backward(); }) == ErrorKind::cancelled);
    QCOMPARE(checks, 1);
    QVERIFY(!x.grad().defined());
  }

  void values_and_gradients_are_the_same() {
    const auto run = [](const at::Tensor& x) {
      const at::Tensor spectrum = at::fft_rfft(x);
      at::Tensor out = at::fft_irfft(spectrum * 0.5, x.size(-1));
      out.narrow(0, 0, 2).mul_(3);
      return at::stack({out.sum(), std::get<0>(out.max(0)).mean(), out.std()}).sum();
    };
    const auto gradient = [&] {
      const at::Tensor x = at::linspace(-1, 1, 32, at::kDouble).view({4, 8}).clone().requires_grad_();
      const at::Tensor loss = run(x);
      loss.backward();
      return at::cat({loss.detach().view(1), x.grad().view(-1)});
    };
    const at::Tensor plain = gradient();
    const CancelToken token, inner;
    const CancelPoints points(token);
    {
      const CancelPoints within(inner);
      QVERIFY(gradient().equal(plain));
    }
    QVERIFY(gradient().equal(plain));
    token.cancel();
    QVERIFY(failure_of([&] { gradient(); }) == ErrorKind::cancelled);
  }
};

TL_TEST_CASE(CancelPointsTest)

}  // namespace tl::cancel_points_test

#include "cancel_points.moc"
