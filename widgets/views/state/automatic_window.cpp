// AutomaticWindow: asks for the reference image like a pane, and only after the panes have theirs.
#include "widgets/views/state/automatic_window.h"

#include <algorithm>
#include <cmath>

#include "widgets/views/pictures/output_finder.h"
#include "widgets/views/state/view_state.h"

namespace tl::ui {
namespace {

using Series = live::PictureRequest::Series;

constexpr int rest_ms = 600;  // time without a change; a moving slider causes changes at shorter intervals
const QString flats_ending = QStringLiteral("/flats"), darks_ending = QStringLiteral("/darks");
// The view of a reference image: its number and the output's key.
const QString view_prefix = QStringLiteral("window.");
QString reference_view_name(std::size_t number, const Output& output) {
  return view_prefix + QString::number(number) + QLatin1Char('.') + output.key();
}

Series series_of(const QString& port) {
  if (port.endsWith(flats_ending)) return Series::flats;
  return port.endsWith(darks_ending) ? Series::darks : Series::data;
}

// A single view of the output of such a node would need the whole scan.
bool comes_by_rows(const PictureSource& source, const QString& node) {
  const auto before = upstream_nodes(source.graph(), node.toStdString());
  return std::any_of(before.begin(), before.end(), [&source](const std::string& id) {
    const NodeType* type = source.registry().find(source.graph().nodes.at(id).type);
    return type != nullptr && type->partition == Partition::per_row;
  });
}

// The view whose angle differs from that of another one by nearly 90 degrees, in either direction.
int64_t view_across(const ScanGeometry& scan, int64_t view) {
  const Vec3 from = scan.view(view).u;
  const auto along = [&](int64_t i) { return std::abs(dot(scan.view(i).u, from)) / norm(scan.view(i).u); };
  int64_t across = view;
  for (int64_t i = 0; i < scan.views(); ++i)
    if (along(i) < along(across)) across = i;
  return across;
}

}  // namespace

QString port_with_series(const QString& port, Series series) {
  return series == Series::data ? port : port + (series == Series::flats ? flats_ending : darks_ending);
}

std::vector<live::PictureRequest> window_references(const PictureSource& source, const Output& output) {
  const Output of{output.node, output.port.section(QLatin1Char('/'), 0, 0)};
  const Info* info = of.empty() ? nullptr : source.info(of);
  if (info == nullptr) return {};
  live::PictureRequest request{of.node.toStdString(), of.port.toStdString(), middle_region(*info)};
  request.coarse = 1;
  const auto* scan = std::get_if<ProjectionsInfo>(info);
  if (scan == nullptr) return {request};
  request.series = series_of(output.port);
  if (request.series != Series::data) {
    request.region = scan->geometry.full();
    request.frame = (request.series == Series::flats ? scan->flats : scan->darks) / 2;
    return {request};
  }
  if (comes_by_rows(source, of.node)) request.region = middle_sinogram(*scan);
  auto& middle = std::get<ScanRegion>(request.region);
  if (middle.views.size() != 1) return {request};
  live::PictureRequest across = request;
  const int64_t view = view_across(scan->geometry, middle.views.begin);
  std::get<ScanRegion>(across.region).views = {view, view + 1};
  return {request, across};
}

AutomaticWindow::AutomaticWindow(PictureSource& source, ViewState& state)
    : source_(source), state_(state), graph_(source.graph()) {
  rest_.setSingleShot(true);
  rest_.setInterval(rest_ms);
  connect(&rest_, &QTimer::timeout, this, [this] {
    for (auto& [key, entry] : entries_)
      if (entry.due && entry.on_screen) measure(entry);
  });
  connect(&source_, &PictureSource::graph_changed, this, &AutomaticWindow::look_at_graph);
  connect(&source_, &PictureSource::picture_ready, this, &AutomaticWindow::answered);
}
AutomaticWindow::~AutomaticWindow() { clear(); }

void AutomaticWindow::clear() {
  for (auto& [key, entry] : entries_) end_requests(entry);
  entries_.clear();
}

// Moving a card on the canvas changes no value.
void AutomaticWindow::look_at_graph() {
  const Graph& now = source_.graph();
  if (now.nodes == graph_.nodes && now.links == graph_.links) return;
  graph_ = now;
  for (auto& [key, entry] : entries_) changed(entry.output);
}

void AutomaticWindow::changed(const Output& output) {
  rest_.start();
  const auto found = entries_.find(output.key());
  if (found == entries_.end()) return;
  end_requests(found->second);
  found->second.due = true;
  found->second.on_screen = false;
}

void AutomaticWindow::shown(const Output& output, const live::Picture& picture) {
  Entry& entry = entries_[output.key()];
  entry.output = output;
  entry.on_screen = entry.on_screen || picture.final;
  if (state_.levels_mode(output) == LevelsMode::manual) return;
  if (!state_.levels(output))
    state_.set_levels(output, picture::percentile_levels(*picture.image, picture::clipped_percent),
                      LevelsMode::automatic);
  if (!entry.due || !picture.final || (entry.measured && rest_.isActive())) return;
  const auto references = window_references(source_, output);
  const auto is_shown = [&picture](const live::PictureRequest& reference) {
    return picture.request.region == reference.region && picture.request.node == reference.node &&
           picture.request.port == reference.port && picture.request.series == reference.series &&
           picture.request.frame == reference.frame;
  };
  if (references.size() == 1 && is_shown(references.front()))
    take(entry, picture::percentile_levels(*picture.image, picture::clipped_percent));
  else if (entry.tickets.empty())
    measure(entry);
}

void AutomaticWindow::choose(const Output& output) {
  if (output.empty()) return;
  Entry& entry = entries_[output.key()];
  entry.output = output;
  if (const auto now = state_.levels(output)) state_.set_levels(output, *now, LevelsMode::automatic);
  measure(entry);
}

void AutomaticWindow::measure(Entry& entry) {
  if (state_.levels_mode(entry.output) == LevelsMode::manual) return;
  auto references = window_references(source_, entry.output);
  if (references.empty()) return;
  end_requests(entry);
  for (live::PictureRequest& reference : references) {
    reference.ticket = ++tickets_;
    entry.tickets.push_back(reference.ticket);
  }
  for (std::size_t i = 0; i < references.size(); ++i)
    source_.request(reference_view_name(i, entry.output), references[i]);
}

void AutomaticWindow::take(Entry& entry, const picture::Levels& levels) {
  end_requests(entry);
  entry.due = false;
  entry.measured = true;
  state_.set_levels(entry.output, levels, LevelsMode::automatic);
}

void AutomaticWindow::end_requests(Entry& entry) {
  for (std::size_t i = 0; i < entry.tickets.size(); ++i) source_.forget(reference_view_name(i, entry.output));
  entry.tickets.clear();
  entry.found.reset();
}

void AutomaticWindow::answered(const QString& view, const live::Picture& picture) {
  if (!view.startsWith(view_prefix) || picture.request.ticket == 0) return;
  const QString number = view.section(QLatin1Char('.'), 1, 1);
  const auto at = entries_.find(view.mid(view_prefix.size() + number.size() + 1));
  if (at == entries_.end()) return;
  Entry& entry = at->second;
  const auto ticket = std::find(entry.tickets.begin(), entry.tickets.end(), picture.request.ticket);
  if (ticket == entry.tickets.end()) return;
  if (picture.error) {
    // A cancelled request is repeated; after another failure the window stays as it is.
    if (picture.error->kind == ErrorKind::cancelled) return;
    end_requests(entry);
    entry.due = false;
    return;
  }
  if (!picture.final || !picture.image || picture.image->pixels.empty()) return;
  if (state_.levels_mode(entry.output) == LevelsMode::manual) return end_requests(entry);
  *ticket = 0;
  source_.forget(view);
  picture::Levels levels = picture::percentile_levels(*picture.image, picture::clipped_percent);
  if (entry.found) levels = {std::min(levels.low, entry.found->low), std::max(levels.high, entry.found->high)};
  entry.found = levels;
  if (std::all_of(entry.tickets.begin(), entry.tickets.end(), [](uint64_t one) { return one == 0; }))
    take(entry, levels);
}

}  // namespace tl::ui
