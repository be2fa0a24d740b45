// Names the kinds of values in a graph, and computes sizes in bytes.
#include "core/values/values.h"

#include <ATen/core/Tensor.h>

#include <array>

namespace tl {
namespace {

template <class E, std::size_t N>
std::string_view enum_name(E value, const std::array<std::string_view, N>& names) {
  return names.at(static_cast<std::size_t>(value));
}

int64_t tensor_bytes(const at::Tensor& t) { return t.defined() ? static_cast<int64_t>(t.nbytes()) : 0; }

}  // namespace

std::string_view to_string(PixelKind kind) {
  return enum_name(kind, std::array<std::string_view, 4>{"counts", "transmission", "absorption", "thickness"});
}
std::string_view to_string(Verdict verdict) {
  return enum_name(verdict, std::array<std::string_view, 5>{"none", "resolved", "railed", "ambiguous", "flat"});
}
std::string_view to_string(PortType type) {
  return enum_name(type, std::array<std::string_view, 8>{"projections", "volume", "labels", "scalar", "table",
                                                         "spectrum", "maps", "model"});
}
bool has_regions(PortType type) { return type <= PortType::labels || type == PortType::maps; }
std::string_view to_string(Origin origin) {
  return enum_name(origin, std::array<std::string_view, 3>{"file", "guessed", "user"});
}

int64_t bytes(const Value& value) {
  if (const auto* p = std::get_if<Projections>(&value))
    return tensor_bytes(p->data) + tensor_bytes(p->references.flats) + tensor_bytes(p->references.darks);
  if (const auto* v = std::get_if<Volume>(&value)) return tensor_bytes(v->data);
  if (const auto* l = std::get_if<Labels>(&value)) return tensor_bytes(l->data);
  if (const auto* m = std::get_if<Maps>(&value)) return tensor_bytes(m->data);
  int64_t total = 64;
  if (const auto* m = std::get_if<Model>(&value)) {
    total += static_cast<int64_t>(m->description.size());
    for (const auto& [name, array] : m->arrays) total += tensor_bytes(array);
  }
  if (const auto* t = std::get_if<Table>(&value))
    for (const auto& c : t->columns) total += static_cast<int64_t>(c.values.size() * sizeof(double));
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
  if (const auto* v = std::get_if<VolumeInfo>(&info)) return &v->grid;
  if (const auto* l = std::get_if<LabelsInfo>(&info)) return &l->grid;
  if (const auto* m = std::get_if<MapsInfo>(&info)) return &m->grid;
  return nullptr;
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
  constexpr int64_t few_rows = 16;  // with fewer, a sinogram shows more than a view
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
