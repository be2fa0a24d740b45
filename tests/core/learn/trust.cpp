// Verdicts on a learned tilt, jitter and source distance outside the easy case: objects that leave the field, few
// views, few photons. tests/bench/trust/learn_trust_bench.cpp asks the same of many more scans.
#include <cmath>

#include "core/learn/verdict/combinations.h"
#include "tests/support/learn/trials.h"
#include "tests/support/test_case.h"

namespace tl::trust_test {

class LearnTrustTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void never_resolved_and_wrong_data() {
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<uint64_t>("seed");
    for (const std::string& subject : test::learn_trial_subjects())
      for (const std::string kind : {"easy", "truncated"})  // few views and few photons: the bench
        QTest::newRow((subject + ", " + kind).c_str())
            << QString::fromStdString(subject) << QString::fromStdString(kind) << uint64_t{100};
    for (const uint64_t seed : {0, 1, 2, 3})  // resolved and wrong in half of them
      QTest::newRow(("tilt, leaning " + std::to_string(seed)).c_str())
          << QStringLiteral("tilt") << QStringLiteral("leaning along the beam") << seed;
    // The axis was 0.028 px off at a sigma of 0.0025.
    QTest::newRow("tilt, truncated, 1") << QStringLiteral("tilt") << QStringLiteral("truncated") << uint64_t{1};
  }
  void never_resolved_and_wrong() {
    QFETCH(QString, subject);
    QFETCH(QString, kind);
    QFETCH(uint64_t, seed);
    const test::LearnTrial t = test::learn_trial(subject.toStdString(), kind.toStdString(), seed);
    Executor executor(test::registry(), {});
    const auto learned = learn::learn(executor, test::registry(), t.c.graph, t.c.settings);
    QVERIFY2(learned.ok(), learned.ok() ? "" : learned.error().message().c_str());
    for (const test::LearnedError& e : test::learned_errors(subject.toStdString(), t, learned.value())) {
      const std::string text = e.what + ", " + t.recipe + ": error " + std::to_string(e.error) + ", sigma " +
                               std::to_string(e.sigma) + ". " + e.explanation;
      QVERIFY2(!e.wrong(), text.c_str());
    }
  }

  // Two that spread along their sum by 20, across it by 0.1, and a third by itself.
  void others_make_up_for_a_value() {
    learn::Matrix covariance(3);
    covariance(0, 0) = covariance(1, 1) = (400 + 0.01) / 2;
    covariance(0, 1) = covariance(1, 0) = (400 - 0.01) / 2;
    covariance(2, 2) = 9;
    const double given_others = std::sqrt(2 / (1 / 400.0 + 1 / 0.01));
    for (const std::size_t unknown : {0, 1})
      QVERIFY(std::abs(learn::sigma_given_others(covariance, unknown) / given_others - 1) < 1e-9);
    QVERIFY(std::isinf(learn::sigma_given_others(covariance, 2)));
    // One that takes a tenth of the displacement of the other does not make up for it.
    covariance(0, 1) = covariance(1, 0) = 0.1 * covariance(0, 0);
    covariance(1, 1) = 0.02 * covariance(0, 0);
    QVERIFY(std::isinf(learn::sigma_given_others(covariance, 0)));
  }

  // Values that were right and not called resolved: one estimate of wrong assumptions counted for all unknowns, and
  // shifts that only move the object counted as unknown.
  void right_is_resolved_data() {
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<uint64_t>("seed");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* subject, const char* kind, uint64_t seed, const char* what) {
      QTest::newRow(what) << QString(subject) << QString(kind) << seed << QString(what);
    };
    row("jitter", "truncated", 0, "shifts across");  // leaves the ends of the rows
    row("jitter", "views", 1, "shifts across");      // 18 views
    row("source distance", "easy", 0, "axis of the cone");
  }
  void right_is_resolved() {
    QFETCH(QString, subject);
    QFETCH(QString, kind);
    QFETCH(uint64_t, seed);
    QFETCH(QString, what);
    const test::LearnTrial t = test::learn_trial(subject.toStdString(), kind.toStdString(), seed);
    Executor executor(test::registry(), {});
    const auto learned = learn::learn(executor, test::registry(), t.c.graph, t.c.settings);
    QVERIFY2(learned.ok(), learned.ok() ? "" : learned.error().message().c_str());
    for (const test::LearnedError& e : test::learned_errors(subject.toStdString(), t, learned.value()))
      if (e.what == what.toStdString()) {
        QVERIFY2(e.resolved, e.explanation.c_str());
        QVERIFY(e.error < e.enough && !e.wrong());
        return;
      }
    QFAIL("nothing of that name was learned");
  }
};

TL_TEST_CASE(LearnTrustTest)

}  // namespace tl::trust_test

#include "trust.moc"
