// One method of stripe removal on raw sinograms, for tests/bench/stripe_peers.py.
//
// in: absorption, float32, [view, row, col]; out: the same without stripes. Every row is a scan of its own.
#include "gpu/correction/flats/double_flat.h"
#include "gpu/correction/stripes/fourier_wavelet.h"
#include "gpu/correction/stripes/removal.h"
#include "tests/bench/bench.h"

using namespace tl;

namespace {

struct Settings {
  ops::StripeRemovalSpec removal;
  ops::FourierWaveletSpec wavelet;
  double fine;
};

const std::map<std::string, ops::StripeMethod> methods{
    {"sorting", ops::StripeMethod::sorting}, {"filtering", ops::StripeMethod::filtering},
    {"fitting", ops::StripeMethod::fitting}, {"large", ops::StripeMethod::large},
    {"dead", ops::StripeMethod::dead},       {"all", ops::StripeMethod::all}};

at::Tensor cleaned(const std::string& method, const at::Tensor& x, const Settings& s) {
  if (const auto known = methods.find(method); known != methods.end()) {
    ops::StripeRemovalSpec spec = s.removal;
    spec.method = known->second;
    return ops::remove_stripes(x, spec).or_throw().projections;
  }
  const bool all = s.removal.columns == ops::StripeColumns::all;
  const auto found = [&](const ops::StripeCorrection& correction) {
    return ops::on_striped_columns(x, s.removal.model, {}, {}, correction).projections;
  };
  if (method == "fourier-wavelet") {
    if (all) return ops::remove_stripes_by_fourier_wavelet(x, s.wavelet).or_throw();
    return found([&](const at::Tensor& row, const auto& stripes) {
      return ops::remove_stripes_by_fourier_wavelet(ops::without_constant_stripes(row, stripes).unsqueeze(1), s.wavelet)
          .or_throw()
          .squeeze(1);
    });
  }
  if (method != "double-flat") bench::stop("unknown method " + method);
  if (!all)
    return found([&](const at::Tensor& row, const auto& stripes) {
      return ops::fitted_to_neighbours(row, ops::striped_columns(stripes, row.size(1)), 0, s.fine);
    });
  std::vector<at::Tensor> rows;
  for (int64_t row = 0; row < x.size(1); ++row)
    rows.push_back(ops::double_flat(x.narrow(1, row, 1).contiguous(), {s.fine, s.removal.model}).or_throw());
  return at::cat(rows, 1);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments args(argc, argv);
  const at::Tensor in =
      bench::input(args.text("in"), {args.number("views", 180), args.number("rows", 1), args.number("cols", 256)});
  const std::string method = args.text("method", "sorting"), out = args.text("out");
  const auto real = [&](const char* name, const char* fallback) { return std::stod(args.text(name, fallback)); };
  Settings settings;
  settings.removal.columns =
      args.text("columns", "found") == "all" ? ops::StripeColumns::all : ops::StripeColumns::found;
  settings.removal.size = args.number("size", 5);
  settings.removal.large_size = args.number("large-size", 51);
  settings.removal.order_of_fit = args.number("order", 3);
  settings.removal.snr = real("snr", "3");
  settings.removal.low_pass = real("low-pass", "3");
  settings.removal.smoothing = real("smoothing", "10");
  settings.wavelet = {args.number("levels", 4), args.number("moments", 5), real("damping", "2"), {}};
  settings.fine = real("fine", "10");
  args.finish();
  at::Tensor result;
  const bench::Times times = bench::time_of([&] { result = cleaned(method, in, settings); });
  bench::write_raw(out, result);
  bench::report("stripes, " + method, times, static_cast<double>(in.numel()));
  return 0;
}
