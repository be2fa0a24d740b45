// Result, TL_TRY, TL_CHECK and CancelToken: what fails is reported once, whole, and where it belongs.
#include "core/base/error.h"

#include <memory>

#include "core/base/cancel.h"
#include "tests/support/test_case.h"

namespace tl::error_test {

namespace {

Result<int> positive(int x) {
  if (x <= 0) return invalid("not positive", "x", "Give more");
  return x;
}
Result<std::unique_ptr<int>> boxed(int x) {
  TL_TRY(const int checked, positive(x));
  return std::make_unique<int>(checked);
}
Result<std::pair<int, int>> both(int x, int y) {
  TL_TRY(positive(x));  // the value is not wanted
  TL_TRY(auto box, boxed(y));
  return std::pair<int, int>(x, *box);
}
Result<void> all_positive(std::initializer_list<int> list, int& checked) {
  for (const int x : list) {
    TL_TRY(positive(x));
    ++checked;
  }
  return ok();
}

}  // namespace

class ErrorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void message_joins_its_parts() {
    QCOMPARE(invalid("wrong").message(), std::string("wrong"));
    QCOMPARE(io_error("wrong", "a.tif").message(), std::string("wrong (a.tif)"));
    QCOMPARE(unavailable("wrong", "a.tif", "Do it").message(), std::string("wrong (a.tif). Do it"));
  }
  void kinds_have_names() {
    QCOMPARE(to_string(ErrorKind::invalid), std::string_view("invalid"));
    QCOMPARE(to_string(unavailable("").kind), std::string_view("unavailable"));
    QCOMPARE(to_string(io_error("").kind), std::string_view("io"));
    QCOMPARE(to_string(ErrorKind::device), std::string_view("device"));
    QCOMPARE(to_string(cancelled().kind), std::string_view("cancelled"));
    QCOMPARE(to_string(ErrorKind::internal), std::string_view("internal"));
  }
  void a_value_passes_through() {
    QCOMPARE(both(1, 2).value(), (std::pair<int, int>(1, 2)));
    QCOMPARE(*boxed(5).value(), 5);
    QCOMPARE(positive(3).or_throw(), 3);
  }
  void an_error_passes_through_whole() {
    for (const auto& r : {both(0, 1), both(1, 0)}) {
      QVERIFY(!r.ok());
      QCOMPARE(r.error().message(), std::string("not positive (x). Give more"));
    }
  }
  void try_stops_at_the_first_error() {
    int checked = 0;
    QVERIFY(!all_positive({1, 2, -1, 3}, checked).ok());
    QCOMPARE(checked, 2);
    QVERIFY(all_positive({1, 2}, checked).ok());
    QCOMPARE(checked, 4);
  }
  void or_throw_carries_the_error() {
    try {
      boxed(-1).or_throw();
      QFAIL("nothing was thrown");
    } catch (const Failure& f) {
      QCOMPARE(f.error().kind, ErrorKind::invalid);
      QCOMPARE(std::string(f.what()), f.error().message());
    }
    QVERIFY_THROWS_EXCEPTION(Failure, Result<void>(cancelled()).or_throw());
    Result<void>().or_throw();
  }
  void the_value_of_an_error_is_our_bug() {
    try {
      (void)positive(0).value();
      QFAIL("nothing was thrown");
    } catch (const Failure& f) {
      QCOMPARE(f.error().kind, ErrorKind::internal);
      QVERIFY(f.error().hint.find("bug") != std::string::npos);
    }
  }
  void check_throws_internal_only_when_false() {
    TL_CHECK(1 + 1 == 2, "arithmetic");
    QVERIFY_THROWS_EXCEPTION(Failure, TL_CHECK(1 + 1 == 3, "arithmetic"));
  }
  void copies_of_a_token_share_the_flag() {
    const CancelToken token;
    CancelToken copy;
    copy = token;
    const CancelToken other;
    copy.check();
    token.cancel();
    QVERIFY(copy.cancelled());
    QVERIFY(!other.cancelled());
    try {
      copy.check();
      QFAIL("nothing was thrown");
    } catch (const Failure& f) {
      QCOMPARE(f.error().kind, ErrorKind::cancelled);
    }
  }
};

TL_TEST_CASE(ErrorTest)

}  // namespace tl::error_test

#include "error.moc"
