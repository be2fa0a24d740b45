// Builds reports from entries of the history, their records and their files.
#include "core/history/report/entry_report.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/history/kept_files.h"
#include "core/history/recorder.h"
#include "core/history/report/bibtex.h"
#include "core/history/report/drawing.h"
#include "core/history/report/plots.h"
#include "core/history/report/slice_before.h"
#include "core/history/thumbnail.h"
#include "core/io/output/volume_writer.h"
#include "core/picture/levels.h"
#include "core/run/common/memory.h"
#include "core/run/common/progress.h"

namespace tl::history {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t longest_edge = 900;  // pixels of an image in a report

// The member of an object, null if there is none: records are untrusted.
Json member_of(const Json& object, const std::string& key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found == object.end() ? Json() : *found;
}

std::string words_of_json(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, double> seconds_by_node(const Json& record) {
  std::map<std::string, double> seconds;
  const Json nodes = member_of(member_of(record, "run"), "nodes");
  if (!nodes.is_object()) return seconds;
  for (const auto& [id, stats] : nodes.items())
    if (const Json s = member_of(stats, "seconds"); s.is_number()) seconds[id] = s.get<double>();
  return seconds;
}

std::string brief_seconds(double seconds) {
  if (seconds >= 60) return format_duration(seconds);
  return formatted(seconds < 1 ? "%.0f ms" : "%.1f s", seconds < 1 ? seconds * 1000 : seconds);
}

const Value* value_of_node(const Entry& entry, const std::string& node, const std::string& name) {
  const auto found = std::find_if(entry.values.begin(), entry.values.end(),
                                  [&](const Value& v) { return v.node == node && v.name == name; });
  return found == entry.values.end() ? nullptr : &*found;
}

ReportParameter found_parameter(const Value& value, const NodeType* type) {
  const ParamDecl* const decl = type == nullptr ? nullptr : type->param(value.name);
  return {decl == nullptr || decl->title.empty() ? value.name : decl->title, value_text(value), value.verdict,
          value.found()};
}

ReportParameter used_parameter(const Entry& entry, const Graph& graph, const std::string& id, const ParamDecl& decl) {
  const GraphNode& node = graph.nodes.at(id);
  const auto set = node.params.find(decl.name);
  const Value* const used = value_of_node(entry, id, decl.name);
  ReportParameter p{decl.title.empty() ? decl.name : decl.title, {}, set == node.params.end() ? "default" : "set"};
  p.value = used != nullptr ? value_text(*used) : to_text(set == node.params.end() ? decl.initial : set->second);
  if (const Link* const link = graph.link_into(id, decl.name))
    p.note = "driven by " + link->from_node + "." + link->from_port;
  return p;
}

ReportNode report_node(const Entry& entry, const Graph& graph, const Registry& registry, const std::string& id) {
  const GraphNode& node = graph.nodes.at(id);
  const NodeType* const type = registry.find(node.type);
  ReportNode part;
  part.title = type == nullptr ? node.type : type->title;
  part.id = id;
  if (node.use != NodeUse::active) part.state = to_string(node.use);
  for (const Value& value : entry.values)
    if (value.node == id && (value.found() || type == nullptr || type->param(value.name) == nullptr))
      part.parameters.push_back(found_parameter(value, type));
  if (type == nullptr) return part;
  part.summary = type->summary;
  for (const ParamDecl& decl : type->params) {
    const Value* const value = value_of_node(entry, id, decl.name);
    if (value == nullptr || !value->found()) part.parameters.push_back(used_parameter(entry, graph, id, decl));
  }
  return part;
}

std::map<std::string, NodeNotes> notes_of(const Entry& entry, const Registry& registry, const Graph& graph,
                                          const std::map<std::string, double>& seconds) {
  std::map<std::string, NodeNotes> notes;
  for (const Value& value : entry.values) {
    const ReportParameter p = found_parameter(value, find_node_type(graph, registry, value.node));
    if (value.found()) notes[value.node].values[value.name] = {p.name, p.value, true};
  }
  for (const auto& [id, s] : seconds) notes[id].foot = brief_seconds(s);
  return notes;
}

void add_files(Report& report, const char* word, const std::vector<File>& files) {
  for (const File& file : files) {
    const Presence presence = presence_of(file);
    std::string note = file.fingerprint;
    if (presence == Presence::missing) note += note.empty() ? "missing now" : ", missing now";
    if (presence == Presence::changed) note += note.empty() ? "changed since" : ", changed since";
    report.facts.push_back({word, file.path + (file.bytes > 0 ? ", " + format_bytes(file.bytes) : ""), note});
  }
}

void add_facts(Report& report, const Entry& entry, const Json& record) {
  const Json run = member_of(record, "run");
  report.facts.push_back({"What",
                          std::string(to_string(entry.kind)) + ", " + std::string(to_string(entry.state)) +
                              (entry.program.empty() ? "" : ", by the " + entry.program),
                          {}});
  report.facts.push_back({"Begun", time_text(entry.begun), {}});
  report.facts.push_back({"Took", brief_seconds(entry.seconds), {}});
  if (!entry.error.empty()) report.facts.push_back({"Error", entry.error, {}});
  const std::string threads = words_of_json(member_of(member_of(run, "device"), "threads"));
  if (!entry.device.empty())
    report.facts.push_back({"Device", entry.device, threads.empty() ? "" : threads + " threads"});
  std::string versions;
  if (const Json all = member_of(run, "versions"); all.is_object())
    for (const auto& [name, number] : all.items())
      versions += (versions.empty() ? "" : ", ") + name + " " + words_of_json(number);
  report.facts.push_back({"Versions", versions.empty() ? "tomoloom " + entry.version : versions, {}});
  if (const std::string type = words_of_json(member_of(run, "dtype")); !type.empty())
    report.facts.push_back({"Numbers", type, {}});
  if (!entry.digest.empty()) report.facts.push_back({"Digest of the pipeline", entry.digest, {}});
  add_files(report, "Read", entry.inputs);
  add_files(report, "Wrote", entry.outputs);
}

// The loss against the iteration, for entries of learning runs.
std::string loss_plot(const Json& record) {
  PlotLine line{"iteration", "loss", {}, {}};
  const Json history = member_of(member_of(record, "learning"), "history");
  if (!history.is_array()) return {};
  for (const Json& step : history) {
    const Json loss = member_of(step, "loss");
    if (!loss.is_number()) continue;
    line.x.push_back(static_cast<double>(line.x.size()));
    line.y.push_back(loss.get<double>());
  }
  return line_plot_svg(line);
}

picture::Image thumbnail_image(const Thumbnail& thumbnail) {
  picture::Image image{thumbnail.rows, thumbnail.cols, {}};
  for (const char c : thumbnail.pixels) image.pixels.push_back(static_cast<float>(static_cast<unsigned char>(c)));
  return image;
}

void add_images(Report& report, const Entry& entry, const Graph* graph, const Registry& registry, SliceBefore before,
                const CancelToken& cancel) {
  if (before == SliceBefore::compute && graph != nullptr) {
    const auto slice = slice_before(*graph, registry, cancel);
    if (slice.ok()) {
      report.images.push_back(
          {"Before: without corrections, alignment, phase retrieval and filters", png_of(slice.value())});
    } else if (slice.error().kind != ErrorKind::unavailable) {
      report.messages.push_back("No slice before: " + slice.error().message());
    }
  }
  std::vector<fs::path> files;
  for (const File& file : entry.outputs) files.emplace_back(file.path);
  const picture::Image after = small_slice(files, longest_edge, cancel);
  if (!after.pixels.empty()) {
    report.images.push_back({"After: the middle slice of the result", png_of(after)});
    if (std::string svg = histogram_svg(after, ""); !svg.empty())
      report.plots.push_back({"Values of the middle slice", std::move(svg)});
  } else if (!entry.thumbnail.pixels.empty()) {
    report.images.push_back({"After: the result, as it was kept small", png_of(thumbnail_image(entry.thumbnail))});
  }
}

}  // namespace

std::string png_of(const picture::Image& image) {
  if (image.rows < 1 || image.cols < 1 || image.pixels.size() != static_cast<std::size_t>(image.rows * image.cols))
    return {};
  const picture::Levels levels = picture::percentile_levels(image, picture::clipped_percent);
  const at::Tensor pixels = at::tensor(image.pixels, at::kFloat).reshape({image.rows, image.cols});
  const auto encoded = io::encoded_png(at::nan_to_num(pixels, levels.low), levels.low, levels.high, "image");
  if (!encoded.ok()) return {};
  return {reinterpret_cast<const char*>(encoded.value().data()), encoded.value().size()};
}

Report report_of(const Entry& entry, const Registry& registry, SliceBefore before, const CancelToken& cancel) {
  Json record = Json::parse(entry.record, nullptr, false);
  if (record.is_discarded()) record = Json::object();
  const auto pipeline = pipeline_of(entry, registry);
  const std::map<std::string, double> seconds = seconds_by_node(record);
  Report report;
  report.title = name_of(entry) + (entry.title.empty() ? "" : " · " + entry.title);
  report.subtitle = "Tomoloom " + entry.version + " · " + time_text(entry.begun);
  if (pipeline.ok()) {
    const Graph& graph = pipeline.value();
    report.pipeline = pipeline_svg(drawing_of(graph, registry, notes_of(entry, registry, graph, seconds)));
    report.bibtex = bibtex_of(graph, registry);
    std::vector<std::string> ids;
    if (auto order = topological_order(graph); order.ok()) ids = std::move(order).value();
    for (const std::string& id : ids) {
      ReportNode node = report_node(entry, graph, registry, id);
      if (const auto took = seconds.find(id); took != seconds.end()) node.time = brief_seconds(took->second);
      report.nodes.push_back(std::move(node));
    }
  } else {
    report.messages.push_back("The entry has no pipeline that can be read: its values are listed without it.");
    ReportNode values;
    values.title = "Values";
    for (const Value& value : entry.values) values.parameters.push_back(found_parameter(value, nullptr));
    if (!values.parameters.empty()) report.nodes.push_back(std::move(values));
  }
  add_images(report, entry, pipeline.ok() ? &pipeline.value() : nullptr, registry, before, cancel);
  if (std::string svg = loss_plot(record); !svg.empty()) report.plots.push_back({"Learning", std::move(svg)});
  std::vector<Bar> bars;
  for (const ReportNode& node : report.nodes)
    if (const auto took = seconds.find(node.id); took != seconds.end())
      bars.push_back({node.title, node.time, took->second});
  if (std::string svg = bars_svg(bars, "Time of the nodes"); !svg.empty())
    report.plots.push_back({"Time of the nodes", std::move(svg)});
  add_facts(report, entry, record);
  return report;
}

Result<void> check_report_name(const fs::path& file) {
  const std::string ending = lower_case(file.extension().string());
  if (ending != ".html" && ending != ".htm")
    return invalid("a report is written as HTML", file.string(), "Name a file that ends in .html or .pdf");
  return ok();
}

Result<void> write_report(const Report& report, const fs::path& file, const io::OutputRules& rules) {
  TL_TRY(check_report_name(file));
  return io::write_text(file, report_html(report), rules);
}

}  // namespace tl::history
