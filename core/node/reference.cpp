// Writes the reference pages of nodes as Markdown and JSON, from their declarations.
#include "core/node/reference.h"

#include <nlohmann/json.hpp>

namespace tl {
namespace {

using Json = nlohmann::ordered_json;

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// Text of a table cell: bars are escaped and line breaks replaced.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos;) {
    const std::string instead = text[at] == '|' ? "\\|" : " ";
    text.replace(at, 1, instead);
    at += instead.size();
  }
  return or_dash(text);
}

std::string default_text(const ParamDecl& p) {
  return std::holds_alternative<std::monostate>(p.initial) ? "auto" : to_text(p.initial);
}

std::string ports_markdown(const char* title, const std::vector<PortDecl>& ports) {
  if (ports.empty()) return {};
  std::string text = std::string("\n**") + title + "**\n\n| name | type | meaning |\n| --- | --- | --- |\n";
  for (const PortDecl& p : ports)
    text += "| `" + p.name + "` | " + std::string(to_string(p.type)) + (p.required ? "" : ", optional") + " | " +
            cell(p.help) + " |\n";
  return text;
}

std::string params_markdown(const std::vector<ParamDecl>& params) {
  if (params.empty()) return {};
  std::string text = "\n**Parameters**\n\n| name | accepts | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const ParamDecl& p : params) {
    std::string meaning = p.help;
    if (!p.automatic.empty()) meaning += " `auto`: " + p.automatic + ".";
    if (p.learnable) meaning += " Learnable.";
    if (p.level == ParamLevel::advanced) meaning += " (advanced)";
    text += "| `" + p.name + "` | " + cell(accepted_values(p)) + " | " + cell(default_text(p)) + " | " + cell(meaning) +
            " |\n";
  }
  return text;
}

Json ports_json(const std::vector<PortDecl>& ports) {
  Json list = Json::array();
  for (const PortDecl& p : ports)
    list.push_back({{"name", p.name}, {"type", to_string(p.type)}, {"required", p.required}, {"help", p.help}});
  return list;
}

Json param_json(const ParamDecl& p) {
  Json j = {{"name", p.name},
            {"title", p.title},
            {"kind", to_string(p.kind)},
            {"unit", symbol(p.unit)},
            {"default", default_text(p)},
            {"level", p.level == ParamLevel::basic ? "basic" : "advanced"},
            {"learnable", p.learnable},
            {"help", p.help}};
  if (p.low) j["low"] = *p.low;
  if (p.high) j["high"] = *p.high;
  if (!p.automatic.empty()) j["automatic"] = p.automatic;
  for (const Choice& c : p.choices) j["choices"].push_back({{"name", c.name}, {"title", c.title}});
  if (p.path != PathRole::none) j["path"] = p.path == PathRole::input ? "input" : "output";
  return j;
}

Json type_json(const NodeType& t) {
  Json params = Json::array();
  for (const ParamDecl& p : t.params) params.push_back(param_json(p));
  Json j = {{"id", t.id},
            {"version", t.version},
            {"title", t.title},
            {"category", t.category},
            {"summary", t.summary},
            {"description", t.description},
            {"partition", to_string(t.partition)},
            {"writes_files", t.is_output},
            {"place", t.compute_on == ComputeOn::gpu            ? "gpu"
                      : t.compute_on == ComputeOn::input_device ? "its input"
                                                                : "processor"},
            {"differentiable", t.differentiable},
            {"inputs", ports_json(t.inputs)},
            {"outputs", ports_json(t.outputs)},
            {"parameters", params},
            {"citations", t.citations},
            {"synonyms", t.synonyms}};
  if (!t.differentiable) j["why_not_differentiable"] = t.why_not_differentiable;
  return j;
}

}  // namespace

std::string_view to_string(Partition partition) {
  switch (partition) {
    case Partition::pointwise: return "pointwise";
    case Partition::per_view: return "per_view";
    case Partition::per_row: return "per_row";
    case Partition::reduce: return "reduce";
    case Partition::whole: return "whole";
    case Partition::custom: return "custom";
  }
  return "unknown";
}

std::string accepted_values(const ParamDecl& p) {
  std::string text;
  const auto limit_text = [](double v) { return format_quantity(v, Unit::none); };
  if (p.kind == ParamKind::choice) {
    for (const Choice& c : p.choices) text += (text.empty() ? "" : ", ") + c.name;
  } else if (p.low && p.high) {
    text = limit_text(*p.low) + " to " + limit_text(*p.high);
  } else if (p.low) {
    text = ">= " + limit_text(*p.low);
  } else if (p.high) {
    text = "<= " + limit_text(*p.high);
  } else {
    text = p.path != PathRole::none ? (p.path == PathRole::input ? "an input file" : "an output file")
                                    : std::string(to_string(p.kind));
  }
  if (p.unit != Unit::none) text += " " + std::string(symbol(p.unit));
  if (!p.automatic.empty()) text += ", or auto";
  return text;
}

std::string node_markdown(const NodeType& t, const NodePictures& pictures) {
  std::string text = "### " + t.title + "\n\n`" + t.id + "`, version " + std::to_string(t.version) + ", " + t.category +
                     "\n\n" + t.summary + "\n";
  if (!t.description.empty()) text += "\n" + t.description + "\n";
  if (const auto picture = pictures.find(t.id); picture != pictures.end())
    text += "\n![Before and after " + t.title + "](" + picture->second + ")\n";
  text += ports_markdown("Inputs", t.inputs) + ports_markdown("Outputs", t.outputs) + params_markdown(t.params);
  text += "\nWork is cut: " + std::string(to_string(t.partition)) + ".";
  if (t.compute_on == ComputeOn::gpu) text += " It has a version for GPUs.";
  if (t.compute_on == ComputeOn::input_device) text += " It runs where its input is.";
  text += t.differentiable ? " Gradients flow through it.\n" : " No gradients: " + t.why_not_differentiable + ".\n";
  for (const std::string& c : t.citations) text += "\nReference: " + c + "\n";
  return text;
}

std::string node_json(const NodeType& type) { return type_json(type).dump(2) + "\n"; }

std::string registry_markdown(const Registry& registry, const NodePictures& pictures) {
  std::string text =
      "# Node reference\n\nMade by `tomoloom nodes --markdown --overwrite --pictures resources/docs/nodes` from the "
      "declarations in `core/nodes`.\n";
  std::string category;
  for (const NodeType& t : registry.types()) {
    if (t.category != category) text += "\n## " + (category = t.category) + "\n";
    text += "\n" + node_markdown(t, pictures);
  }
  return text;
}

std::string registry_json(const Registry& registry) {
  Json list = Json::array();
  for (const NodeType& t : registry.types()) list.push_back(type_json(t));
  return list.dump(2) + "\n";
}

}  // namespace tl
