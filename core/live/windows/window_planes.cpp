// Extracts planes from volumes that were computed, or computes only the planes.
#include "core/live/windows/window_planes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/grid_box.h"

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
  constexpr bool non_blocking = false, copy = true;  // a copy, so that the volume can be freed
  return one_thick.select(axis, 0).detach().to(at::kCPU, at::kFloat, non_blocking, copy).contiguous();
}

// The axis of [z, y, x] along which the plane is one voxel thick.
int64_t thin_axis(PlaneChoice::Axes axes) {
  return axes == PlaneChoice::Axes::oblique ? 0 : static_cast<int64_t>(axes);
}

std::string_view name_of(PlaneChoice::Axes axes) {
  return axes == PlaneChoice::Axes::xy ? "xy" : axes == PlaneChoice::Axes::xz ? "xz" : "yz";
}

VolumeGrid oblique_grid(const VolumeGrid& whole, const PlaneChoice& choice) {
  constexpr double level = 1e-6;  // components of the normal up to this size count as 0: a plane of constant z
  const auto unit = [](Vec3 v) { return (1 / norm(v)) * v; };
  const Vec3 n = choice.normal, rise = Vec3{0, 0, 1} - n.z * n;
  const Vec3 up = norm(rise) > level ? unit(rise) : Vec3{0, 1, 0};
  const Vec3 side = unit(cross(up, n));
  const double to_the_right = std::abs(side.x) > level ? side.x : side.y;
  return oblique_plane(whole, whole.centre + choice.offset * n, to_the_right < 0 ? -1 * side : side, up);
}

Result<VolumeGrid> plane_grid(const VolumeGrid& whole, const PlaneChoice& choice) {
  if (choice.axes == PlaneChoice::Axes::oblique) return oblique_grid(whole, choice);
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
  std::vector<double> numbers;
  bool readable = true;
  for (std::size_t at = equals; at != std::string_view::npos && readable;) {
    const std::size_t begin = at + 1;
    at = text.find(',', begin);
    const std::string_view digits = text.substr(begin, at == std::string_view::npos ? at : at - begin);
    double value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    readable = problem == std::errc() && end == digits.data() + digits.size() && std::isfinite(value);
    numbers.push_back(value);
  }
  PlaneChoice choice;
  choice.text = text;
  if (readable && name == "normal" && (numbers.size() == 3 || numbers.size() == 4)) {
    const Vec3 normal{numbers[0], numbers[1], numbers[2]};
    choice.axes = Axes::oblique;
    choice.offset = numbers.size() == 4 ? numbers[3] : 0;
    if (const double length = norm(normal); length > 0 && std::isfinite(length)) {
      choice.normal = (1 / length) * normal;
      return choice;
    }
  }
  for (const Axes axes : {Axes::xy, Axes::xz, Axes::yz}) {
    if (!readable || name != name_of(axes) || numbers.size() > 1) continue;
    choice.axes = axes;
    if (numbers.empty()) return choice;
    constexpr double most = 1e9;
    if (numbers[0] < 0 || numbers[0] > most || numbers[0] != std::floor(numbers[0])) continue;
    choice.index = static_cast<int64_t>(numbers[0]);
    return choice;
  }
  return invalid("\"" + std::string(text) + "\" is not a plane", "plane",
                 "Write xy, xz or yz, for example xz=12, or normal=x,y,z for an oblique one");
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
      planes.push_back({node + "." + port + " " + choice.text, as_plane(cut_of(value)->data, thin_axis(choice.axes))});
    }
  }
  return planes;
}

}  // namespace tl
