// SweepSession: reads the swept parameters, and writes the best point into the pipeline.
#include "widgets/session/sweep_session.h"

#include "widgets/language/translated.h"

namespace tl::ui {

void SweepSession::set_over(const QString& text) {
  if (is_busy() || over_ == text) return;
  over_ = text;
  clear_failure();
  Q_EMIT settings_changed();
}

Result<learn::SweepRequest> SweepSession::request() const {
  Document& document = session_.document();
  learn::SweepRequest request;
  for (const QString& axis : over_.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
    TL_TRY(request.axes.emplace_back(),
           learn::parse_sweep_axis(document.graph(), document.registry(), axis.trimmed().toStdString()));
  }
  if (request.axes.empty())
    return invalid(tr("Name a parameter and its values, such as fbp.cutoff=0.2:1:9").toStdString());
  if (document.path().isEmpty())
    return invalid(tr("Save the pipeline: the table of the sweep goes next to it").toStdString());
  request.output = free_file(QStringLiteral("-sweep"), QStringLiteral(".json")).chopped(5).toStdString();
  request.rules = document.export_rules();
  return request;
}

QString SweepSession::obstacle() const {
  const Result<learn::SweepRequest> wanted = request();
  return wanted.ok() ? QString() : translated(wanted.error());
}

void SweepSession::prepare(jobs::SweepJob::Settings& settings) {
  settings.request = request().or_throw();
  axes_ = settings.request.axes;
}

void SweepSession::use_best() {
  if (state() != JobState::ended || !has_best()) return;
  session_.document().edit(tr("Use the best point of the sweep"), [this](Graph& graph) {
    for (std::size_t i = 0, index = *progress().report.best; i < axes_.size(); index /= axes_[i++].values.size())
      if (const auto node = graph.nodes.find(axes_[i].node); node != graph.nodes.end())
        node->second.params[axes_[i].param] = axes_[i].values[index % axes_[i].values.size()];
  });
  reject();
}

}  // namespace tl::ui
