// The phase case study, small: delta and beta of a hollow box from a noisy scan, by the bundled pipelines. Its walls are
// two voxels thick here: numbers come within their uncertainties, not within the bars of full size.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "tests/support/phase_case.h"
#include "tests/support/test_case.h"

namespace tl::case_phase_test {

using test::PhaseBox;
using test::PhaseFinding;

namespace {

learn::Learned learned(const test::LearnCase& c) {
  RunOptions options;
  options.memory = int64_t{1} << 30;
  Executor executor(test::registry(), options);
  return learn::learn(executor, test::registry(), c.graph, c.settings).or_throw();
}

std::string text_of(const learn::Learned& l) {
  std::string text = test::told(l);
  for (const learn::Combination& c : l.combinations) text += "; " + c.text;
  return text + "; " + std::to_string(l.evaluations) + " evaluations";
}

int64_t of_descent(const learn::Learned& l) {
  for (const learn::PhaseTime& t : l.phase_times)
    if (t.phase == "descent") return t.evaluations;
  return 0;
}

}  // namespace

class CasePhaseTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
};

TL_TEST_CASE(CasePhaseTest)

}  // namespace tl::case_phase_test

#include "phase.moc"
