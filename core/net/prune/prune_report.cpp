// Writes the matrices directly: as a tree of JSON values, those of a large network would take gigabytes.
#include "core/net/prune/prune_report.h"

#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/net/counts.h"

namespace tl::net {
namespace {

using ReportJson = nlohmann::ordered_json;

template <class Function>
void append_matrix(std::string& text, int64_t rows, int64_t columns, Function element) {
  text += '[';
  for (int64_t r = 0; r < rows; ++r) {
    text += r == 0 ? "[" : ",\n[";
    for (int64_t c = 0; c < columns; ++c) {
      if (c > 0) text += ',';
      element(r * columns + c);
    }
    text += ']';
  }
  text += ']';
}

void append_layer(std::string& text, const PrunedLayer& layer) {
  const at::Tensor norms = layer.norms.contiguous(), fates = layer.pruned_in_step.contiguous();
  const int64_t rows = fates.size(0), columns = fates.size(1);
  text += "{\"name\":" + ReportJson(layer.name).dump() + ",\"prunable\":" + (layer.prunable ? "true" : "false") +
          ",\"inputs\":" + ReportJson(layer.inputs).dump() + ",\n\"norms\":";
  append_matrix(text, rows, columns, [&](int64_t i) {
    const double norm = norms.const_data_ptr<double>()[i];
    text += std::isfinite(norm) ? formatted("%.6g", norm) : "null";
  });
  text += ",\n\"fates\":";
  append_matrix(text, rows, columns, [&](int64_t i) {
    const int32_t fate = fates.const_data_ptr<int32_t>()[i];
    text += fate == 0  ? "\"kept\""
            : fate > 0 ? "\"pruned " + std::to_string(fate) + "\""
                       : "\"redundant " + std::to_string(-fate) + "\"";
  });
  text += '}';
}

}  // namespace

Result<std::string> report_text(const Network& before, const Pruned& pruned, const PruneOptions& options) {
  TL_TRY(const Counts first, counts_of(before));
  TL_TRY(const Counts last, counts_of(pruned.network));
  ReportJson json{{"kind", "pruning"},
                  {"version", 1},
                  {"architecture", before.architecture},
                  {"method", to_string(options.method)},
                  {"keep", options.keep},
                  {"fine_tuned", options.fine_tune != nullptr},
                  {"edges", pruned.edges},
                  {"kept", pruned.steps.back().kept},
                  {"parameters", {{"before", first.parameters()}, {"after", last.parameters()}}}};
  for (const PruneStep& s : pruned.steps)
    json["steps"].push_back({{"step", s.step},
                             {"asked", s.asked},
                             {"kept", s.kept},
                             {"pruned", s.pruned},
                             {"redundant", s.redundant},
                             {"paths", s.paths},
                             {"whole_chains", s.whole_chains}});
  std::string text = json.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
  text.back() = ',';
  text += "\n\"layers\":[\n";
  for (std::size_t i = 0; i < pruned.layers.size(); ++i) {
    if (i > 0) text += ",\n";
    append_layer(text, pruned.layers[i]);
  }
  return text + "]}\n";
}

}  // namespace tl::net
