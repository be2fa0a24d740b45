// Raw uint16 counts: their layout within the memory of floats, and the same flat-field result as from floats.
#include "gpu/correction/counts.h"

#include <ATen/Parallel.h>

#include <cstdlib>
#include <limits>

#include "gpu/correction/flats/flat_field.h"
#include "gpu/device/cpu_variant.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::counts_test {

using namespace tl::ops;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

class ForcedVariant {
 public:
  explicit ForcedVariant(const QByteArray& name) : before_(qgetenv(variable)) { qputenv(variable, name); }
  ForcedVariant(const ForcedVariant&) = delete;
  ForcedVariant& operator=(const ForcedVariant&) = delete;
  ~ForcedVariant() { before_.isNull() ? qunsetenv(variable) : qputenv(variable, before_); }

 private:
  static constexpr const char* variable = "TL_CPU_VARIANT";
  QByteArray before_;
};

// Counts of all sizes, those that flats leave below the floor, below the dark and saturated among them.
at::Tensor some_counts(int64_t views, int64_t rows, int64_t cols) {
  const at::Tensor beam = 800 + 400 * test::gaussian({views, rows, cols}, at::kDouble, 1);
  at::Tensor counts = beam.clamp(0, 65535).round();
  counts.view({-1}).slice(0, 0, {}, 7).fill_(65535);
  counts.view({-1}).slice(0, 3, {}, 11).fill_(0);
  return counts.to(at::kInt).to(at::kUInt16);
}

enum class Flats { all_usable, some_unusable };

FlatFieldSpec spec_of(int64_t rows, int64_t cols, Flats flats, FlatChange change) {
  FlatFieldSpec spec;
  spec.flats = 1200 + 100 * test::gaussian({5, rows, cols}, at::kFloat, 2);
  spec.darks = 100 + 5 * test::gaussian({3, rows, cols}, at::kFloat, 3);
  spec.change = change;
  spec.flat_positions = {-1, -1, 6, 6, 6};
  if (flats == Flats::some_unusable) {
    spec.flats.select(1, 0).select(1, 0).fill_(0);
    spec.flats.select(1, rows - 1).select(1, cols / 2).fill_(nan_value);
    if (rows > 2) spec.flats.select(1, 1).fill_(50);  // a dead row
  }
  return spec;
}

// The same counts: side by side, with gaps, and in the memory of floats.
at::Tensor apart(const at::Tensor& counts) { return counts.clone(); }
at::Tensor with_gaps(const at::Tensor& counts) {
  const at::Tensor more = at::zeros({counts.size(0), counts.size(1), counts.size(2) + 3}, at::kUInt16);
  return more.narrow(2, 1, counts.size(2)).copy_(counts);
}
at::Tensor within(const at::Tensor& counts) {
  return counts_in_float_memory(at::full(counts.sizes(), nan_value, at::kFloat)).copy_(counts);
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat &&
         at::equal(a.contiguous().view(at::kInt), b.contiguous().view(at::kInt));
}

void check_as_good_as_floats(const at::Tensor& counts, FlatFieldSpec spec) {
  spec.input = InputUse::keep;
  const FlatFieldResult floats = flat_field(counts.to(at::kFloat), spec).or_throw();
  const auto result = [&](const FlatFieldResult& f) {
    return spec.logarithm ? f.logarithm.absorption : f.transmission;
  };
  for (const auto place : {apart, with_gaps, within})
    for (const InputUse use : {InputUse::keep, InputUse::overwrite}) {
      spec.input = use;
      const at::Tensor data = place(counts);
      const FlatFieldResult f = flat_field(data, spec).or_throw();
      QVERIFY(same_bits(result(f), result(floats)));
      QVERIFY(f.repaired == floats.repaired && f.dead_rows == floats.dead_rows);
      QVERIFY(f.logarithm.floored == floats.logarithm.floored && f.logarithm.nans == floats.logarithm.nans);
      const bool over = result(f).is_alias_of(data);
      QVERIFY(!over || (use == InputUse::overwrite && place == within));
      QVERIFY(over || at::equal(data.to(at::kInt), counts.to(at::kInt)));
    }
}

}  // namespace

class CountsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(3); }

  void counts_lie_in_the_second_half_of_the_floats_of_their_view() {
    const at::Tensor all = at::zeros({5, 3, 4}, at::kFloat);
    const at::Tensor floats = all.narrow(0, 1, 3), counts = counts_in_float_memory(floats);
    QVERIFY(counts.scalar_type() == at::kUInt16 && counts.sizes() == floats.sizes());
    for (int64_t view = 0; view < 3; ++view) {
      const auto* first = static_cast<const char*>(floats.select(0, view).data_ptr());
      const auto* count = static_cast<const char*>(counts.select(0, view).data_ptr());
      QVERIFY(count == first + 2 * 3 * 4 && counts.select(0, view).is_contiguous());
    }
    const at::Tensor around = floats_of_counts(counts);
    QVERIFY(around.data_ptr() == floats.data_ptr() && around.sizes() == floats.sizes() && around.is_contiguous());
    // Some of the views are as good, some of the rows or columns, and anything else, are not.
    QVERIFY(floats_of_counts(counts.narrow(0, 1, 2)).data_ptr() == floats.select(0, 1).data_ptr());
    QVERIFY(!floats_of_counts(counts.narrow(1, 1, 2)).defined() && !floats_of_counts(counts.narrow(2, 0, 3)).defined());
    QVERIFY(!floats_of_counts(counts.transpose(1, 2)).defined() && !floats_of_counts(counts.clone()).defined());
    QVERIFY(!floats_of_counts(floats).defined() && !floats_of_counts(counts.narrow(0, 0, 0)).defined());
  }

  void the_flat_field_makes_of_them_what_it_makes_of_floats_data() {
    QTest::addColumn<QByteArray>("variant");
    for (const char* variant : {"plain", "avx2", "avx512"}) QTest::newRow(variant) << QByteArray(variant);
  }
  void the_flat_field_makes_of_them_what_it_makes_of_floats() {
    QFETCH(QByteArray, variant);
    const ForcedVariant forced(variant);
    try {
      best_cpu_variant();
    } catch (const Failure&) {
      QSKIP("a processor without it");
    }
    // A pixel alone, less than a vector, more than what is taken at once in a row and in a band, odd everywhere.
    for (const auto& [views, rows, cols] : {std::tuple{1, 1, 1}, {6, 4, 10}, {3, 40, 1029}, {2, 3, 40001}})
      for (const Flats flats : {Flats::all_usable, Flats::some_unusable})
        for (const FlatChange change : {FlatChange::constant, FlatChange::interpolate}) {
          if (cols == 1 && flats == Flats::some_unusable) continue;  // there is no pixel left to fill it from
          const at::Tensor counts = some_counts(views, rows, cols);
          FlatFieldSpec spec = spec_of(rows, cols, flats, change);
          check_as_good_as_floats(counts, spec);
          spec.logarithm = MinusLogSpec{};
          check_as_good_as_floats(counts, spec);
          spec.logarithm->nans = NanPolicy::keep;
          spec.minimum = 0.01;
          check_as_good_as_floats(counts, spec);
        }
  }

  // Where a count over its flat is not a finite number in single precision: as with floats, also NaN and infinity.
  void flats_of_extreme_size() {
    for (const float flat : {1e-40f, 1e-37f, 3e38f})
      for (const FlatChange change : {FlatChange::constant, FlatChange::interpolate}) {
        FlatFieldSpec spec = spec_of(4, 10, Flats::all_usable, change);
        spec.darks = at::Tensor();
        spec.flats.narrow(0, 2, 3).select(1, 2).fill_(flat);
        if (change == FlatChange::constant) spec.flats.select(1, 2).fill_(flat);
        for (const bool logarithm : {false, true}) {
          if (logarithm) spec.logarithm = MinusLogSpec{};
          check_as_good_as_floats(some_counts(6, 4, 10), spec);
        }
      }
  }

  void the_result_overwrites_the_counts() {
    const at::Tensor data = within(some_counts(6, 4, 10));
    FlatFieldSpec spec = spec_of(4, 10, Flats::all_usable, FlatChange::constant);
    spec.input = InputUse::overwrite;
    const at::Tensor transmission = flat_field(data, spec).or_throw().transmission;
    QVERIFY(transmission.data_ptr() == floats_of_counts(data).data_ptr());
  }

  void refusals() {
    const at::Tensor counts = some_counts(6, 4, 10);
    QVERIFY(!flat_field(counts.to(at::kInt), spec_of(4, 10, Flats::all_usable, FlatChange::constant)).ok());
    QVERIFY(!flat_field(counts, spec_of(4, 9, Flats::all_usable, FlatChange::constant)).ok());
    CancelToken cancel;
    cancel.cancel();
    FlatFieldSpec spec = spec_of(4, 10, Flats::all_usable, FlatChange::constant);
    spec.cancel = cancel;
    spec.input = InputUse::overwrite;
    QVERIFY_THROWS_EXCEPTION(Failure, (void)flat_field(within(counts), spec));
  }
};

TL_TEST_CASE(CountsTest)

}  // namespace tl::counts_test

#include "counts.moc"
