// Writes and loads pipeline files as JSON, and loads pipelines from records, TIFFs and folders of slices that contain
// one.
#include "core/graph/graph_json.h"

#include <array>
#include <fstream>

#include "core/graph/array_json.h"
#include "core/graph/graph_reader.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/output/output_file.h"
#include "core/io/output/volume_writer.h"

namespace tl {
namespace {

using json::Json;

Json value_json(const ParamValue& value) {
  struct Visitor {
    Json operator()(std::monostate) const { return "auto"; }
    Json operator()(bool v) const { return v; }
    Json operator()(int64_t v) const { return v; }
    Json operator()(const Number& v) const {
      if (v.unit == Unit::none) return v.value;
      return format_quantity(v.value, v.unit);
    }
    Json operator()(const std::string& v) const { return v; }
    Json operator()(const NumberList& v) const {
      if (v.unit == Unit::none) return Json(v.values);
      return Json{{"values", v.values}, {"unit", std::string(symbol(v.unit))}};
    }
    Json operator()(const NumberArray& v) const { return json::array_json(v); }
  };
  return std::visit(Visitor{}, value);
}

Json node_json(const GraphNode& node) {
  if (!node.kept.empty()) {
    auto kept = json::read_document(node.kept, "node");
    TL_CHECK(kept.ok() && kept.value().root.is_object(), "a kept node is not a JSON object");
    return std::move(kept).value().root;
  }
  Json params = Json::object();
  for (const auto& [name, value] : node.params) params[name] = value_json(value);
  Json json{{"type", node.type}, {"version", node.version}, {"parameters", std::move(params)}};
  if (node.use != NodeUse::active) json["use"] = std::string(to_string(node.use));
  return json;
}

// Adds a JSON object that the graph stores as text.
void add_block(Json& root, const char* name, const std::string& text) {
  if (text.empty()) return;
  auto block = json::read_document(text, name);
  TL_CHECK(block.ok() && block.value().root.is_object(), "a block of a graph is not a JSON object");
  root[name] = std::move(block).value().root;
}

// The whole file; an error if it is too large.
Result<std::string> read_text(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) return io_error("there is no such file", path, "Check the name");
  if (!std::filesystem::is_regular_file(status)) return io_error("this is not a file", path, "Give a pipeline file");
  const auto size = std::filesystem::file_size(path, problem);
  if (problem) return io_error("cannot be read: " + problem.message(), path, "Check its permissions");
  if (size > json::max_bytes)
    return invalid("the file has " + std::to_string(size) + " bytes, more than any pipeline", path,
                   "Give a pipeline file");
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (!file) return io_error("cannot be read", path, "Check its permissions");
  return text;
}

// Whether the file begins like a format whose results embed their record: TIFF, HDF5, NRRD and NIfTI, also compressed
// by gzip.
bool embeds_record(const std::string& path) {
  std::array<char, 8> head{};
  std::ifstream file(path, std::ios::binary);
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem) || !file.read(head.data(), head.size())) return false;
  const std::string_view all(head.data(), head.size()), mark = all.substr(0, 4);
  using namespace std::string_view_literals;
  const bool tiff = mark == "II*\0"sv || mark == "II+\0"sv || mark == "MM\0*"sv || mark == "MM\0+"sv;
  const bool nifti = mark == "\x5c\x01\0\0"sv || all.substr(4) == "n+2\0"sv;  // 348 bytes of header, or NIfTI-2
  const bool packed = mark.substr(0, 2) == "\x1f\x8b"sv;
  return tiff || mark == "\x89HDF"sv || mark == "NRRD"sv || nifti || packed;
}

// The input fingerprints, by node, of a record ("run") or of the text in an image ("provenance"). Members that are not
// texts are ignored.
std::map<std::string, std::string> recorded_inputs(const Json& root) {
  std::map<std::string, std::string> found;
  for (const char* block : {"run", "provenance"}) {
    const auto at = root.find(block);
    if (at == root.end() || !at->is_object()) continue;
    const auto inputs = at->find("inputs");
    if (inputs == at->end() || !inputs->is_object()) continue;
    for (const auto& [node, print] : inputs->items())
      if (print.is_string()) found[node] = print.get<std::string>();
  }
  return found;
}

}  // namespace

