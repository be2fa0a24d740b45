// ObjectFinder: requests the one voxel of the labels on screen that contains the crosshair.
#include "widgets/views/table/object_finder.h"

#include <cmath>

#include "core/base/grid_box.h"

namespace tl::ui {
namespace {

const QString object_view = QStringLiteral("object-finder");

std::optional<VolumeGrid> voxel_at(const VolumeGrid& grid, Vec3 place) {
  const GridPoint p = fractional_index(grid, place);
  const int64_t k = std::llround(p.k), j = std::llround(p.j), i = std::llround(p.i);
  if (k < 0 || j < 0 || i < 0 || k >= grid.nz || j >= grid.ny || i >= grid.nx) return std::nullopt;
  return grid.sub({k, k + 1}, {j, j + 1}, {i, i + 1});
}

}  // namespace

ObjectFinder::ObjectFinder(PictureSource& source, ViewState& state, QObject* parent)
    : QObject(parent), source_(source), state_(state) {
  connect(&state_, &ViewState::crosshair_changed, this, &ObjectFinder::search);
  connect(&source_, &PictureSource::picture_ready, this, &ObjectFinder::take);
}
ObjectFinder::~ObjectFinder() {
  if (asked_) source_.forget(object_view);
}

void ObjectFinder::go_to(Vec3 position) {
  is_going_ = true;
  state_.set_crosshair(position);
  is_going_ = false;
}

void ObjectFinder::search() {
  if (searching_ == Searching::off || is_going_ || state_.labels().empty()) return;
  const Info* info = source_.info(state_.labels());
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  const auto voxel = labels == nullptr ? std::nullopt : voxel_at(labels->grid, state_.crosshair());
  if (!voxel) return;
  live::PictureRequest request{.node = state_.labels().node.toStdString(),
                               .port = state_.labels().port.toStdString(),
                               .region = *voxel,
                               .coarse = 1,
                               .ticket = ticket_ = source_.next_ticket()};
  asked_ = true;
  source_.request(object_view, request);
}

void ObjectFinder::take(const QString& view, const live::Picture& picture) {
  if (view != object_view || !asked_ || picture.request.ticket != ticket_) return;
  if (!picture.final && !picture.error) return;
  asked_ = false;
  source_.forget(object_view);
  if (!picture.image || picture.image->pixels.empty() || std::isnan(picture.image->pixels.front())) return;
  Q_EMIT found(std::llround(picture.image->pixels.front()));
}

}  // namespace tl::ui
