// ProjectionPane: pixels of the detector, row 0 at the top.
#include "widgets/views/projection_pane.h"

#include <QKeyEvent>
#include <algorithm>

namespace tl::ui {

ProjectionPane::ProjectionPane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : ImagePane(source, state, view, parent) {
  setAccessibleName(tr("Projections"));
}

const ProjectionsInfo* ProjectionPane::projections() const {
  const Info* info = output().empty() ? nullptr : source().info(output());
  return info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
}

int64_t ProjectionPane::count(Series series) const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return 0;
  return series == Series::data ? scan->geometry.views() : series == Series::flats ? scan->flats : scan->darks;
}

void ProjectionPane::set_index(int64_t index) {
  index = std::clamp<int64_t>(index, 0, std::max<int64_t>(0, count(series_) - 1));
  if (index == index_) return;
  index_ = index;
  refresh();
  Q_EMIT index_changed();
}

void ProjectionPane::set_series(Series series) {
  if (series == series_) return;
  series_ = series;
  index_ = 0;
  forget_picture();
  refresh();
  Q_EMIT index_changed();
}

std::optional<live::PictureRequest> ProjectionPane::wanted() const {
  const int64_t frames = count(series_);
  if (frames == 0) return std::nullopt;
  ScanRegion region = projections()->geometry.full();
  const int64_t at = std::min(index_, frames - 1);
  region.views = {at, at + 1};
  live::PictureRequest request;
  request.node = output().node.toStdString();
  request.port = output().port.toStdString();
  request.region = region;
  request.series = series_;
  return request;
}

QRectF ProjectionPane::extent() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return {};
  const DetectorShape& detector = scan->geometry.detector();
  // In columns; pixels that are not square are shown as they are.
  const double tall = detector.pitch_v / detector.pitch_u;
  return {0, 0, static_cast<double>(detector.cols), tall * static_cast<double>(detector.rows)};
}

QString ProjectionPane::kind_text() const {
  return series_ == Series::data ? tr("Projection") : series_ == Series::flats ? tr("Flat field") : tr("Dark frame");
}
QString ProjectionPane::position_text() const {
  const int64_t frames = count(series_);
  if (frames == 0) return {};
  return series_ == Series::data ? tr("view %1 of %2").arg(index_ + 1).arg(frames)
                                 : tr("%1 of %2").arg(index_ + 1).arg(frames);
}
QString ProjectionPane::extra_caption() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr || series_ != Series::data) return {};
  const auto orbit = scan->geometry.orbit();
  if (!orbit || static_cast<std::size_t>(index_) >= orbit->angles.size()) return {};
  return tr("%1°").arg(number_text(convert(orbit->angles[static_cast<std::size_t>(index_)], Unit::rad, Unit::deg)));
}
QString ProjectionPane::nothing_text() const {
  if (output().empty()) return tr("No scan yet. Drop one on the window.");
  if (projections() == nullptr) return tr("Waiting for what comes before it");
  if (count(series_) == 0)
    return series_ == Series::flats ? tr("The scan has no flat fields here") : tr("The scan has no dark frames here");
  return tr("Waiting for the first picture");
}

void ProjectionPane::step(int64_t count) { set_index(index_ + count); }
void ProjectionPane::step_to_end(int direction) { set_index(direction < 0 ? 0 : count(series_)); }

// T steps through data, flats and darks.
bool ProjectionPane::key_pressed(QKeyEvent& event) {
  if (event.key() != Qt::Key_T || event.modifiers() != Qt::NoModifier) return false;
  set_series(series_ == Series::data ? Series::flats : series_ == Series::flats ? Series::darks : Series::data);
  return true;
}

}  // namespace tl::ui
