// A bead in a scan: what a reconstruction makes of its file alone says whether every sign and distance was understood.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/run/executor.h"

namespace tl::test {

// Where a volume has its largest values: the centre of mass of what exceeds half of the maximum [mm].
inline Vec3 brightest_place(const Volume& volume) {
  const at::Tensor data = volume.data.to(at::kDouble), weight = at::relu(data - 0.5 * data.max());
  const at::Tensor places = weight.nonzero();
  Vec3 sum;
  for (int64_t n = 0; n < places.size(0); ++n) {
    const auto index = [&](int64_t axis) { return places[n][axis].item<int64_t>(); };
    sum = sum + weight[index(0)][index(1)][index(2)].item<double>() *
                    volume.grid.position(static_cast<double>(index(0)), static_cast<double>(index(1)),
                                         static_cast<double>(index(2)));
  }
  return (1 / weight.sum().item<double>()) * sum;
}

// What FDK makes of the file, without any other number than parameters of the load node.
inline Vec3 reconstructed_bead(const std::filesystem::path& file, std::map<std::string, ParamValue> load = {}) {
  load["file"] = file.string();
  Graph graph;
  graph.nodes["load"] = {"input.load_scan", 1, load};
  graph.nodes["flat"] = {"correct.flat_field", 1, {}};
  graph.nodes["fdk"] = {"recon.fdk", 1, {}};
  graph.links = {{"load", "projections", "flat", "projections"}, {"flat", "projections", "fdk", "projections"}};
  Executor executor(Registry::all(), {});
  const VolumeGrid grid = std::get<VolumeInfo>(executor.infos(graph, "fdk").or_throw().at("volume")).grid;
  return brightest_place(std::get<Volume>(executor.pull(graph, "fdk", "volume", grid).or_throw()));
}

}  // namespace tl::test
