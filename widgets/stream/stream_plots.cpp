// StreamPlots: makes a plot for each new name, and plots twice a second.
#include "widgets/stream/stream_plots.h"

#include <QVBoxLayout>
#include <set>

#include "widgets/plot/plot_panel.h"
#include "widgets/session/stream_session.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int plot_height = 120;  // px
constexpr int looks_between = 5;  // updates of the session between two plots; it sends ten a second

QString title_of(const QString& name) {
  if (name == QLatin1String("frames")) return StreamPlots::tr("frames a second");
  if (name == QLatin1String("lost")) return StreamPlots::tr("lost frames");
  return name;
}

// Adds the standard deviation of a followed value as a band, and points where it is not resolved.
void add_verdicts(PlotContent& content, const std::map<std::string, stream::ValueSeries>& curves,
                  const std::string& name) {
  const auto sigma = curves.find(name + sigma_suffix), resolved = curves.find(name + resolved_suffix);
  if (sigma == curves.end() || resolved == curves.end()) return;
  PlotSeries& values = content.series.front();
  if (sigma->second.value.size() != values.y.size() || resolved->second.value.size() != values.y.size()) return;
  values.sigma = sigma->second.value;
  values.name = StreamPlots::tr("value");
  PlotSeries doubtful{StreamPlots::tr("not resolved"), {}, {}};
  doubtful.color = Token::warning;
  doubtful.stroke = PlotStroke::points;
  for (std::size_t i = 0; i < values.y.size(); ++i) {
    if (resolved->second.value[i] > 0) continue;
    doubtful.x.push_back(values.x[i]);
    doubtful.y.push_back(values.y[i]);
  }
  if (!doubtful.x.empty()) content.series.push_back(std::move(doubtful));
}

}  // namespace

StreamPlots::StreamPlots(StreamSession& session, QWidget* parent)
    : QWidget(parent), session_(session), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Theme::space(2));
  connect(&session_, &StreamSession::changed, this, [this, looks = 0]() mutable {
    if (isVisible() && looks++ % looks_between == 0) show_curves();
  });
  connect(&session_, &StreamSession::state_changed, this, &StreamPlots::show_curves);
}

PlotPanel* StreamPlots::plot(const QString& name) const {
  const auto found = plots_.find(name);
  return found == plots_.end() ? nullptr : found->second;
}

void StreamPlots::show_curves() {
  const std::map<std::string, stream::ValueSeries> curves = session_.values();
  std::set<QString> there;
  for (const auto& [key, curve] : curves) {
    const QString name = QString::fromStdString(key);
    if (name.endsWith(QLatin1String(sigma_suffix)) || name.endsWith(QLatin1String(resolved_suffix))) continue;
    if (curve.time.empty()) continue;  // of too many names
    there.insert(name);
    PlotPanel*& panel = plots_[name];
    if (panel == nullptr) {
      panel = new PlotPanel(title_of(name), this);
      panel->setFixedHeight(plot_height);
      panel->set_export_rules([this] { return session_.live().document().export_rules(); });
      // The stream itself first.
      const bool own = name == QLatin1String("frames") || name == QLatin1String("lost");
      column_->insertWidget(own ? 0 : column_->count(), panel);
    }
    constexpr double min_seconds = 10;
    PlotContent content;
    content.x = {tr("time"), QStringLiteral("s"), min_seconds};
    content.y = {title_of(name), QString::fromStdString(curve.unit)};
    content.series = {{title_of(name), curve.time, curve.value}};
    add_verdicts(content, curves, key);
    panel->set_content(std::move(content));
  }
  for (const auto& [name, panel] : plots_) panel->setVisible(there.count(name) != 0);
}

}  // namespace tl::ui
