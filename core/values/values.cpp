// Names the kinds of values in a graph, and computes sizes in bytes.
#include "core/values/values.h"

#include <array>

#include "core/values/port_types.h"

namespace tl {
namespace {

template <class E, std::size_t N>
std::string_view enum_name(E value, const std::array<std::string_view, N>& names) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view to_string(PixelKind kind) {
  return enum_name(kind, std::array<std::string_view, 4>{"counts", "transmission", "absorption", "thickness"});
}
std::string_view to_string(Verdict verdict) {
  return enum_name(verdict, std::array<std::string_view, 5>{"none", "resolved", "railed", "ambiguous", "flat"});
}
std::string_view to_string(Origin origin) {
  return enum_name(origin, std::array<std::string_view, 3>{"file", "guessed", "user"});
}

ValueTensors tensors_of(Value& value) {
  ValueTensors all;
  const auto add = [](std::vector<at::Tensor*>& list, at::Tensor& t) {
    if (t.defined()) list.push_back(&t);
  };
  std::visit(
      [&](auto& v) {
        if constexpr (requires { v.data; }) add(all.pixels, v.data);
        if constexpr (requires { v.references; }) {
          add(all.pixels, v.references.flats);
          add(all.pixels, v.references.darks);
        }
        if constexpr (requires { v.vectors; }) add(all.small, v.vectors);
        if constexpr (requires { v.value; }) add(all.small, v.value);
        if constexpr (requires { v.arrays; })
          for (auto& [name, array] : v.arrays) add(all.small, array);
      },
      value);
  return all;
}

int64_t bytes(const Value& value) {
  Value same = value;  // tensors share their memory
  int64_t total = 0;
  for (const at::Tensor* t : tensors_of(same).pixels) total += static_cast<int64_t>(t->nbytes());
  if (has_regions(port_type(value))) return total;
  total += 64;
  for (const at::Tensor* t : tensors_of(same).small) total += static_cast<int64_t>(t->nbytes());
  const auto add = [&total](const auto& list) { total += static_cast<int64_t>(list.size() * sizeof(list[0])); };
  if (const auto* m = std::get_if<Model>(&value)) add(m->description);
  if (const auto* s = std::get_if<Spectrum>(&value)) {
    add(s->energy);
    add(s->weight);
  }
  if (const auto* t = std::get_if<Table>(&value))
    for (const Table::Column& c : t->columns) add(c.values);
  return total;
}

Origin voxel_size_of(const ProjectionsInfo& scan) {
  return scan.geometry.is_parallel() ? scan.pixel_size : Origin::user;
}

bool is_in_pixels(const Info& info) {
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) return p->pixel_size == Origin::guessed;
  const auto* v = std::get_if<VolumeInfo>(&info);
  return v != nullptr && v->voxel_size == Origin::guessed;
}

const VolumeGrid* grid_of(const Info& info) {
  return std::visit(
      [](const auto& known) -> const VolumeGrid* {
        if constexpr (requires { known.grid; })
          return &known.grid;
        else
          return nullptr;
      },
      info);
}

Region full_region(const Info& info) {
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) return p->geometry.full();
  if (const VolumeGrid* grid = grid_of(info)) return *grid;
  return WholeRegion{};
}

ScanRegion middle_sinogram(const ProjectionsInfo& scan) {
  ScanRegion region = scan.geometry.full();
  region.rows = {region.rows.end / 2, region.rows.end / 2 + 1};
  return region;
}

Region middle_region(const Info& info) {
  constexpr int64_t few_rows = 16;  // with fewer rows, a sinogram is more informative than a view
  if (const VolumeGrid* grid = grid_of(info)) return grid->slab({grid->nz / 2, grid->nz / 2 + 1});
  const auto* scan = std::get_if<ProjectionsInfo>(&info);
  if (scan == nullptr) return WholeRegion{};
  if (scan->geometry.detector().rows < few_rows) return middle_sinogram(*scan);
  ScanRegion region = scan->geometry.full();
  region.views = {region.views.end / 2, region.views.end / 2 + 1};
  return region;
}

int64_t region_bytes(const Region& region, int64_t element_size) {
  if (const auto* s = std::get_if<ScanRegion>(&region)) return s->count() * element_size;
  if (const auto* g = std::get_if<VolumeGrid>(&region)) return g->count() * element_size;
  return 64;
}

}  // namespace tl
