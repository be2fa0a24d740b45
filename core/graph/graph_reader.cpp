// Converts a JSON document to a Graph: structure first, then names and values by the declarations, then the links.
#include "core/graph/graph_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "core/graph/array_json.h"
#include "core/graph/json_object_reader.h"
#include "core/graph/learning_block.h"
#include "core/node/nearest.h"

namespace tl::json {
namespace {

bool is_node_id(std::string_view id) {
  return !id.empty() && id.size() <= longest_node_id && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// True for "1.1", false for "1.1 um".
bool lacks_unit(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return true;
  double value = 0;
  const char* end = std::from_chars(text.data() + first, text.data() + text.size(), value).ptr;
  return text.find_first_not_of(" \t", static_cast<std::size_t>(end - text.data())) == std::string_view::npos;
}

class Reader : private JsonObjectReader {
 public:
  Reader(const JsonLineNumbers& lines, const Registry& registry, const Migrations& migrations,
         Completeness completeness)
      : JsonObjectReader(lines), registry_(registry), migrations_(migrations), completeness_(completeness) {}

  Result<Graph> read(Json& root, const std::string& at) {
    TL_TRY(open(root, at));
    TL_TRY(only_keys(root, at, {"format", "schema_version", "title", "nodes", "links", "learning", "ui"}));
    if (const Json* title = find(root, "title")) {
      TL_TRY(graph_.title, text(*title, child(at, "title")));
    }
    if (Json* nodes = find(root, "nodes")) {
      const std::string here = child(at, "nodes");
      TL_TRY(expect(*nodes, nodes->is_object(), "an object", here));
      TL_TRY(at_most(nodes->size(), max_nodes, "nodes", here));
      for (auto& [id, node] : nodes->items()) TL_TRY(read_node(id, node, child(here, id)));
    }
    if (const Json* links = find(root, "links")) {
      const std::string here = child(at, "links");
      TL_TRY(expect(*links, links->is_array(), "a list", here));
      TL_TRY(at_most(links->size(), max_links, "links", here));
      for (std::size_t i = 0; i < links->size(); ++i) TL_TRY(read_link((*links)[i], child(here, i)));
    }
    if (const Json* learning = find(root, "learning")) {
      TL_TRY(check_learning_block(*learning, lines_, child(at, "learning")));
      graph_.learning = learning->dump();
    }
    if (const Json* ui = find(root, "ui")) {
      TL_TRY(expect(*ui, ui->is_object(), "an object", child(at, "ui")));
      graph_.ui = ui->dump();
    }
    TL_TRY(check(at));
    return std::move(graph_);
  }

 private:
  Result<int> required_version(const Json& object, const char* key, const std::string& at) const {
    const Json* value = find(object, key);
    if (value == nullptr) return wrong("the key \"" + std::string(key) + "\" is missing", at, "Add it");
    const std::string here = child(at, key);
    TL_TRY(expect(*value, value->is_number_integer(), "an integer", here));
    constexpr int64_t largest = std::numeric_limits<int>::max();
    if (value->is_number_unsigned()) return static_cast<int>(std::min<uint64_t>(value->get<uint64_t>(), largest));
    return wrong("a version cannot be negative", here, "Correct it in the file");
  }

  // Checks a number of members before they are read.
  Result<void> at_most(std::size_t count, std::size_t most, const char* of, const std::string& at) const {
    if (count <= most) return ok();
    return wrong("the pipeline has " + std::to_string(count) + " " + of + ", more than " + std::to_string(most), at,
                 "Split it into several pipelines");
  }

  // Reads the header: whether this is a pipeline file of a supported version.
  Result<void> open(Json& root, const std::string& at) {
    TL_TRY(expect(root, root.is_object(), "an object", at));
    const Json* format = find(root, "format");
    if (format == nullptr || !format->is_string() || *format != "tomoloom-pipeline")
      return wrong("this is not a Tomoloom pipeline", format == nullptr ? at : child(at, "format"),
                   "A pipeline has \"format\": \"tomoloom-pipeline\"");
    TL_TRY(const int version, required_version(root, "schema_version", at));
    if (version > migrations_.schema_version)
      return wrong("schema_version " + std::to_string(version) + " is newer than this program's (" +
                       std::to_string(migrations_.schema_version) + ")",
                   child(at, "schema_version"), "Update Tomoloom");
    auto migrated = migrate_schema(root, version, migrations_);
    if (!migrated.ok()) return placed(migrated.error(), child(at, "schema_version"));
    return ok();
  }

  Result<void> read_node(const std::string& id, Json& json, const std::string& at) {
    if (!is_node_id(id))
      return wrong("the node id " + in_quotes(id) + " is not allowed", at,
                   "Use a-z, 0-9 and _, at most " + std::to_string(longest_node_id) + " of them");
    TL_TRY(expect(json, json.is_object(), "an object", at));
    GraphNode node;
    TL_TRY(node.type, required_text(json, "type", at));
    const NodeType* type = registry_.find(node.type);
    if (type == nullptr && completeness_ == Completeness::kept) return keep_node(id, json, node.type);
    if (type == nullptr) return placed(registry_.unknown(node.type), child(at, "type"));
    TL_TRY(node.version, required_version(json, "version", at));
    if (node.version > type->version && completeness_ == Completeness::kept)
      return keep_node(id, json, node.type + " version " + std::to_string(node.version));
    if (node.version < 1 || node.version > type->version)
      return wrong("\"" + node.type + "\" has version " + std::to_string(node.version) + ", ours is " +
                       std::to_string(type->version),
                   child(at, "version"), node.version < 1 ? "Versions start at 1" : "Update Tomoloom");
    auto migrated = migrate_node(json, node.type, node.version, type->version, migrations_);
    if (!migrated.ok()) return placed(migrated.error(), at);
    node.version = type->version;
    TL_TRY(only_keys(json, at, {"type", "version", "parameters", "use"}));
    if (const Json* use = find(json, "use")) {
      TL_TRY(node.use, read_use(*use, child(at, "use")));
    }
    if (const Json* params = find(json, "parameters"))
      TL_TRY(read_params(*type, *params, child(at, "parameters"), node));
    graph_.nodes.emplace(id, std::move(node));
    return ok();
  }

  // The kept node gets a type that is not in the registry, so that no other node runs in its place.
  Result<void> keep_node(const std::string& id, const Json& json, const std::string& type) {
    GraphNode node;
    node.type = type;
    node.kept = json.dump();
    graph_.nodes.emplace(id, std::move(node));
    return ok();
  }

  Result<NodeUse> read_use(const Json& json, const std::string& at) const {
    TL_TRY(const std::string word, text(json, at));
    for (const NodeUse use : {NodeUse::active, NodeUse::bypassed, NodeUse::muted})
      if (word == to_string(use)) return use;
    return wrong("a node cannot be " + in_quotes(word), at, suggest(word, {"active", "bypassed", "muted"}));
  }

  Result<void> read_params(const NodeType& type, const Json& params, const std::string& at, GraphNode& node) const {
    TL_TRY(expect(params, params.is_object(), "an object", at));
    std::vector<std::string> known;
    known.reserve(type.params.size());
    for (const ParamDecl& d : type.params) known.push_back(d.name);
    for (const auto& [name, json] : params.items()) {
      const std::string here = child(at, name);
      const ParamDecl* decl = type.param(name);
      if (decl == nullptr)
        return wrong("\"" + type.id + "\" has no parameter " + in_quotes(name), here, suggest(name, known));
      TL_TRY(ParamValue value, read_value(*decl, json, here));
      auto valid = decl->validate(value);
      if (!valid.ok()) return placed(valid.error(), here);
      node.params.emplace(name, std::move(value));
    }
    return ok();
  }

  Result<ParamValue> read_value(const ParamDecl& d, const Json& json, const std::string& at) const {
    if (!d.automatic.empty() && json == "auto") return ParamValue{};
    const std::string or_auto = d.automatic.empty() ? "" : " or \"auto\"";
    const auto needs = [&](const std::string& what) {
      return wrong("\"" + d.name + "\" must be " + what + or_auto + ", not " + type_words(json), at,
                   "Correct it in the file");
    };
    switch (d.kind) {
      case ParamKind::flag:
        if (!json.is_boolean()) return needs("true or false");
        return ParamValue{json.get<bool>()};
      case ParamKind::integer:
        if (!json.is_number_integer()) return needs("an integer");
        if (json.is_number_unsigned() && json.get<uint64_t>() > std::numeric_limits<int64_t>::max())
          return wrong("\"" + d.name + "\" is too large", at, "Correct it in the file");
        return ParamValue{json.get<int64_t>()};
      case ParamKind::number:
        if (d.unit != Unit::none) return read_quantity(d, json, at);
        if (!json.is_number()) return needs("a number");
        return ParamValue{Number{json.get<double>(), Unit::none}};
      case ParamKind::numbers: return read_list(d, json, at);
      case ParamKind::array: {
        auto array = array_from_json(json);
        if (!array.ok()) return placed(array.error(), at);
        return ParamValue{std::move(array).value()};
      }
      case ParamKind::choice:
      case ParamKind::text:
      case ParamKind::path: break;
    }
    if (!json.is_string()) return needs("a string");
    return ParamValue{json.get<std::string>()};
  }

  // A number with its unit: "1.1 um".
  Result<ParamValue> read_quantity(const ParamDecl& d, const Json& json, const std::string& at) const {
    const std::string example =
        "Write it as \"" + format_quantity(1.5, d.unit) + "\"" + (d.automatic.empty() ? "" : ", or \"auto\"");
    if (!json.is_string())
      return wrong("\"" + d.name + "\" must be a number with its unit in quotes, not " + type_words(json), at, example);
    const std::string written = json.get<std::string>();
    auto value = parse_value(d, written);
    if (!value.ok()) return placed(value.error(), at);
    if (lacks_unit(written)) return wrong("\"" + d.name + "\" is written without a unit", at, example);
    return std::move(value).value();
  }

  // [1, 2] if there is no unit, else {"values": [1, 2], "unit": "px"}.
  Result<ParamValue> read_list(const ParamDecl& d, const Json& json, const std::string& at) const {
    NumberList list{{}, Unit::none};
    const Json* values = &json;
    if (d.unit != Unit::none) {
      const std::string form = "Write it as {\"values\": [1, 2], \"unit\": \"" + std::string(symbol(d.unit)) + "\"}";
      if (!json.is_object())
        return wrong("\"" + d.name + "\" must be a list with its unit, not " + type_words(json), at, form);
      TL_TRY(only_keys(json, at, {"values", "unit"}));
      TL_TRY(const std::string unit_text, required_text(json, "unit", at));
      auto unit = parse_unit(unit_text);
      if (!unit.ok()) return placed(unit.error(), child(at, "unit"));
      list.unit = unit.value();
      values = find(json, "values");
      if (values == nullptr) return wrong("the key \"values\" is missing", at, form);
    }
    TL_TRY(expect(*values, values->is_array(), "a list of numbers", at));
    for (const Json& v : *values) {
      TL_TRY(expect(v, v.is_number(), "a list of numbers without others in it", at));
      list.values.push_back(v.get<double>());
    }
    return ParamValue{std::move(list)};
  }

  Result<void> read_link(const Json& json, const std::string& at) {
    TL_TRY(expect(json, json.is_object(), "an object", at));
    TL_TRY(only_keys(json, at, {"from", "to"}));
    Link link;
    TL_TRY(read_end(json, "from", at, link.from_node, link.from_port));
    TL_TRY(read_end(json, "to", at, link.to_node, link.to_port));
    graph_.links.push_back(std::move(link));
    return ok();
  }
  Result<void> read_end(const Json& json, const char* key, const std::string& at, std::string& node,
                        std::string& port) const {
    TL_TRY(const std::string end, required_text(json, key, at));
    const auto dot = end.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == end.size())
      return wrong("the end of a link cannot be " + in_quotes(end), child(at, key), "Write it as \"node.port\"");
    node = end.substr(0, dot);
    port = end.substr(dot + 1);
    return ok();
  }

  // Checks the graph with problems() and returns the problem that comes first in the file.
  Result<void> check(const std::string& at) const {
    std::optional<std::pair<int64_t, Error>> first;
    for (const GraphProblem& p : problems(graph_, registry_)) {
      if (completeness_ != Completeness::whole && p.grade == ProblemGrade::unfinished) continue;
      std::string here = at;
      if (p.link) {
        here = child(child(at, "links"), *p.link);
      } else if (!p.node.empty()) {
        here = child(child(at, "nodes"), p.node);
        const std::string param = child(child(here, "parameters"), p.name);
        if (lines_.has(param)) here = param;
      }
      const int64_t line = lines_.line(here);
      if (first && first->first <= line) continue;
      Error error = p.error;
      error.where = lines_.where(here) + (p.node.empty() && !p.link ? ", " + p.error.where : "");
      first.emplace(line, std::move(error));
    }
    if (first) return first->second;
    return ok();
  }

  const Registry& registry_;
  const Migrations& migrations_;
  Completeness completeness_;
  Graph graph_;
};

}  // namespace

Result<Graph> read_graph(Document document, const std::string& pointer, const Registry& registry,
                         const Migrations& migrations, Completeness completeness) {
  Json& root = pointer.empty() ? document.root : document.root.at(Json::json_pointer(pointer));
  return Reader(document.lines, registry, migrations, completeness).read(root, pointer);
}

}  // namespace tl::json
