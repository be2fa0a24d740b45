// Arrangement: the defaults in one table; JSON for the settings.
#include "widgets/views/arrangement.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace tl::ui {
namespace {

constexpr int64_t few_slices = 8;  // upright slices of fewer are lines

constexpr std::array<std::pair<ViewsLayout, const char*>, 2> layout_keys{
    {{ViewsLayout::small, "small"}, {ViewsLayout::see, "see"}}};
constexpr std::array<std::pair<DataShape, const char*>, 6> shape_keys{{{DataShape::volume, "volume"},
                                                                       {DataShape::flat_volume, "flat_volume"},
                                                                       {DataShape::scan, "scan"},
                                                                       {DataShape::flat_scan, "flat_scan"},
                                                                       {DataShape::volume_alone, "volume_alone"},
                                                                       {DataShape::flat_alone, "flat_alone"}}};
constexpr std::array<const char*, 8> kind_keys{"xy",          "xz",       "yz",     "oblique",
                                               "projections", "sinogram", "before", "volume"};

QString arrangement_key(ViewsLayout layout, DataShape shape) {
  return QStringLiteral("%1/%2").arg(QLatin1String(layout_keys.at(static_cast<std::size_t>(layout)).second),
                                     QLatin1String(shape_keys.at(static_cast<std::size_t>(shape)).second));
}

std::optional<Arrangement> read_arrangement(const QJsonObject& json) {
  const QJsonArray kinds = json[QLatin1String("panes")].toArray(), shown = json[QLatin1String("shown")].toArray();
  if (kinds.size() != Arrangement::cells || shown.size() != Arrangement::cells) return std::nullopt;
  Arrangement result;
  for (std::size_t i = 0; i < Arrangement::cells; ++i) {
    const QString name = kinds[static_cast<int>(i)].toString();
    const auto found = std::find(kind_keys.begin(), kind_keys.end(), name);
    if (found == kind_keys.end()) return std::nullopt;
    result.kinds[i] = static_cast<PaneKind>(found - kind_keys.begin());
    result.shown[i] = shown[static_cast<int>(i)].toBool(true);
  }
  if (!result.shown[0]) return std::nullopt;
  return result;
}

}  // namespace

std::optional<DataShape> data_shape(const PictureSource& source, const Output& volume, const Output& projections) {
  if (!volume.empty()) {
    const Info* info = source.info(volume);
    const auto region = info == nullptr ? Region{} : full_region(*info);
    const auto* grid = std::get_if<VolumeGrid>(&region);
    if (grid == nullptr) return std::nullopt;
    if (projections.empty()) return grid->nz < few_slices ? DataShape::flat_alone : DataShape::volume_alone;
    return grid->nz < few_slices ? DataShape::flat_volume : DataShape::volume;
  }
  const Info* info = projections.empty() ? nullptr : source.info(projections);
  const auto* scan = info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
  if (scan == nullptr) return projections.empty() ? std::nullopt : std::optional(DataShape::scan);
  return scan->geometry.detector().rows < few_slices ? DataShape::flat_scan : DataShape::scan;
}

Arrangement default_arrangement(ViewsLayout layout, DataShape shape) {
  using enum PaneKind;
  switch (shape) {
    case DataShape::volume:
      if (layout == ViewsLayout::see) return {{xy, xz, yz, PaneKind::volume}, {true, true, true, true}};
      [[fallthrough]];
    case DataShape::flat_volume: return {{xy, sinogram, projections, before}, {true, true, false, true}};
    case DataShape::volume_alone:
      if (layout == ViewsLayout::see) return {{xy, xz, yz, PaneKind::volume}, {true, true, true, true}};
      return {{xy, xz, before, yz}, {true, true, false, true}};
    case DataShape::flat_alone: return {{xy, before, xz, yz}, {true, true, false, false}};
    case DataShape::scan: return {{projections, sinogram, projections, before}, {true, true, false, false}};
    case DataShape::flat_scan: return {{sinogram, projections, projections, before}, {true, true, false, false}};
  }
  return {};
}

Arrangement Arrangements::of(ViewsLayout layout, DataShape shape) const {
  const auto found = changed_.find({layout, shape});
  return found == changed_.end() ? default_arrangement(layout, shape) : found->second;
}
void Arrangements::change(ViewsLayout layout, DataShape shape, const Arrangement& to) {
  if (layout == ViewsLayout::compare) return;
  changed_[{layout, shape}] = to;
}

QByteArray Arrangements::text() const {
  QJsonObject all;
  for (const auto& [where, arrangement] : changed_) {
    QJsonArray kinds, shown;
    for (std::size_t i = 0; i < Arrangement::cells; ++i) {
      kinds.append(QLatin1String(kind_keys.at(static_cast<std::size_t>(arrangement.kinds[i]))));
      shown.append(arrangement.shown[i]);
    }
    all[arrangement_key(where.first, where.second)] =
        QJsonObject{{QStringLiteral("panes"), kinds}, {QStringLiteral("shown"), shown}};
  }
  return all.isEmpty() ? QByteArray() : QJsonDocument(all).toJson(QJsonDocument::Compact);
}

void Arrangements::read(const QByteArray& text) {
  const QJsonObject all = QJsonDocument::fromJson(text).object();
  for (const auto& [layout, layout_key] : layout_keys)
    for (const auto& [shape, shape_key] : shape_keys)
      if (const auto one = read_arrangement(all[arrangement_key(layout, shape)].toObject()))
        changed_[{layout, shape}] = *one;
}

}  // namespace tl::ui
