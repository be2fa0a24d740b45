// Prepares a batch run: sets inputs and parameters of the graph, and checks its outputs.
#include "core/run/automatic/batch.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/graph/bypass.h"
#include "core/io/output/slab.h"
#include "core/node/data_file.h"

namespace tl {
namespace fs = std::filesystem;
namespace {

// The path in a parameter as it will be used, or "".
std::string path_value(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  const ParamValue& value = set == node.params.end() ? decl.initial : set->second;
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

fs::path without_trailing_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

Result<void> check_one(const fs::path& path, const io::OutputRules& rules) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  TL_TRY(rules.check(path, fs::is_directory(status) ? io::OutputKind::folder : io::OutputKind::file));
  if (fs::is_symlink(fs::symlink_status(path, failed)) && !fs::exists(status))
    return invalid("the output is a symbolic link that leads nowhere", path.string(),
                   "Remove the link, or choose another name");
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status) && !fs::is_directory(status))
      return io_error("not a regular file", path.string(), "Choose a file name in a folder");
    if (rules.overwrite == io::Overwrite::refuse)
      return invalid("the output exists already", path.string(),
                     two_wordings("Choose another name, or allow it with --overwrite",
                                  "Choose another name, or run all (F5) and answer Replace"));
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failed))
    return io_error("the folder of the output does not exist", folder.string(), "Make it, or choose another name");
  if (access(folder.c_str(), W_OK) != 0)
    return io_error("the folder is not writable", folder.string(), "Choose another one");
  return ok();
}

// Whether two paths refer to the same file, through links or another spelling.
bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  if (a == b || fs::equivalent(a, b, failed)) return true;
  const fs::path real_a = fs::weakly_canonical(a, failed);
  return !failed && real_a == fs::weakly_canonical(b, failed) && !failed;
}

// Whether `path` is inside `folder`, after resolving links in its parent folders. The last component may be a link: its
// owner put it into the folder.
bool is_inside(const fs::path& path, const fs::path& folder) {
  std::error_code failed;
  const fs::path from = fs::weakly_canonical(fs::absolute(folder.empty() ? fs::path(".") : folder), failed);
  const fs::path to = fs::weakly_canonical(fs::absolute(path).parent_path(), failed) / path.filename();
  if (failed) return false;
  const fs::path below = to.lexically_relative(from.has_filename() ? from : from.parent_path());
  return !below.empty() && *below.begin() != "..";
}

// "node.parameter" of "node.parameter=value".
bool is_set(const std::vector<std::string>& settings, const std::string& parameter) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const std::string& setting) { return setting.starts_with(parameter + "="); });
}

}  // namespace

Result<void> apply_settings(Graph& graph, const Registry& registry, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    const auto dot = setting.rfind('.', equals);
    if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals)
      return invalid("a setting is written node.parameter=value", setting, "For example fbp.cutoff=0.5");
    const std::string node = setting.substr(0, dot), param = setting.substr(dot + 1, equals - dot - 1);
    std::string value = setting.substr(equals + 1);
    const NodeType* type = find_node_type(graph, registry, node);
    const ParamDecl* decl = type == nullptr ? nullptr : type->param(param);
    if (decl != nullptr && decl->path == PathRole::input && !value.empty()) value = fs::absolute(value).string();
    TL_TRY(set_param(graph, registry, node, param, value));
  }
  return ok();
}

Result<void> set_input(Graph& graph, const Registry& registry, const fs::path& path) {
  std::vector<std::pair<std::string, std::string>> inputs, without_file;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    const ParamDecl* const file = type == nullptr ? nullptr : data_file_of(*type);
    if (file == nullptr) continue;
    inputs.emplace_back(id, file->name);
    if (path_value(node, *file).empty()) without_file.emplace_back(id, file->name);
  }
  if (inputs.size() > 1 && without_file.size() == 1) inputs = without_file;
  if (inputs.empty()) return invalid("the pipeline reads no file, so it has no parameter for an input", path.string());
  if (inputs.size() > 1) {
    std::string names;
    for (const auto& [node, param] : inputs) names += (names.empty() ? "" : ", ") + node + "." + param;
    return invalid("the pipeline reads several files", names,
                   two_wordings("Say which: --set " + inputs[0].first + "." + inputs[0].second + "=FILE",
                                "Choose the file in the form of the node that reads it"));
  }
  graph.nodes[inputs[0].first].params[inputs[0].second] = fs::absolute(path).string();
  graph.made_from.erase(inputs[0].first);  // the input changes on purpose, so it is not compared
  return ok();
}

namespace {

// The path that a node writes: for a slab, in the folder next to the volume's name.
fs::path slab_or_whole(const fs::path& named, const GraphNode& node) {
  const auto int_param = [&node](const char* name) {
    const auto set = node.params.find(name);
    const auto* value = set == node.params.end() ? nullptr : std::get_if<int64_t>(&set->second);
    return value == nullptr ? int64_t{1} : *value;
  };
  const io::Slab slab{int_param("part"), int_param("parts")};
  return slab.count > 1 ? io::slab_file(named, slab) : named;
}

// Output files of the graph's active output nodes: "node.parameter" and the path in the output folder.
std::vector<OutsideOutput> named_outputs(const Graph& drawn, const Registry& registry, const RunOptions& options) {
  std::vector<OutsideOutput> outputs;
  const Graph graph = used_graph(drawn, registry).graph;
  const auto order = topological_order(graph);
  if (!order.ok()) return outputs;
  for (const std::string& id : order.value()) {
    const NodeType* type = find_node_type(graph, registry, id);
    if (type == nullptr || !type->is_output) continue;
    for (const ParamDecl& decl : type->params) {
      const std::string path = path_value(graph.nodes.at(id), decl);
      if (decl.path == PathRole::output && !path.empty())
        outputs.push_back({id + "." + decl.name,
                           slab_or_whole(without_trailing_slash(options.output_dir / path), graph.nodes.at(id))});
    }
  }
  return outputs;
}

}  // namespace

