// Names the kinds of values in a graph, and computes sizes in bytes.
#include "core/values/values.h"

#include <ATen/core/Tensor.h>

#include <array>

namespace tl {
namespace {

template <class E, std::size_t N>
std::string_view name_of(E value, const std::array<std::string_view, N>& names) {
  return names.at(static_cast<std::size_t>(value));
}

int64_t tensor_bytes(const at::Tensor& t) { return t.defined() ? static_cast<int64_t>(t.nbytes()) : 0; }

}  // namespace

std::string_view to_string(PixelKind kind) {
  return name_of(kind, std::array<std::string_view, 4>{"counts", "transmission", "absorption", "thickness"});
}
std::string_view to_string(Verdict verdict) {
  return name_of(verdict, std::array<std::string_view, 5>{"none", "resolved", "railed", "ambiguous", "flat"});
}
std::string_view to_string(PortType type) {
  return name_of(type,
                 std::array<std::string_view, 6>{"projections", "volume", "labels", "scalar", "table", "spectrum"});
}
std::string_view to_string(Origin origin) {
  return name_of(origin, std::array<std::string_view, 3>{"file", "guessed", "user"});
}

int64_t bytes(const Value& value) {
  if (const auto* p = std::get_if<Projections>(&value))
    return tensor_bytes(p->data) + tensor_bytes(p->references.flats) + tensor_bytes(p->references.darks);
  if (const auto* v = std::get_if<Volume>(&value)) return tensor_bytes(v->data);
  if (const auto* l = std::get_if<Labels>(&value)) return tensor_bytes(l->data);
  int64_t total = 64;
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

Region full_region(const Info& info) {
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) return p->geometry.full();
  if (const auto* v = std::get_if<VolumeInfo>(&info)) return v->grid;
  if (const auto* l = std::get_if<LabelsInfo>(&info)) return l->grid;
  return WholeRegion{};
}

ScanRegion middle_sinogram(const ProjectionsInfo& scan) {
  ScanRegion region = scan.geometry.full();
  region.rows = {region.rows.end / 2, region.rows.end / 2 + 1};
  return region;
}

Region middle_region(const Info& info) {
  constexpr int64_t few_rows = 16;  // with fewer, a sinogram shows more than a view
  const auto slice = [](const VolumeGrid& g) { return g.slab({g.nz / 2, g.nz / 2 + 1}); };
  if (const auto* v = std::get_if<VolumeInfo>(&info)) return slice(v->grid);
  if (const auto* l = std::get_if<LabelsInfo>(&info)) return slice(l->grid);
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
