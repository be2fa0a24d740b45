// Migrations: how older pipeline files become today's. Internal to core/graph.
#pragma once

#include <span>
#include <string_view>

#include "core/graph/json_document.h"

namespace tl::json {

// Turns a pipeline document of schema version `from` into one of version from + 1, in place. Errors need no `where`.
struct SchemaMigration {
  int from;
  Result<void> (*apply)(Json& pipeline);
};

// Turns a node object ({"type", "version", "parameters"}) written by version `from` of its type into version from + 1.
// A version without an entry changed nothing that is in files. Raising a node's version because a parameter changed its
// name or meaning goes with an entry here.
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
// Those of this program.
const Migrations& our_migrations();

// Runs the chain from the document's schema_version to the target. A version from before the chain: invalid.
Result<void> migrate_schema(Json& pipeline, int version, const Migrations& migrations);
// The same for one node, to the version that the node type has now.
Result<void> migrate_node(Json& node, std::string_view type, int version, int target, const Migrations& migrations);

}  // namespace tl::json
