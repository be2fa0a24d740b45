// ONNX operators that join, cut, pad and enlarge maps. ONNX has no mirrored border with the edge repeated, and no crop
// to the size of another map: both are recognised as sequences of operators.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/net/onnx/importer.h"

namespace tl::net::onnx {
namespace {

constexpr int64_t to_the_end = int64_t{1} << 30;  // larger ends of slices mean: up to the end of the axis
const char* const crop_hint =
    "Cut maps to the size of the one that they are joined with, equally on both sides, or export for a fixed size";

bool is_number(const InputDependentSize& t) { return t.axes.empty(); }

}  // namespace

std::optional<Size> Importer::stated_size(int64_t layer) {
  if (std::any_of(input_size_.begin(), input_size_.end(), [](int64_t k) { return k < 1; })) return std::nullopt;
  if (stated_sizes_.size() != network_.layers.size()) {
    if (!channels_of(network_).ok()) return std::nullopt;  // strides of 0 have no sizes
    auto known = layer_sizes(network_, input_size_);
    if (!known.ok()) return std::nullopt;
    stated_sizes_ = std::move(known).value();
  }
  return stated_sizes_[static_cast<std::size_t>(layer)];
}

Result<void> Importer::slice(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->kind != OnnxMeaning::Kind::map) return slice_of_sizes(n);
  const OnnxMeaning m = *read;
  if (m.flat) return refused(n, "is applied to a vector", "Build the network without this operator");
  const int64_t rank = dims() + 2;
  TL_TRY(const std::vector<InputDependentSize> begins, sizes(n, 1, "starts"));
  TL_TRY(const std::vector<InputDependentSize> ends, sizes(n, 2, "ends"));
  std::vector<int64_t> axes, steps(begins.size(), 1);
  for (std::size_t k = 0; k < begins.size(); ++k) axes.push_back(static_cast<int64_t>(k));
  if (!n.input(3).empty() || n.attribute("axes") != nullptr) {
    TL_TRY(axes, integers(n, 3, "axes"));
  }
  if (!n.input(4).empty()) {
    TL_TRY(steps, integers(n, 4));
  }
  if (ends.size() != begins.size() || axes.size() != begins.size() || steps.size() != begins.size())
    return refused(n, "does not have one begin, end, axis and step for each axis", "Export the network again");
  for (int64_t& a : axes) {
    a += a < 0 ? rank : 0;
    if (a < 0 || a >= rank) return refused(n, "is along an axis that the map lacks", "Export the network again");
  }
  if (axes.size() == 1 && axes[0] > 1 && steps[0] == -1 && is_number(begins[0]) && is_number(ends[0]))
    return mirrored_end(n, axes[0], begins[0].constant, ends[0].constant);
  OnnxMeaning part = m;
  if (part.crop.empty()) {
    const std::vector<int64_t> none(static_cast<std::size_t>(dims()), 0);
    part.crop.push_back({-1, &n, std::vector<bool>(none.size(), false), none, none});
  }
  bool changes = false;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (is_number(begins[k]) && begins[k].constant == 0 && is_number(ends[k]) && ends[k].constant >= to_the_end &&
        steps[k] == 1)
      continue;
    if (axes[k] < 2 || steps[k] != 1 || !m.padding.empty())
      return refused(n, "takes a part of a map",
                     axes[k] < 2 ? "Build the network without splitting channels" : crop_hint);
    TL_TRY(crop_axis(n, part, axes[k], begins[k], ends[k]));
    changes = true;
  }
  if (!changes) return put(n, m);
  const Crop& c = part.crop[0];
  if (c.like < 0 || std::find(c.cropped.begin(), c.cropped.end(), false) != c.cropped.end())
    return put(n, std::move(part));
  TL_TRY(crop_like(n, part, c.like));
  return put(n, std::move(part));
}

Result<void> Importer::mirrored_end(const OnnxNode& n, int64_t axis, int64_t begin, int64_t end) {
  OnnxMeaning m;
  m.kind = OnnxMeaning::Kind::mirrored_end;
  m.end.of = n.input(0);
  m.end.axis = axis;
  m.end.first = begin >= 0;
  const bool right = m.end.first ? end <= -to_the_end : begin == -1 && end < -1 && end >= -largest_dilation - 1;
  m.end.pixels = m.end.first ? begin + 1 : -end - 1;
  if (!right || m.end.pixels < 1 || m.end.pixels > largest_dilation)
    return refused(n, "reverses a map", "Build the network without this operator");
  return put(n, std::move(m));
}