std::string to_json(const Graph& graph) {
  Json root;
  root["format"] = "tomoloom-pipeline";
  root["schema_version"] = pipeline_schema_version;
  root["title"] = graph.title;
  Json nodes = Json::object();
  for (const auto& [id, node] : graph.nodes) nodes[id] = node_json(node);
  root["nodes"] = std::move(nodes);
  Json links = Json::array();
  for (const Link& l : graph.links)
    links.push_back(Json{{"from", l.from_node + "." + l.from_port}, {"to", l.to_node + "." + l.to_port}});
  root["links"] = std::move(links);
  add_block(root, "learning", graph.learning);
  add_block(root, "ui", graph.ui);
  // Text that is not UTF-8 fails validation earlier; replacement only prevents this function from throwing.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Graph> graph_from_json(std::string_view text, const Registry& registry, const std::string& file,
                              Completeness completeness) {
  TL_TRY(json::Document document, json::read_document(text, file));
  return json::read_graph(std::move(document), "", registry, json::our_migrations(), completeness);
}

Result<std::string> text_of_result(const std::string& path) {
  // A volume, or a folder of slices, contains its record as text.
  std::error_code problem;
  return std::filesystem::is_directory(path, problem) || embeds_record(path) ? io::read_description(path)
                                                                             : read_text(path);
}

Result<Graph> load_pipeline(const std::string& path, const Registry& registry, Completeness completeness) {
  std::error_code problem;
  const bool folder = std::filesystem::is_directory(path, problem);
  TL_TRY(const std::string text, text_of_result(path));
  TL_TRY(json::Document document, json::read_document(text, path));
  // The record next to a result contains its pipeline as a member.
  const bool record = document.root.is_object() && document.root.contains("pipeline") &&
                      (!document.root.contains("format") || document.root["format"] == "tomoloom-record");
  std::map<std::string, std::string> made_from = record ? recorded_inputs(document.root) : decltype(made_from){};
  TL_TRY(Graph graph, json::read_graph(std::move(document), record ? "/pipeline" : "", registry, json::our_migrations(),
                                       completeness));
  graph.made_from = std::move(made_from);
  resolve_inputs(graph, registry, folder ? std::filesystem::path(path) : std::filesystem::path(path).parent_path());
  return graph;
}

std::string portable_json(const Graph& graph, const Registry& registry, const std::filesystem::path& folder) {
  return to_json(with_relative_inputs(graph, registry, folder));
}

std::string moved_description(const std::string& text, const Registry& registry, const std::filesystem::path& from,
                              const std::filesystem::path& to) {
  Result<json::Document> document = json::read_document(text, "description");
  if (!document.ok() || !document.value().root.is_object() || !document.value().root.contains("pipeline")) return text;
  Json root = document.value().root;
  Result<Graph> graph = graph_from_json(root["pipeline"].dump(), registry, "pipeline", Completeness::draft);
  if (!graph.ok()) return text;
  resolve_inputs(graph.value(), registry, from);
  root["pipeline"] = Json::parse(portable_json(graph.value(), registry, to));
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_pipeline_file(const std::string& path) {
  if (embeds_record(path)) return false;
  const Result<std::string> text = read_text(path);
  if (!text.ok()) return false;
  const Result<json::Document> document = json::read_document(text.value(), path);
  if (!document.ok() || !document.value().root.is_object()) return false;
  const Json& root = document.value().root;
  return root.contains("format") && root["format"] == "tomoloom-pipeline";
}

Result<void> save_pipeline(const Graph& graph, const Registry& registry, const std::string& path,
                           const io::OutputRules& rules) {
  return io::write_text(path, portable_json(graph, registry, std::filesystem::path(path).parent_path()), rules);
}

}  // namespace tl
