// ProjectionPane: shows views, flat fields or dark frames of a scan as detector pixels, row 0 at the top.
#include "widgets/views/panes/projection_pane.h"

#include <QKeyEvent>
#include <algorithm>

#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/state/automatic_window.h"

namespace tl::ui {

ProjectionPane::ProjectionPane(PictureSource& source, ViewState& state, const QString& view, QWidget* parent)
    : ImagePane(source, state, view, parent) {
  setAccessibleName(tr("Projections"));
}

namespace {
int64_t frames_of(const ProjectionsInfo& scan, ProjectionPane::Series series) {
  using Series = ProjectionPane::Series;
  return series == Series::data ? scan.geometry.views() : series == Series::flats ? scan.flats : scan.darks;
}
}  // namespace

const ProjectionsInfo* ProjectionPane::info_of(const Output& output) const {
  const Info* info = output.empty() ? nullptr : source().info(output);
  return info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
}

Output ProjectionPane::output_of(Series series) const {
  Output shown = state().projections();
  if (series == Series::data) return shown;
  for (const Output& before : projections_before(source().graph(), source().registry(), shown.node)) {
    const ProjectionsInfo* scan = info_of(before);
    if (scan != nullptr && frames_of(*scan, series) > 0) return before;
  }
  return shown;
}
Output ProjectionPane::levels_output() const {
  Output of = output();
  of.port = port_with_series(of.port, series_);
  return of;
}
Output ProjectionPane::output() const { return output_of(series_); }
const ProjectionsInfo* ProjectionPane::projections() const { return info_of(output()); }

int64_t ProjectionPane::count(Series series) const {
  const ProjectionsInfo* scan = info_of(output_of(series));
  return scan == nullptr ? 0 : frames_of(*scan, series);
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
  if (series_ == Series::data) region.views = {at, at + 1};
  live::PictureRequest request;
  request.node = output().node.toStdString();
  request.port = output().port.toStdString();
  request.region = region;
  request.series = series_;
  request.frame = series_ == Series::data ? -1 : at;
  return request;
}

QRectF ProjectionPane::extent() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr) return {};
  const DetectorShape& detector = scan->geometry.detector();
  // In units of columns; non-square pixels keep their aspect ratio.
  const double tall = detector.pitch_v / detector.pitch_u;
  return {0, 0, static_cast<double>(detector.cols), tall * static_cast<double>(detector.rows)};
}

double ProjectionPane::mm_per_unit() const {
  const ProjectionsInfo* scan = projections();
  return scan == nullptr || scan->pixel_size == Origin::guessed ? 0 : scan->geometry.detector().pitch_u;
}
QString ProjectionPane::kind_text() const { return tr("Projections"); }
QString ProjectionPane::position_text() const {
  const int64_t frames = count(series_);
  if (frames == 0) return {};
  const QString text = series_ == Series::data    ? tr("view %1 of %2")
                       : series_ == Series::flats ? tr("flat field %1 of %2")
                                                  : tr("dark frame %1 of %2");
  return text.arg(index_ + 1).arg(frames);
}
QString ProjectionPane::extra_caption() const {
  const ProjectionsInfo* scan = projections();
  if (scan == nullptr || series_ != Series::data) return {};
  const auto orbit = scan->geometry.orbit();
  if (!orbit || static_cast<std::size_t>(index_) >= orbit->angles.size()) return {};
  return tr("%1°").arg(number_text(convert(orbit->angles[static_cast<std::size_t>(index_)], Unit::rad, Unit::deg)));
}
QString ProjectionPane::no_picture_text() const {
  if (output().empty()) return tr("No scan yet. Drop one on the window.");
  if (projections() == nullptr) return tr("Not loaded");
  if (count(series_) == 0)
    return series_ == Series::flats ? tr("The scan has no flat fields here") : tr("The scan has no dark frames here");
  return tr("Waiting for the first image");
}

void ProjectionPane::step(int64_t count) { set_index(index_ + count); }
void ProjectionPane::step_to_end(int direction) { set_index(direction < 0 ? 0 : count(series_)); }

// T cycles through views, flats and darks.
bool ProjectionPane::key_pressed(QKeyEvent& event) {
  if (event.key() != Qt::Key_T || event.modifiers() != Qt::NoModifier) return false;
  set_series(series_ == Series::data ? Series::flats : series_ == Series::flats ? Series::darks : Series::data);
  return true;
}

}  // namespace tl::ui