std::vector<fs::path> output_paths(const Graph& drawn, const Registry& registry, const RunOptions& options) {
  std::vector<fs::path> paths;
  for (OutsideOutput& output : named_outputs(drawn, registry, options)) paths.push_back(std::move(output.path));
  return paths;
}

std::vector<fs::path> outputs_with_records(const Graph& graph, const Registry& registry, const RunOptions& options) {
  std::vector<fs::path> names;
  for (const fs::path& output : output_paths(graph, registry, options)) {
    names.push_back(output);
    names.push_back(fs::path(output) += ".json");
  }
  return names;
}

std::vector<OutsideOutput> outputs_outside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                           const std::vector<std::string>& settings) {
  std::vector<OutsideOutput> outside;
  for (OutsideOutput& output : named_outputs(graph, registry, options)) {
    if (is_set(settings, output.parameter) || is_inside(output.path, options.output_dir)) continue;
    output.path = fs::absolute(output.path).lexically_normal();
    outside.push_back(std::move(output));
  }
  return outside;
}

Result<void> check_outputs_inside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                  const std::vector<std::string>& settings) {
  const auto outside = outputs_outside(graph, registry, options, settings);
  if (outside.empty()) return ok();
  return invalid("the pipeline writes outside of the output folder: " + outside.front().path.string(),
                 outside.front().parameter,
                 two_wordings("Allow it with --allow-outside, or name the file yourself with --set " +
                                  outside.front().parameter + "=FILE",
                              "Choose the file in the form of the output node"));
}

fs::path record_path(const std::vector<fs::path>& outputs) {
  if (outputs.empty()) return {};
  fs::path main = outputs.front();
  for (const fs::path& p : outputs) {
    if (p.extension() == ".png" || p.extension() == ".json") continue;
    main = p;
    break;
  }
  return main += ".json";
}

Result<void> check_writable(const std::vector<fs::path>& outputs, const io::OutputRules& rules) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (same_place(outputs[i], outputs[j]))
        return invalid("two outputs have the same name", outputs[i].string(), "Give each output a name of its own");
    TL_TRY(check_one(outputs[i], rules));
    // A folder is replaced as a whole, so that no other output may lie in it.
    for (std::size_t j = 0; j < outputs.size(); ++j)
      if (std::error_code failed; j != i && fs::is_directory(outputs[j], failed) && is_inside(outputs[i], outputs[j]))
        return invalid("an output would be inside another one, " + outputs[j].string(), outputs[i].string(),
                       "Choose a name outside of that folder");
  }
  return ok();
}

Result<RunReport> run_batch(Executor& executor, const Graph& graph, const Registry& registry,
                            const std::vector<std::string>& outputs) {
  std::vector<fs::path> names;
  for (const OutsideOutput& output : named_outputs(graph, registry, executor.options())) {
    const std::string node = output.parameter.substr(0, output.parameter.rfind('.'));
    if (!outputs.empty() && std::find(outputs.begin(), outputs.end(), node) == outputs.end()) continue;
    names.push_back(output.path);
    names.push_back(fs::path(output.path) += ".json");
  }
  TL_TRY(check_writable(names, executor.rules_for(graph)));
  return executor.run(graph, outputs);
}

std::vector<std::string> found_values(const RunReport& report) {
  std::vector<std::string> lines;
  for (const auto& [node, findings] : report.findings) {
    for (const auto& [name, value] : findings.values) {
      const auto* s = std::get_if<Scalar>(&value);
      if (s == nullptr || !s->value.defined()) continue;
      // Six digits for display; the record has all digits.
      std::string line = node + ": " + name + " = " +
                         formatted("%.6g ", from_stored(s->value.item<double>(), s->unit)) +
                         std::string(symbol(s->unit));
      if (s->uncertainty > 0) line += formatted(" +- %.2g", from_stored(s->uncertainty, s->unit));
      if (s->verdict != Verdict::none) line += " (" + std::string(to_string(s->verdict)) + ")";
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::map<std::string, std::string> found_columns(const std::map<std::string, Findings>& findings) {
  // Nine digits suffice for every measured value; the record has all digits.
  const auto number = [](double value) { return formatted("%.9g", value); };
  std::map<std::string, std::string> columns;
  for (const auto& [node, of_node] : findings)
    for (const auto& [name, value] : of_node.values) {
      const auto* found = std::get_if<Scalar>(&value);
      if (found == nullptr || !found->value.defined()) continue;
      const std::string unit(symbol(found->unit)), in = unit.empty() ? unit : " [" + unit + "]";
      const std::string column = node + "." + name;
      columns[column + in] = number(from_stored(found->value.item<double>(), found->unit));
      if (found->uncertainty > 0)
        columns[column + " sigma" + in] = number(from_stored(found->uncertainty, found->unit));
      if (found->verdict != Verdict::none) columns[column + " verdict"] = std::string(to_string(found->verdict));
    }
  return columns;
}

}  // namespace tl
