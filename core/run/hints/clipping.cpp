// Counts the voxels of middle slices that integers would clip.
#include "core/run/hints/clipping.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/graph/upstream.h"
#include "core/io/volumes/clipped_voxels.h"
#include "core/node/registry.h"
#include "core/run/executor.h"

namespace tl {
namespace {

std::optional<double> number_in(const GraphNode& node, const char* name) {
  const auto set = node.params.find(name);
  const auto* number = set == node.params.end() ? nullptr : std::get_if<Number>(&set->second);
  return number == nullptr ? std::nullopt : std::optional(number->value);
}

ClippedSlice counted(const at::Tensor& slice, const SavedIntegers& saved) {
  const io::SampleScale scale{io::sample_type_named(saved.type).value(), saved.low, saved.high};
  const io::ClippedVoxels found = io::clipped_voxels(slice, scale);
  return {{}, found.share(), found.clipped() > 0 ? found.text(scale) : std::string()};
}

}  // namespace

std::optional<SavedIntegers> saved_integers(const GraphNode& node) {
  const auto type = node.params.find("type");
  if (!Registry::all().has_role(node.type, NodeRole::save_volume) || type == node.params.end()) return std::nullopt;
  const auto* name = std::get_if<std::string>(&type->second);
  const auto sample = name == nullptr ? std::nullopt : io::sample_type_named(*name);
  const auto low = number_in(node, "low"), high = number_in(node, "high");
  if (!sample || *sample == io::SampleType::float32 || !low || !high || !(*low < *high)) return std::nullopt;
  return SavedIntegers{*name, *low, *high};
}

ClippedSlice clipped_in(const picture::Image& slice, const SavedIntegers& saved) {
  // Only read: from_blob() does not accept a const pointer.
  auto* pixels = const_cast<float*>(slice.pixels.data());
  return counted(at::from_blob(pixels, {slice.rows, slice.cols}, at::kFloat), saved);
}

Result<std::vector<ClippedSlice>> clipped_slices(Executor& executor, const Graph& graph) {
  std::vector<ClippedSlice> found;
  for (const auto& [id, node] : graph.nodes) {
    const auto saved = saved_integers(node);
    const Link* link = graph.link_into(id, "volume");
    if (!saved || node.use != NodeUse::active || link == nullptr) continue;
    const Graph before = upstream_of(graph, {link->from_node});
    TL_TRY(const Infos infos, executor.infos(before, link->from_node));
    const Region slice = middle_region(infos.at(link->from_port));
    TL_TRY(const Value value, executor.pull(before, link->from_node, link->from_port, slice));
    ClippedSlice clipped = counted(std::get<Volume>(value).data.detach().to(at::kCPU), *saved);
    clipped.node = id;
    found.push_back(std::move(clipped));
  }
  return found;
}

}  // namespace tl
