// Finds models on the way to the objective that the data take beyond what they hold for.
#include <cmath>

#include "core/learn/problem.h"
#include "core/learn/short_number.h"
#include "core/nodes/phase/phase_node.h"

namespace tl::learn {
namespace {

// The number of a parameter in its stored unit, where it is set.
std::optional<double> stored_number(const GraphNode& node, const NodeType& type, const char* name) {
  const auto set = node.params.find(name);
  const ParamDecl* decl = type.param(name);
  if (set == node.params.end() || decl == nullptr) return std::nullopt;
  const ParamValue value = to_stored(in_unit(set->second, decl->unit));
  const auto* number = std::get_if<Number>(&value);
  return number == nullptr ? std::nullopt : std::optional(number->value);
}

}  // namespace

// Of forward models alone: a retrieval beyond it smooths, and is judged by what it makes.
std::string Problem::exceeded_limit() const {
  for (const auto& [id, node] : graph_.nodes) {
    if (node.type != "phase.propagate") continue;
    const auto model = node.params.find("model");
    if (model != node.params.end() && model->second == ParamValue(std::string("fresnel"))) continue;
    const Link* link = graph_.link_into(id, "projections");
    if (link == nullptr) continue;
    const auto infos = executor_->infos(graph_, link->from_node);
    if (!infos.ok()) continue;
    const auto info = infos.value().find(link->from_port);
    if (info == infos.value().end() || !std::holds_alternative<ProjectionsInfo>(info->second)) continue;
    const NodeType& type = *registry_->find(node.type);
    MaterialParams p;
    if (const auto energy = stored_number(node, type, "energy")) p.energy.value = Energy{*energy};
    if (const auto distance = stored_number(node, type, "distance")) p.distance.value = Length{*distance};
    const auto beam = beam_setting(p, std::get<ProjectionsInfo>(info->second));
    if (!beam.ok() || beam.value().chi_nyquist <= 1) continue;
    return "the transport of intensity does not hold for details of the pixel size at this distance (pi lambda z f^2 "
           "is " +
           short_number(beam.value().chi_nyquist) +
           " there, and may be 1): that displaces the value by an unknown amount";
  }
  return {};
}

}  // namespace tl::learn
