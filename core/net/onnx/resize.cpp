// Resize of ONNX: by a whole factor, or to the size of another map.
#include <ATen/ATen.h>

#include <cmath>
#include <cstring>

#include "core/net/onnx/importer.h"

namespace tl::net::onnx {
namespace {

constexpr int64_t first_opset_with_sizes = 11;

const char* const resize_hint =
    "Networks enlarge by an integer factor, or to the size of another map, nearest or linear without align_corners";

}  // namespace

// Sets `stride`, or as second input the layer whose size is taken; neither if the map has the wanted size already.
Result<void> Importer::wanted_size(const OnnxNode& n, const std::vector<InputDependentSize>& wanted, Layer& l) {
  const int64_t whole = l.inputs[0], axes = dims();
  const auto along = [&](int64_t axis) -> const InputDependentSize& {
    return wanted[wanted.size() - static_cast<std::size_t>(axes - axis)];
  };
  const InputDependentSize& first = along(0);
  if (!first.axes.empty()) {
    const int64_t layer = first.axes[0].layer, factor = first.axes[0].multiple;
    for (int64_t axis = 0; axis < axes; ++axis) {
      InputDependentSize expected;
      expected.axes = {{layer, axis + 2, factor}};
      if (!equal(along(axis), expected)) return refused(n, "enlarges a map to a size of its own", resize_hint);
    }
    if (same_size(layer, whole)) {
      l.stride = factor;
    } else if (factor == 1) {
      l.inputs.push_back(layer);
    } else {
      return refused(n, "enlarges a map to a multiple of another", resize_hint);
    }
    return ok();
  }
  const auto size = stated_size(whole);
  if (!size) return refused(n, "enlarges a map of a size that the model does not state", resize_hint);
  bool whole_factor = true, as_input = true;
  for (int64_t axis = 0; axis < axes; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const InputDependentSize& t = along(axis);
    whole_factor = whole_factor && t.axes.empty() && t.constant % (*size)[k] == 0 &&
                   t.constant / (*size)[k] == first.constant / (*size)[0];
    as_input = as_input && t.axes.empty() && t.constant == input_size_[k];
  }
  if (whole_factor) {
    l.stride = first.constant / (*size)[0];
  } else if (as_input) {
    l.inputs.push_back(0);
  } else {
    return refused(n, "does not enlarge a map by an integer factor", resize_hint);
  }
  return ok();
}

// Up to version 10 no region of interest precedes the factors; for Upsample they were an attribute once.
Result<at::Tensor> Importer::factors_of(const OnnxNode& n) {
  const OnnxAttribute* listed = n.attribute("scales");
  if (listed == nullptr) return numbers(n, model_.opset < first_opset_with_sizes ? 1 : 2);
  at::Tensor all = at::empty({static_cast<int64_t>(listed->reals.size() / sizeof(float))}, at::kFloat);
  std::memcpy(all.data_ptr(), listed->reals.data(), all.nbytes());
  return all;
}

Result<void> Importer::resize(const OnnxNode& n) {
  TL_TRY(const int64_t input, one_map(n, 0));
  Layer l;
  l.kind = LayerKind::resize;
  l.inputs = {input};
  const auto axes = static_cast<std::size_t>(dims());
  const OnnxAttribute* chosen = n.attribute("axes");
  const std::size_t all = chosen == nullptr ? axes + 2 : chosen->integers.size();
  if (chosen != nullptr && all == axes)
    for (std::size_t k = 0; k < axes; ++k)
      if (chosen->integers[k] != static_cast<int64_t>(k) + 2)
        return refused(n, "is along axes in another order", "Export the network again");
  if (!n.input(3).empty()) {
    TL_TRY(const std::vector<InputDependentSize> wanted, sizes(n, 3));
    if (wanted.size() != all || all < axes)
      return refused(n, "does not have one size per axis", "Export the network again");
    TL_TRY(wanted_size(n, wanted, l));
  } else {
    TL_TRY(const at::Tensor scales, factors_of(n));
    if (scales.numel() != static_cast<int64_t>(all) || all < axes)
      return refused(n, "does not have one factor per axis", "Export the network again");
    const at::Tensor factors = scales.to(at::kDouble).contiguous();
    const double* factor = factors.const_data_ptr<double>();
    for (std::size_t k = 0; k < all; ++k) {
      const bool space = k + axes >= all;
      const double expected = space ? factor[all - 1] : 1;
      if (factor[k] != expected || factor[k] != std::floor(factor[k]) || factor[k] < 1 || factor[k] > largest_kernel)
        return refused(n, "enlarges by " + std::to_string(factor[k]), resize_hint);
    }
    l.stride = static_cast<int64_t>(factor[all - 1]);
  }
  const bool by_factor = l.inputs.size() == 1;
  if (by_factor && (l.stride < 1 || l.stride > largest_kernel))
    return refused(n, "does not enlarge by an integer factor", resize_hint);
  const bool old = model_.opset < first_opset_with_sizes;
  const std::string_view mode = n.text("mode", "nearest"),
                         nearest = n.text("nearest_mode", old ? "floor" : "round_prefer_floor"),
                         centres = n.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const bool half = centres == "half_pixel" || centres == "pytorch_half_pixel";
  // For integer factors the nearest pixel is the same for both conventions, aligned corners or centres.
  const bool copies = mode == "nearest" && ((centres == "asymmetric" && nearest == "floor") ||
                                            (by_factor && half && nearest.substr(0, 6) == "round_"));
  const bool linear = mode == "linear" && half && n.integer("antialias", 0) == 0;
  if (!copies && !linear)
    return refused(n, "enlarges in the mode " + std::string(mode) + ", " + std::string(centres), resize_hint);
  l.interpolation = linear ? Interpolation::linear : Interpolation::nearest;
  l.name = named_layer(n, l.kind).name;
  return put_layer(n, std::move(l), channels_[static_cast<std::size_t>(input)], Form::map);
}

}  // namespace tl::net::onnx
