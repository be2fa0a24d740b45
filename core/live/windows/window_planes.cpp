// Cuts volumes, or computes planes of them.
#include "core/live/windows/window_planes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace tl {
namespace {

struct Cut {
  at::Tensor data;  // [z, y, x]
  VolumeGrid grid;
};

std::optional<Cut> cut_of(const Value& value) {
  if (const auto* volume = std::get_if<Volume>(&value)) return Cut{volume->data, volume->grid};
  if (const auto* labels = std::get_if<Labels>(&value)) return Cut{labels->data, labels->grid};
  return std::nullopt;
}

at::Tensor as_plane(const at::Tensor& one_thick, int64_t axis) {
  constexpr bool non_blocking = false, copy = true;  // the volume itself need not stay
  return one_thick.select(axis, 0).detach().to(at::kCPU, at::kFloat, non_blocking, copy).contiguous();
}

// The axis that the plane is one voxel thick along, of [z, y, x].
int64_t thin_axis(PlaneChoice::Axes axes) { return static_cast<int64_t>(axes); }

std::string_view name_of(PlaneChoice::Axes axes) {
  return axes == PlaneChoice::Axes::xy ? "xy" : axes == PlaneChoice::Axes::xz ? "xz" : "yz";
}

Result<VolumeGrid> plane_grid(const VolumeGrid& whole, const PlaneChoice& choice) {
  const std::array<int64_t, 3> sizes = {whole.nz, whole.ny, whole.nx};
  std::array<Range, 3> box = {Range{0, whole.nz}, Range{0, whole.ny}, Range{0, whole.nx}};
  const auto axis = static_cast<std::size_t>(thin_axis(choice.axes));
  const int64_t index = choice.index.value_or(sizes[axis] / 2);
  if (index >= sizes[axis])
    return invalid("the volume has " + std::to_string(sizes[axis]) + " planes " + std::string(name_of(choice.axes)),
                   "plane", "Give a number from 0 to " + std::to_string(sizes[axis] - 1));
  box[axis] = {index, index + 1};
  return whole.sub(box[0], box[1], box[2]);
}

const VolumeGrid* grid_of_info(const Info& info) {
  if (const auto* volume = std::get_if<VolumeInfo>(&info)) return &volume->grid;
  if (const auto* labels = std::get_if<LabelsInfo>(&info)) return &labels->grid;
  return nullptr;
}

}  // namespace

Result<PlaneChoice> PlaneChoice::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  for (const Axes axes : {Axes::xy, Axes::xz, Axes::yz}) {
    if (name != name_of(axes)) continue;
    if (equals == std::string_view::npos) return PlaneChoice{axes, {}};
    const std::string_view digits = text.substr(equals + 1);
    int64_t index = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (problem == std::errc() && end == digits.data() + digits.size() && index >= 0) return PlaneChoice{axes, index};
  }
  return invalid("\"" + std::string(text) + "\" is not a plane", "plane", "Write xy, xz or yz, or for example xz=12");
}

std::optional<TakenPlane> middle_plane(OutputId output, const Value& value) {
  const auto cut = cut_of(value);
  if (!cut) return std::nullopt;
  const int64_t middle = cut->grid.nz / 2;
  return TakenPlane{std::move(output), cut->grid.slab({middle, middle + 1}),
                    as_plane(cut->data.slice(0, middle, middle + 1), 0)};
}

std::vector<NamedPlane> named_planes(const std::vector<TakenPlane>& taken) {
  std::vector<NamedPlane> planes;
  std::map<OutputId, std::vector<VolumeGrid>> known;
  for (const TakenPlane& one : taken) {
    std::vector<VolumeGrid>& of_output = known[one.output];
    if (std::find(of_output.begin(), of_output.end(), one.grid) != of_output.end()) continue;
    of_output.push_back(one.grid);
    std::string name = one.output.first + "." + one.output.second;
    if (of_output.size() > 1) name += " " + std::to_string(of_output.size());
    planes.push_back({std::move(name), one.values});
  }
  return planes;
}

Result<std::vector<NamedPlane>> chosen_planes(Executor& executor, const Graph& graph,
                                              const std::vector<PlaneChoice>& choices,
                                              const std::vector<TakenPlane>& taken) {
  std::vector<NamedPlane> planes;
  std::set<OutputId> outputs;
  for (const TakenPlane& one : taken) outputs.insert(one.output);
  for (const auto& [node, port] : outputs) {
    TL_TRY(const Infos infos, executor.infos(graph, node));
    const VolumeGrid* whole = grid_of_info(infos.at(port));
    TL_CHECK(whole != nullptr, "a volume has a grid");
    for (const PlaneChoice& choice : choices) {
      TL_TRY(const VolumeGrid grid, plane_grid(*whole, choice));
      TL_TRY(const Value value, executor.pull(graph, node, port, Region{grid}));
      std::string name = node + "." + port + " " + std::string(name_of(choice.axes));
      if (choice.index) name += "=" + std::to_string(*choice.index);
      planes.push_back({std::move(name), as_plane(cut_of(value)->data, thin_axis(choice.axes))});
    }
  }
  return planes;
}

}  // namespace tl
