// Pairs of sinograms and slices in a file, and pipelines that learn from them, for tests and benchmarks of TV followed
// by a network.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/units.h"
#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "core/learn/learner/learner.h"
#include "core/learn/learning.h"
#include "core/node/registry.h"
#include "gpu/projection/projector/projector.h"
#include "tests/support/io/hdf5_maker.h"

namespace tl::test {

struct PairsScene {
  int64_t width = 64, views = 30, cols = 96, train = 8, held_out = 2;
  double noise = 0.01;  // noise of the line integrals, in units of the slice's edge
  uint64_t seed = 1;
};

// Attenuations of one in a disc with holes; row 0 has the smallest y.
inline at::Tensor slice_with_holes(int64_t width, const Philox& random, uint64_t number) {
  const at::Tensor line = (at::arange(width, at::kDouble) + 0.5) / static_cast<double>(width) * 2 - 1;
  const at::Tensor x = line.view({1, -1}), y = line.view({-1, 1});
  const auto disc = [&](double cx, double cy, double r) { return ((x - cx).square() + (y - cy).square()) < r * r; };
  at::Tensor slice = disc(0, 0, 0.8).to(at::kDouble);
  for (uint64_t i = 0; i < 14; ++i) {
    const auto draw = [&](uint64_t which) { return random.uniform(1000 * number + 4 * i + which); };
    const double angle = 2 * pi * draw(0), far = 0.65 * std::sqrt(draw(1));
    slice = at::where(disc(far * std::cos(angle), far * std::sin(angle), 0.05 + 0.11 * draw(2)), 0.0, slice);
  }
  return slice;
}

// train/{sinogram,phantom}, validation/{sinogram,phantom} and angles_rad, from 30 to 150 degrees; lengths in slices.
inline void write_pairs(const std::string& file, const PairsScene& scene) {
  const Philox random{scene.seed, 0x0a6};
  const double pixel = 1 / static_cast<double>(scene.width);
  std::vector<double> angles;
  for (int64_t v = 0; v < scene.views; ++v)
    angles.push_back(pi / 6 + 2 * pi / 3 * static_cast<double>(v) / static_cast<double>(scene.views - 1));
  Hdf5Maker maker(file);
  uint64_t number = 0, drawn = uint64_t{1} << 32;
  for (const auto& [group, count] : {std::pair("train", scene.train), std::pair("validation", scene.held_out)}) {
    std::vector<at::Tensor> slices, sinograms;
    for (int64_t i = 0; i < count; ++i) {
      const at::Tensor slice = slice_with_holes(scene.width, random, number++).unsqueeze(0).contiguous();
      const auto g = ScanGeometry::parallel(angles, {1, scene.cols, pixel, pixel}).or_throw();
      const OperatorPtr op = make_projector({g, VolumeGrid::cubic(1, scene.width, scene.width, pixel)}).or_throw();
      at::Tensor views = op->apply(slice).squeeze(1).contiguous();
      auto* p = views.mutable_data_ptr<double>();
      for (int64_t k = 0; k < views.numel(); ++k, drawn += 2)
        p[k] += scene.noise * std::sqrt(-2 * std::log(random.uniform(drawn))) *
                std::cos(2 * pi * random.uniform(drawn + 1));
      slices.push_back(slice[0]);
      sinograms.push_back(views);
    }
    const auto put = [&](const std::string& name, const std::vector<at::Tensor>& samples) {
      const at::Tensor all = at::stack(samples).to(at::kFloat).contiguous();
      const std::vector<hsize_t> shape{static_cast<hsize_t>(all.size(0)), static_cast<hsize_t>(all.size(1)),
                                       static_cast<hsize_t>(all.size(2))};
      const auto* first = all.const_data_ptr<float>();
      maker.numbers<float>(name, shape, std::vector<float>(first, first + all.numel()));
    };
    put(std::string(group) + "/phantom", slices);
    put(std::string(group) + "/sinogram", sinograms);
  }
  maker.numbers<double>("angles_rad", {static_cast<hsize_t>(scene.views)}, angles);
}

// The bundled pipeline tv-network on a file.
inline Graph tv_network(const std::string& file, const Registry& registry) {
  for (const Template& t : templates())
    if (t.name == "tv-network") {
      Graph g = graph_from_json(t.text, registry, "tv-network", Completeness::draft).or_throw();
      g.nodes.at("pairs").params["file"] = file;
      return g;
    }
  return {};
}

// The pipeline with filtered back-projection, and its settings, instead of total variation.
inline Graph with_fbp(Graph g) {
  const ParamValue width = g.nodes.at("tv").params.at("width");
  g.nodes.at("tv") = {"recon.fbp", 1, {{"width", width}}};
  learn::Settings s = learn::settings_of(g).or_throw();
  std::erase_if(s.targets, [](const learn::Target& t) { return t.node == "tv"; });
  return learn::with_settings(std::move(g), s);
}

// The pipeline with a second total variation, starting at another strength, as a second input of the network.
inline Graph with_second_tv(Graph g, double strength) {
  g.nodes["tv_2"] = g.nodes.at("tv");
  g.nodes.at("tv_2").params["strength"] = Number{strength, Unit::per_mm};
  g.links.push_back({"pairs", "projections", "tv_2", "projections"});
  g.links.push_back({"tv_2", "volume", "network", "volume_2"});
  learn::Settings s = learn::settings_of(g).or_throw();
  learn::Target second = s.targets.front();
  second.node = "tv_2";
  s.targets.push_back(second);
  return learn::with_settings(std::move(g), s);
}

}  // namespace tl::test
