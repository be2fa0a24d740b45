// Shared by the flat-field nodes: the choice between absorption and transmission.
#pragma once

#include "core/node/node_builder.h"
#include "gpu/correction/minus_log.h"

namespace tl {

enum class Logarithm { on, off };

struct LogarithmParams {
  Logarithm logarithm = Logarithm::on;
  double floor = 1e-5;
};

inline PixelKind result_kind(const LogarithmParams& p) {
  return p.logarithm == Logarithm::on ? PixelKind::absorption : PixelKind::transmission;
}
// Info of the output scan, without flats, since they have been applied.
inline Infos flat_fielded_infos(const LogarithmParams& p, const Infos& in) {
  ProjectionsInfo scan = scan_of(in);
  scan.kind = result_kind(p);
  scan.flats = scan.darks = 0;
  return {{"projections", scan}};
}
inline ops::MinusLogSpec minus_log_spec(const LogarithmParams& p) { return {p.floor, ops::NanPolicy::transparent}; }

// P derives from LogarithmParams.
template <class P>
void declare_logarithm(NodeBuilder<P>& n) {
  n.param("logarithm", "Result", &P::logarithm,
          {{Logarithm::on, "on", "Absorption (-ln)"}, {Logarithm::off, "off", "Transmission"}})
      .help("Phase retrieval needs transmission, reconstruction needs absorption.");
  n.advanced_param("floor", "Smallest transmission", &P::floor)
      .range(1e-12, 0.5)
      .help("Smaller transmission is raised to this before the logarithm.");
}

}  // namespace tl
