// Converts older pipeline files to the present version, by tables of migrations.
#include "core/graph/migrations.h"

#include <algorithm>
#include <string>

#include "core/graph/graph_json.h"

namespace tl::json {
namespace {

// Version 1 of these stripe filters changed every column; later versions have another default of `columns`.
Result<void> change_all_columns(Json& node) {
  Json& parameters = node["parameters"];
  if (parameters.is_null()) parameters = Json::object();
  if (parameters.is_object() && !parameters.contains("columns")) parameters["columns"] = "all";
  return ok();
}

constexpr NodeMigration node_migrations[] = {
    {"correct.stripe_removal", 1, change_all_columns},
    {"correct.stripe_fourier_wavelet", 1, change_all_columns},
    {"correct.double_flat", 1, change_all_columns},
};

}  // namespace

const Migrations& our_migrations() {
  // Schema version 1 is the first.
  static const Migrations ours{pipeline_schema_version, {}, node_migrations};
  return ours;
}

Result<void> migrate_schema(Json& pipeline, int version, const Migrations& migrations) {
  for (; version < migrations.schema_version; ++version) {
    const auto step = std::find_if(migrations.schema.begin(), migrations.schema.end(),
                                   [version](const SchemaMigration& m) { return m.from == version; });
    if (step == migrations.schema.end())
      return invalid("pipelines of schema_version " + std::to_string(version) + " cannot be read", {},
                     "Known: up to " + std::to_string(migrations.schema_version));
    TL_TRY(step->apply(pipeline));
    pipeline["schema_version"] = version + 1;
  }
  return ok();
}

Result<void> migrate_node(Json& node, std::string_view type, int version, int target, const Migrations& migrations) {
  for (; version < target; ++version) {
    const auto step = std::find_if(migrations.nodes.begin(), migrations.nodes.end(),
                                   [&](const NodeMigration& m) { return m.type == type && m.from == version; });
    if (step != migrations.nodes.end()) TL_TRY(step->apply(node));
    node["version"] = version + 1;
  }
  return ok();
}

}  // namespace tl::json
