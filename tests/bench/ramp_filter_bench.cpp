// Times the ramp filter on rows of detector pixels.
#include "gpu/filtering/ramp_filter.h"

#include "tests/bench/bench.h"

using namespace tl;

int main(int argc, char** argv) {
  bench::Arguments a(argc, argv);
  const std::string in = a.text("input"), out = a.text("output");
  ops::RampFilterSpec spec;
  spec.views = 1;
  spec.rows = a.number("rows", 262144);
  spec.cols = a.number("cols", 1024);
  a.finish();
  const OperatorPtr op = ops::make_ramp_filter(spec).or_throw();
  const at::Tensor x = bench::input(in, {1, spec.rows, spec.cols});
  at::Tensor y;
  const bench::Times times = bench::median_times(a.repeat(), [&] {
    y.reset();  // so that pages of the uncounted run are used again: what the system takes to give new ones is not ours
    y = op->apply(x);
  });
  bench::write_raw(out, y);
  bench::report("ramp filter", times, static_cast<double>(x.numel()));
}
