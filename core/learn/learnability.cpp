// Detects parameters that cannot be learned: the objective uses too few rows, or refuses all other values of them.
#include "core/learn/learnability.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/learn/problem.h"

namespace tl::learn {
namespace {

// A tilt is determined by how far the axis moves between the outermost rows. The largest tilt that keeps their content
// within these rows moves it by rows^2 / cols pixels, which must be at least the precision of a rotation axis.
constexpr double axis_precision = 0.1;  // px
constexpr int64_t min_rows_of_a_tilt = 3;

double rows_share(const Settings& settings, int64_t rows) {
  return std::max(1.0, settings.subsets.rows * static_cast<double>(rows));
}

}  // namespace

int64_t min_rows_to_learn(const Target& target, const ParamDecl& decl, int64_t cols) {
  if (target.name == "tilt" && dimension(decl.unit) == Dimension::angle)
    return std::max(min_rows_of_a_tilt,
                    static_cast<int64_t>(std::ceil(std::sqrt(axis_precision * static_cast<double>(cols)))));
  if ((target.name == "shift_v" || target.name == "source_shift_v") && decl.unit == Unit::px) return 2;
  return 1;
}

std::optional<Error> too_few_rows(const Target& target, const ParamDecl& decl, int64_t rows, int64_t cols) {
  const int64_t needed = min_rows_to_learn(target, decl, cols);
  if (rows >= needed) return std::nullopt;
  const std::string count = rows == 1 ? "One detector row does" : std::to_string(rows) + " detector rows do";
  const bool tilt = target.name == "tilt";
  return invalid(
      count + " not show the parameter \"" + decl.title + "\"" +
          (tilt ? ": within them a tilt moves the axis by less than can be measured" : ""),
      "node \"" + target.node + "\"",
      "Use at least " + std::to_string(needed) + " rows, as far apart as the scan has them, or do not learn it");
}

// Refused a natural step away on either side: the objective is valid only at this value.
Result<void> Problem::accepts_others(const ParameterBlock& block) const {
  if (!block.shape.empty()) return ok();
  std::optional<Error> refused;
  const Unit unit = stored_unit(dimension(block.decl->unit));
  for (const double z : {1.0, -1.0}) {
    // Entries move to alternating sides.
    bool allowed = true;
    for (std::size_t i = 0; i < block.size; ++i) {
      const double moved = i % 2 == 0 ? z : -z;
      allowed = allowed && moved >= block.low(i) && moved <= block.high(i);
    }
    if (!allowed) continue;
    Graph moved = graph_;
    ParamValue& value = moved.nodes[block.target.node].params[block.target.name];
    if (block.list) {
      Vector values;
      for (std::size_t i = 0; i < block.size; ++i) values.push_back(block.value(i % 2 == 0 ? z : -z, i));
      value = NumberList{values, unit};
    } else {
      value = Number{block.value(z, 0), unit};
    }
    const auto infos = executor_->infos(moved, settings_.objective.node);
    if (infos.ok()) return ok();
    if (infos.error().kind != ErrorKind::invalid) return infos.error();
    refused = infos.error();
  }
  if (!refused) return ok();
  refused->what = "\"" + block.decl->title + "\" cannot be learned with this objective: " + refused->what;
  return *refused;
}

Result<void> Problem::sees_unknowns() {
  for (const ParameterBlock& block : blocks_) {
    for (const Cut& cut : cuts_) {
      const auto* scan = std::get_if<ProjectionsInfo>(&cut.info);
      const auto* region = std::get_if<ScanRegion>(&cut.region);
      if (scan == nullptr || region == nullptr) continue;
      const auto rows = static_cast<int64_t>(rows_share(settings_, region->rows.size()));
      if (const auto few = too_few_rows(block.target, *block.decl, rows, scan->geometry.detector().cols)) return *few;
    }
    TL_TRY(accepts_others(block));
  }
  return ok();
}

}  // namespace tl::learn
