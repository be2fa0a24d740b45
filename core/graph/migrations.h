// Migrations: convert older pipeline files to the present version. Internal to core/graph.
#pragma once

#include <span>
#include <string_view>

#include "core/graph/json_document.h"

namespace tl::json {

// Converts a pipeline document of schema version `from` to version from + 1, in place. Errors need no `where`.
struct SchemaMigration {
  int from;
  Result<void> (*apply)(Json& pipeline);
};

// Converts a node object ({"type", "version", "parameters"}) of version `from` of its type to version from + 1. A
// version without an entry changed nothing in files. When a parameter's name or meaning changes, raise the node's
// version and add an entry here.
struct NodeMigration {
  std::string_view type;
  int from;
  Result<void> (*apply)(Json& node);
};

struct Migrations {
  int schema_version;  // the target
  std::span<const SchemaMigration> schema;
  std::span<const NodeMigration> nodes;
};
// The migrations of this program.
const Migrations& our_migrations();

// Applies all steps from the document's schema_version to the target. Invalid for a version without a step.
Result<void> migrate_schema(Json& pipeline, int version, const Migrations& migrations);
// Migrates one node to the present version of its type.
Result<void> migrate_node(Json& node, std::string_view type, int version, int target, const Migrations& migrations);

}  // namespace tl::json
