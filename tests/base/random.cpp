// Philox: the published vectors, order independence, and the moments of what is made from it.
#include "core/base/random.h"

#include <cmath>
#include <set>

#include "tests/support/test_case.h"

namespace tl::random_test {

namespace {

// The counter is (index, stream), the key is the seed, least significant words first.
void expect_block(const Philox& generator, uint64_t index, std::array<uint32_t, 4> expected) {
  const Philox::Block block = generator(index);
  for (std::size_t i = 0; i < 4; ++i) QCOMPARE(block.word[i], expected[i]);
}

}  // namespace

class RandomTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Known answers of philox4x32-10 from the Random123 distribution (Salmon et al. 2011).
  void published_vectors() {
    expect_block({0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    expect_block({~uint64_t{0}, ~uint64_t{0}}, ~uint64_t{0}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    // counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0 (digits of pi)
    expect_block({0x299f31d0a4093822, 0x0370734413198a2e}, 0x85a308d3243f6a88,
                 {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  }

  void seed_stream_and_index_all_matter() {
    std::set<double> drawn;
    for (uint64_t seed = 0; seed < 10; ++seed)
      for (uint64_t stream = 0; stream < 10; ++stream)
        for (uint64_t index = 0; index < 10; ++index) drawn.insert(Philox{seed, stream}.uniform(index));
    QCOMPARE(drawn.size(), std::size_t{1000});
  }

  // Mean and variance of n uniform numbers within five standard errors (1/sqrt(12 n) and about 1/sqrt(180 n)), and a
  // chi-squared of 100 bins within five deviations of its 99 degrees of freedom.
  void uniform_is_uniform() {
    constexpr int n = 200'000, bins = 100;
    const Philox generator{42, 7};
    double sum = 0, squares = 0;
    std::array<int, bins> count{};
    for (int i = 0; i < n; ++i) {
      const double u = generator.uniform(static_cast<uint64_t>(i));
      QVERIFY(u > 0 && u < 1);
      sum += u;
      squares += (u - 0.5) * (u - 0.5);
      ++count[static_cast<std::size_t>(u * bins)];
    }
    QVERIFY(std::abs(sum / n - 0.5) < 5 / std::sqrt(12.0 * n));
    QVERIFY(std::abs(squares / n - 1.0 / 12) < 5 / std::sqrt(180.0 * n));
    double chi = 0;
    const double expected = static_cast<double>(n) / bins;
    for (const int c : count) chi += (c - expected) * (c - expected) / expected;
    QVERIFY2(std::abs(chi - 99) < 5 * std::sqrt(2 * 99.0), std::to_string(chi).c_str());
  }

  // First four moments within five standard errors: 1, 2, 15 and 96 over n are the variances of the sample means.
  void normal_is_normal() {
    constexpr int n = 200'000;
    const Philox generator{1, 2};
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < n; ++i) {
      const double x = generator.normal(static_cast<uint64_t>(i));
      m1 += x / n;
      m2 += x * x / n;
      m3 += x * x * x / n;
      m4 += x * x * x * x / n;
    }
    QVERIFY(std::abs(m1) < 5 * std::sqrt(1.0 / n));
    QVERIFY(std::abs(m2 - 1) < 5 * std::sqrt(2.0 / n));
    QVERIFY(std::abs(m3) < 5 * std::sqrt(15.0 / n));
    QVERIFY(std::abs(m4 - 3) < 5 * std::sqrt(96.0 / n));
  }

  // Neighbouring numbers and equal indices of two streams are uncorrelated: five standard errors of 1/sqrt(n).
  void streams_are_independent() {
    constexpr int n = 100'000;
    const Philox a{3, 0}, b{3, 1};
    double across = 0, along = 0;
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<uint64_t>(i);
      across += a.normal(k) * b.normal(k) / n;
      along += a.normal(k) * a.normal(k + 1) / n;
    }
    QVERIFY(std::abs(across) < 5 / std::sqrt(n));
    QVERIFY(std::abs(along) < 5 / std::sqrt(n));
  }
};

TL_TEST_CASE(RandomTest)

}  // namespace tl::random_test

#include "random.moc"
