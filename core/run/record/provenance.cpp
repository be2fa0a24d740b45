// Describes as JSON how a result was made: provenance and records.
#include "core/run/record/provenance.h"

#include <ATen/ATen.h>
#include <hdf5.h>
#include <torch/headeronly/version.h>

#include <nlohmann/json.hpp>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/output/volume_writer.h"
#include "gpu/device/device.h"
#include "gpu/device/threads.h"

namespace tl {
namespace {

using json = nlohmann::ordered_json;

std::string device_name(const std::string& id) {
  for (const DeviceInfo& d : devices())
    if (d.id == id) return d.name;
  return id;
}

json versions() {
  return {{"tomoloom", version()},
          {"commit", TL_COMMIT},
          {"torch", TORCH_VERSION},
          {"hdf5", std::to_string(H5_VERS_MAJOR) + "." + std::to_string(H5_VERS_MINOR) + "." +
                       std::to_string(H5_VERS_RELEASE)}};
}

json value_json(const ParamValue& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b;
  if (const auto* i = std::get_if<int64_t>(&value)) return *i;
  if (const auto* n = std::get_if<Number>(&value)) return n->value;
  if (const auto* l = std::get_if<NumberList>(&value)) return l->values;
  // The numbers themselves are in the pipeline that every record contains.
  if (const auto* a = std::get_if<NumberArray>(&value)) return {{"shape", a->shape()}, {"digest", a->digest()}};
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return "auto";
}

std::string unit_of(const ParamValue& value) {
  if (const auto* n = std::get_if<Number>(&value)) return std::string(symbol(n->unit));
  if (const auto* l = std::get_if<NumberList>(&value)) return std::string(symbol(l->unit));
  if (const auto* a = std::get_if<NumberArray>(&value)) return std::string(symbol(a->unit()));
  return "";
}

json parameter(const std::string& node, const std::string& name, json value, const std::string& unit,
               double uncertainty, Verdict verdict) {
  json entry = {{"node", node}, {"name", name}, {"value", std::move(value)}, {"unit", unit}};
  entry["uncertainty"] = uncertainty > 0 ? json(uncertainty) : json();
  entry["verdict"] = verdict == Verdict::none ? json() : json(to_string(verdict));
  return entry;
}

// Found values come first, as readers look for them.
json parameters(const RunReport& report, const std::filesystem::path& folder) {
  json list = json::array();
  for (const auto& [node, findings] : report.findings)
    for (const auto& [name, value] : findings.values)
      if (const auto* s = std::get_if<Scalar>(&value))
        list.push_back(parameter(node, name, from_stored(s->value.item<double>(), s->unit),
                                 std::string(symbol(s->unit)), from_stored(s->uncertainty, s->unit), s->verdict));
  for (const UsedParameter& p : report.parameters) {
    json value = value_json(p.value);
    if (p.path == PathRole::input && value.is_string() && !value.get<std::string>().empty())
      value = relative_input(value.get<std::string>(), folder);
    list.push_back(parameter(p.node, p.name, std::move(value), unit_of(p.value), p.uncertainty, p.verdict));
  }
  return list;
}

json run_json(const RunOptions& options, const RunReport& report) {
  json inputs = json::object();
  for (const auto& [node, print] : report.fingerprints) inputs[node] = print;
  json device = {{"id", options.device}, {"name", device_name(options.device)}, {"threads", thread_limit()}};
  if (!options.device_reason.empty()) device["reason"] = options.device_reason;
  return {{"versions", versions()},
          {"device", std::move(device)},
          {"dtype", options.dtype == at::kDouble ? "float64" : "float32"},
          {"inputs", std::move(inputs)}};
}

}  // namespace

std::string version() { return TL_VERSION; }
std::string versions_json() { return versions().dump(2); }

std::string run_parameters_json(const RunReport& report, const std::filesystem::path& folder) {
  return parameters(report, folder).dump(2);
}

std::vector<std::string> changed_inputs(const Graph& graph, const RunReport& report) {
  std::vector<std::string> changed;
  for (const auto& [node, before] : graph.made_from) {
    const auto now = report.fingerprints.find(node);
    if (now != report.fingerprints.end() && now->second != before)
      changed.push_back("the input of \"" + node +
                        "\" is not the one that the result was made from: its content has another fingerprint, so the "
                        "numbers may differ");
  }
  return changed;
}

std::string provenance_json(const RunOptions& options, const RunReport& report) {
  return run_json(options, report).dump();
}

std::string record_json(const Graph& graph, const RunOptions& options, const RunReport& report,
                        const std::filesystem::path& folder,
                        const std::map<std::filesystem::path, std::string>& prints) {
  json record = {{"format", "tomoloom-record"}, {"schema_version", 1}};
  record["pipeline"] = json::parse(to_json(graph));
  record["parameters"] = parameters(report, folder);
  record["run"] = run_json(options, report);
  json nodes = json::object();
  for (const auto& [id, stats] : report.nodes) {
    nodes[id] = {
        {"seconds", stats.seconds}, {"blocks", stats.calls}, {"elements", stats.voxels}, {"device", stats.device}};
    if (!stats.why.empty()) nodes[id]["not_on_gpu"] = stats.why;
  }
  json sections = json::array();
  for (const Section& s : report.plan.sections)
    sections.push_back({{"node", s.node},
                        {"cut", to_string(s.axis)},
                        {"blocks", s.blocks.size()},
                        {"peak_bytes", s.peak},
                        {"gpu_peak_bytes", s.gpu_peak},
                        {"scratch_file", s.in_scratch_file}});
  record["run"]["seconds"] = report.seconds;
  const ThreadsUsed threads = threads_used();
  record["run"]["threads_used"] = {threads.fewest, threads.most};
  record["run"]["nodes"] = std::move(nodes);
  record["run"]["sections"] = std::move(sections);
  record["run"]["memory_budget_bytes"] = options.memory_given;
  record["run"]["block_budget_bytes"] = report.plan.budget;
  record["run"]["gpu_budget_bytes"] = report.plan.gpu_budget;
  json files = json::array();
  for (const auto& f : report.files) files.push_back(f.filename().string());
  record["files"] = std::move(files);
  record["fingerprints"] = json::object();
  for (const auto& [file, print] : prints)
    if (file.parent_path() == folder) record["fingerprints"][file.filename().string()] = print;
  record["volume_axes"] = io::volume_axes;
  return record.dump(2) + "\n";
}

}  // namespace tl
