// SinogramPane: shows a sinogram: views run downwards, columns to the right. The image is stretched to the pane,
// since views and columns have no common unit.
#include "widgets/views/panes/sinogram_pane.h"

#include <algorithm>
#include <cmath>

namespace tl::ui {

SinogramPane::SinogramPane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : ImagePane(source, state, view, parent) {
  setAccessibleName(tr("Sinogram"));
  connect(&state, &ViewState::crosshair_changed, this, &SinogramPane::follow_crosshair);
  connect(&source, &PictureSource::infos_changed, this, &SinogramPane::follow_crosshair);
  follow_crosshair();
}

const ProjectionsInfo* SinogramPane::projections() const {
  const Info* info = output().empty() ? nullptr : source().info(output());
  return info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
}

void SinogramPane::set_row(int64_t row) {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return;
  row = std::clamp<int64_t>(row, 0, scan->geometry.detector().rows - 1);
  if (row == row_) return;
  row_ = row;
  refresh();
  Q_EMIT row_changed();
}
void SinogramPane::step_to_end(int direction) {
  if (const ProjectionsInfo* scan = projections()) set_row(direction < 0 ? 0 : scan->geometry.detector().rows - 1);
}

void SinogramPane::follow_crosshair() {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr || state().volume().empty() || scan->geometry.views() == 0) return;
  const double row = scan->geometry.project(0, state().crosshair()).row;
  if (std::isfinite(row)) set_row(std::llround(row));
}

std::optional<live::PictureRequest> SinogramPane::wanted() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return std::nullopt;
  ScanRegion region = scan->geometry.full();
  const int64_t at = std::min(row_, scan->geometry.detector().rows - 1);
  region.rows = {at, at + 1};
  live::PictureRequest request{
      .node = output().node.toStdString(), .port = output().port.toStdString(), .region = region};
  return request;
}

QRectF SinogramPane::extent() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return {};
  return {0, 0, static_cast<double>(scan->geometry.detector().cols), static_cast<double>(scan->geometry.views())};
}

double SinogramPane::mm_to_the_right() const {
  const ProjectionsInfo* scan = projections();
  return scan == nullptr || scan->pixel_size == Origin::guessed ? 0 : scan->geometry.detector().pitch_u;
}

QString SinogramPane::position_text() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return {};
  return tr("row %1 of %2").arg(row_ + 1).arg(scan->geometry.detector().rows);
}
QString SinogramPane::extra_caption() const {
  const ProjectionsInfo* scan = projections();
  const auto orbit = scan == nullptr ? std::nullopt : scan->geometry.orbit();
  if (!orbit || orbit->angles.empty()) return {};
  const auto degrees = [](double angle) { return number_text(convert(angle, Unit::rad, Unit::deg)); };
  return tr("%1° – %2°").arg(degrees(orbit->angles.front()), degrees(orbit->angles.back()));
}
QString SinogramPane::no_picture_text() const {
  if (output().empty()) return tr("No scan yet. Drop one on the window.");
  return projections() == nullptr ? tr("Not loaded") : tr("Waiting for the first image");
}

}  // namespace tl::ui
