// PruningSession: starts prunings, takes their progress to the GUI thread, and puts the network into the pipeline.
#include "widgets/session/pruning_session.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "core/values/infos.h"
#include "widgets/session/network_nodes.h"
#include "widgets/session/save_dialog.h"

namespace tl::ui {
namespace {

QString report_path_for(const QString& network) {
  const QFileInfo info(network);
  return info.dir().filePath(info.completeBaseName() + QStringLiteral(".report.json"));
}

}  // namespace

PruningSession::PruningSession(TrainingSession& training, Selection& selection, QObject* parent)
    : JobSessionOf(training.live(), parent), training_(training), selection_(selection) {
  connect(&selection_, &Selection::changed, this, &PruningSession::settings_changed);
  connect(&training_, &TrainingSession::settings_changed, this, &PruningSession::settings_changed);
}

void PruningSession::set_plan(const train::PruningPlan& plan) {
  if (plan == plan_ || is_busy()) return;
  plan_ = plan;
  clear_failure();
  Q_EMIT settings_changed();
}

std::string PruningSession::network_node() const {
  const auto& nodes = live().document().graph().nodes;
  const auto selected = nodes.find(selection_.current().toStdString());
  if (selected != nodes.end() && applies_network(selected->second)) return selected->first;
  const auto first = std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return applies_network(n.second); });
  return first == nodes.end() ? std::string() : first->first;
}

QString PruningSession::network_file() const {
  if (!plan_.network.empty()) return QString::fromStdString(plan_.network.string());
  const std::string node = network_node();
  const std::string model = node.empty() ? node : network_of(live().document().graph().nodes.at(node));
  if (model.empty()) return {};
  return QString::fromStdString((session_.options().input_dir / model).string());
}

bool PruningSession::trains() const { return plan_.epochs > 0 && has_labels(); }

QString PruningSession::obstacle() const {
  const QString file = network_file();
  if (file.isEmpty()) return tr("There is no network to prune: choose a file, or train one first (tab Network).");
  if (!QFileInfo(file).isFile()) return tr("There is no file %1: choose another network.").arg(file);
  return {};
}

PrunedOutput PruningSession::output() const {
  const QString pruned =
      is_busy() || state() == JobState::ended ? QString::fromStdString(begun_with_.network.string()) : network_file();
  if (pruned.isEmpty()) return {};
  QString file = output_.isEmpty() ? free_output(pruned) : QFileInfo(pruned).dir().absoluteFilePath(output_);
  file = with_ending(file, endings());
  return {file, report_path_for(file)};
}

QString PruningSession::free_output(const QString& network) const {
  const QFileInfo info(network);
  // For a network that was pruned before: the next number.
  static const QRegularExpression pruned_before(QStringLiteral("-pruned(-\\d+)?$"));
  const QString name = info.completeBaseName().remove(pruned_before);
  const QString base = info.absoluteDir().filePath(name + QStringLiteral("-pruned"));
  const QString ending =
      info.suffix() == QLatin1String("onnx") ? QStringLiteral(".onnx") : QStringLiteral(".safetensors");
  QString file = base + ending;
  for (int i = 2; QFileInfo::exists(file) || QFileInfo::exists(report_path_for(file)); ++i)
    file = QStringLiteral("%1-%2%3").arg(base).arg(i).arg(ending);
  return file;
}

void PruningSession::set_output(const QString& file) {
  if (file == output_) return;
  output_ = file;
  saved_.reset();
  Q_EMIT settings_changed();
}

qint64 PruningSession::slice_pixels() const {
  constexpr qint64 usual = 512 * 512;
  const std::string node = network_node();
  const Info* info = node.empty() ? nullptr : live().info(QString::fromStdString(node), QStringLiteral("labels"));
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  return labels == nullptr ? usual : labels->grid.ny * labels->grid.nx;
}

void PruningSession::prepare(jobs::PruningJob::Settings& settings) {
  settings.samples = training_.plan();
  settings.plan = plan_;
  settings.plan.network = QFileInfo(network_file()).absoluteFilePath().toStdString();
  if (!trains()) settings.plan.epochs = 0;
  begun_with_ = settings.plan;
}

void PruningSession::leave() {
  plan_.network.clear();
  output_.clear();
  JobSessionOf::leave();
}

void PruningSession::forget_result() {
  saved_.reset();
  JobSessionOf::forget_result();
}

Result<void> PruningSession::save() {
  if (state() != JobState::ended) return invalid(tr("nothing was pruned").toStdString(), {}, {});
  PrunedOutput to = output();
  TL_TRY(job().save(to.network.toStdString(), to.report.toStdString(), live().document().export_rules()));
  output_ = to.network;  // the name is no longer free
  saved_ = std::move(to);
  Q_EMIT saved(tr("Saved the pruned network as %1, and the report as %2").arg(saved_->network, saved_->report));
  Q_EMIT settings_changed();
  return ok();
}

void PruningSession::use() {
  if (!can_use()) return;
  live().document().edit(tr("Use the pruned network"), [node = network_node(), file = saved_->network.toStdString()](
                                                           Graph& graph) { set_network(graph.nodes.at(node), file); });
  drop();
}

void PruningSession::drop() {
  saved_.reset();
  output_.clear();
  forget_job();
  Q_EMIT settings_changed();
}

}  // namespace tl::ui
