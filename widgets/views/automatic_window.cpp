// AutomaticWindow: asks for the reference picture like a pane, and only after the panes have theirs.
#include "widgets/views/automatic_window.h"

#include <algorithm>

#include "core/picture/levels.h"
#include "widgets/views/output_finder.h"
#include "widgets/views/view_state.h"

namespace tl::ui {
namespace {

using Series = live::PictureRequest::Series;

constexpr int rest_ms = 600;  // without a change; a knob that is still turned changes more often
const QString flats_ending = QStringLiteral("/flats"), darks_ending = QStringLiteral("/darks");
const QString view_prefix = QStringLiteral("window.");

Series series_of(const QString& port) {
  if (port.endsWith(flats_ending)) return Series::flats;
  return port.endsWith(darks_ending) ? Series::darks : Series::data;
}

// A single view of what such a node computes would need the whole scan.
bool comes_by_rows(const PictureSource& source, const QString& node) {
  const auto before = upstream_nodes(source.graph(), node.toStdString());
  return std::any_of(before.begin(), before.end(), [&source](const std::string& id) {
    const NodeType* type = source.registry().find(source.graph().nodes.at(id).type);
    return type != nullptr && type->partition == Partition::per_row;
  });
}

}  // namespace

QString port_with_series(const QString& port, Series series) {
  return series == Series::data ? port : port + (series == Series::flats ? flats_ending : darks_ending);
}

std::optional<live::PictureRequest> window_reference(const PictureSource& source, const Output& output) {
  const Output of{output.node, output.port.section(QLatin1Char('/'), 0, 0)};
  const Info* info = of.empty() ? nullptr : source.info(of);
  if (info == nullptr) return std::nullopt;
  live::PictureRequest request{of.node.toStdString(), of.port.toStdString(), middle_region(*info)};
  request.coarse = 1;
  const auto* scan = std::get_if<ProjectionsInfo>(info);
  if (scan == nullptr) return request;
  request.series = series_of(output.port);
  if (request.series != Series::data) {
    request.region = scan->geometry.full();
    request.frame = (request.series == Series::flats ? scan->flats : scan->darks) / 2;
  } else if (comes_by_rows(source, of.node)) {
    request.region = middle_sinogram(*scan);
  }
  return request;
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
  for (auto& [key, entry] : entries_) end_request(entry);
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
  end_request(found->second);
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
  const auto reference = window_reference(source_, output);
  const bool same = reference && picture.request.region == reference->region &&
                    picture.request.node == reference->node && picture.request.port == reference->port &&
                    picture.request.series == reference->series && picture.request.frame == reference->frame;
  if (same)
    take(entry, picture);
  else if (entry.ticket == 0)
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
  auto reference = window_reference(source_, entry.output);
  if (!reference) return;
  reference->ticket = entry.ticket = ++tickets_;
  source_.request(view_prefix + entry.output.key(), *reference);
}

void AutomaticWindow::take(Entry& entry, const live::Picture& picture) {
  end_request(entry);
  entry.due = false;
  entry.measured = true;
  state_.set_levels(entry.output, picture::percentile_levels(*picture.image, picture::clipped_percent),
                    LevelsMode::automatic);
}

void AutomaticWindow::end_request(Entry& entry) {
  if (entry.ticket == 0) return;
  entry.ticket = 0;
  source_.forget(view_prefix + entry.output.key());
}

void AutomaticWindow::answered(const QString& view, const live::Picture& picture) {
  if (!view.startsWith(view_prefix)) return;
  const auto found = entries_.find(view.mid(view_prefix.size()));
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  if (entry.ticket == 0 || picture.request.ticket != entry.ticket) return;
  if (picture.error) {
    // Cancelled work is done again; after another failure the window stays as it is.
    if (picture.error->kind == ErrorKind::cancelled) return;
    end_request(entry);
    entry.due = false;
    return;
  }
  if (!picture.final || !picture.image || picture.image->pixels.empty()) return;
  if (state_.levels_mode(entry.output) == LevelsMode::manual)
    end_request(entry);
  else
    take(entry, picture);
}

}  // namespace tl::ui