// Along one axis: either to the size of another layer, beginning at floor((this - that) / 2), or by numbers of pixels.
Result<void> Importer::crop_axis(const OnnxNode& n, OnnxMeaning& part, int64_t axis, const InputDependentSize& begin,
                                 const InputDependentSize& end) {
  Crop& c = part.crop[0];
  const auto k = static_cast<std::size_t>(axis - 2);
  if (c.cropped[k]) return refused(n, "cuts a map twice along one axis", crop_hint);
  c.cropped[k] = true;
  const int64_t whole = part.layers[0];
  if (!is_number(begin) || !is_number(end)) {
    for (const InputDependentSize::Axis& a : end.axes) {
      if (same_size(a.layer, whole)) continue;
      InputDependentSize first, last;
      first.axes = {{whole, axis, 1}, {a.layer, axis, -1}};
      last.axes = {{whole, axis, 1}, {a.layer, axis, 1}};
      first.divisor = last.divisor = 2;
      if (!equal(begin, first) || !equal(end, last) || (c.like >= 0 && !same_size(c.like, a.layer))) continue;
      c.like = a.layer;
      return ok();
    }
    return refused(n, "cuts a map to another part than its middle", crop_hint);
  }
  const auto size = stated_size(whole);
  int64_t first = begin.constant, last = end.constant;
  if (!size && (first < 0 || last > 0))
    return refused(n, "cuts a map of a size that the model does not state", crop_hint);
  if (size) {
    const int64_t length = (*size)[k];
    const auto place = [&](int64_t i) {
      return std::clamp<int64_t>(i < 0 ? std::max(i, -length) + length : i, 0, length);
    };
    first = place(first);
    last = place(last) - length;
  }
  constexpr int64_t max_cut = 1 << 20;
  if (first > max_cut || last < -max_cut || last > 0) return refused(n, "cuts more than there is", crop_hint);
  c.from_begin[k] = first;
  c.from_end[k] = -last;
  return ok();
}

// Converts the crop to a layer: the middle of the map, as large as `like`.
Result<void> Importer::crop_like(const OnnxNode& n, OnnxMeaning& part, int64_t like) {
  const Crop c = part.crop[0];
  part.crop.clear();
  TL_TRY(fix_scaling(n, part));
  TL_TRY(const int64_t whole, as_layer(*c.node, part));
  if (c.like >= 0 && !same_size(c.like, like)) return refused(n, "joins parts of maps with others", crop_hint);
  const auto size = stated_size(whole), wanted = stated_size(like);
  for (std::size_t k = 0; k < c.cropped.size() && c.like < 0; ++k) {
    const int64_t gone = c.from_begin[k] + c.from_end[k];
    if (gone / 2 != c.from_begin[k] || (size && wanted ? gone != (*size)[k] - (*wanted)[k] : !c.cropped[k]))
      return refused(*c.node, "does not cut out the middle of the size that it is joined with", crop_hint);
  }
  Layer l = named_layer(*c.node, LayerKind::crop);
  l.inputs = {whole, like};
  TL_TRY(const int64_t index, add_layer(n, std::move(l), channels_[static_cast<std::size_t>(whole)]));
  part.layers = {index};
  part.mean.clear();
  part.deviation.clear();
  return ok();
}

Result<std::vector<OnnxMeaning>> Importer::maps_of_one_size(const OnnxNode& n) {
  std::vector<OnnxMeaning> maps;
  int64_t like = -1;
  std::size_t together = 0;
  for (std::size_t k = 0; k < n.inputs.size(); ++k) {
    TL_TRY(const OnnxMeaning* m, meaning(n, k));
    if (m->kind != OnnxMeaning::Kind::map || !m->padding.empty())
      return refused(n, "joins inputs that are not maps", "Build the network without this operator");
    if (m->crop.empty() && like < 0) like = m->layers[0];
    together += m->layers.size();
    if (together > static_cast<std::size_t>(max_layers))
      return refused(n, "joins too many maps", "Networks have at most " + std::to_string(max_layers) + " layers");
    maps.push_back(*m);
  }
  if (maps.empty()) return refused(n, "has no input", "Export the network again");
  for (OnnxMeaning& m : maps) {
    if (!m.crop.empty()) {
      if (like < 0) return refused(n, "joins parts of maps only", crop_hint);
      TL_TRY(crop_like(n, m, like));
    }
    TL_TRY(fix_scaling(n, m));
  }
  return maps;
}

Result<void> Importer::concatenate(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* first, meaning(n, 0));
  const int64_t given = n.integer("axis", 0);
  using Kind = OnnxMeaning::Kind;
  if (first->kind == Kind::numbers || first->kind == Kind::sizes) return join_sizes(n);
  const int64_t axis = given < 0 ? given + (first->flat ? 2 : dims() + 2) : given;
  if (axis > 1) return mirrored_border(n, axis);
  if (axis != 1)
    return refused(n, "concatenates along an axis other than the channels", "Build the network without this operator");
  TL_TRY(const std::vector<OnnxMeaning> maps, maps_of_one_size(n));
  OnnxMeaning m;
  m.flat = maps[0].flat;
  for (const OnnxMeaning& part : maps) {
    if (part.flat != m.flat) return refused(n, "joins maps with vectors", "Build the network without this operator");
    m.layers.insert(m.layers.end(), part.layers.begin(), part.layers.end());
  }
  if (channels_joined(m.layers) > max_channels)
    return refused(n, "joins too many channels", "Export a smaller network");
  if (std::find(m.layers.begin(), m.layers.end(), 0) != m.layers.end()) {
    m.mean = network_.scaling.mean;
    m.deviation = network_.scaling.deviation;
  }
  return put(n, std::move(m));
}

// Recognises the two reversed ends of a map, joined to its two sides.
Result<void> Importer::mirrored_border(const OnnxNode& n, int64_t axis) {
  const Error other = refused(n, "joins maps along an axis of space", "Build the network without this operator");
  if (n.inputs.size() != 3) return other;
  TL_TRY(const OnnxMeaning* first, meaning(n, 0));
  TL_TRY(const OnnxMeaning* middle, meaning(n, 1));
  TL_TRY(const OnnxMeaning* last, meaning(n, 2));
  OnnxMeaning m = *middle;
  for (const OnnxMeaning* side : {first, last})
    if (side->kind != OnnxMeaning::Kind::mirrored_end || side->end.of != n.input(1) || side->end.axis != axis ||
        side->end.first != (side == first) || side->end.pixels != first->end.pixels)
      return other;
  TL_TRY(add_padding(n, m, axis, first->end.pixels, Border::mirrored));
  return put(n, std::move(m));
}

Result<void> Importer::add_padding(const OnnxNode& n, OnnxMeaning& m, int64_t axis, int64_t pixels, Border border) {
  if (m.padding.empty()) {
    m.padding.assign(static_cast<std::size_t>(dims()), 0);
    m.border = border;
  }
  int64_t& padding = m.padding[static_cast<std::size_t>(axis - 2)];
  if (m.border != border || (border == Border::mirrored && padding != 0) || pixels > largest_dilation ||
      padding + pixels > largest_dilation || m.flat || !m.crop.empty())
    return refused(n, "adds a second border", "Build the network with one border for each convolution");
  padding += pixels;
  return ok();
}

Result<void> Importer::pad(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->kind != OnnxMeaning::Kind::map)
    return refused(n, "is not applied to a map", "Build the network without this operator");
  OnnxMeaning m = *read;
  TL_TRY(const std::vector<int64_t> pads, integers(n, 1, "pads"));
  const int64_t rank = dims() + 2;
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  if (!n.input(3).empty()) {
    TL_TRY(axes, integers(n, 3));
  }
  if (pads.size() != 2 * axes.size())
    return refused(n, "does not have two numbers per axis", "Export the network again");
  const std::string_view mode = n.text("mode", "constant");
  if (mode == "constant" && n.real("value", 0) != 0)
    return refused(n, "adds a border that is not 0", "Build the network with a border of zeros");
  if (mode == "constant" && !n.input(2).empty()) {
    TL_TRY(const at::Tensor value, numbers(n, 2));
    if (value.numel() > 0 && value.ne(0).any().item<bool>())
      return refused(n, "adds a border that is not 0", "Build the network with a border of zeros");
  }
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const int64_t axis = axes[k] < 0 ? axes[k] + rank : axes[k], before = pads[k], behind = pads[k + axes.size()];
    if (before == 0 && behind == 0) continue;
    if (axis < 2 || axis >= rank) return refused(n, "adds channels", "Build the network without this operator");
    if (before != behind || before < 0)
      return refused(n, "adds a border of different sides, or cuts one",
                     "Build the network with a border of even sides");
    // For one pixel, repeating the edge equals mirroring it.
    const bool edge = mode == "edge" && before == 1;
    if (mode != "constant" && !edge)
      return refused(n, "adds a border of the mode " + std::string(mode) + " of " + std::to_string(before) + " pixels",
                     "Networks here have borders of zeros, or mirrored with the edge repeated: build the network with "
                     "padding_mode='zeros', or 'replicate' and a padding of 1");
    TL_TRY(add_padding(n, m, axis, before, edge ? Border::mirrored : Border::zeros));
  }
  return put(n, std::move(m));
}

}  // namespace tl::net::onnx
