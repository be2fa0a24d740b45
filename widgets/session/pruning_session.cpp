// PruningSession: starts prunings, takes their progress to the GUI thread, and puts the network into the pipeline.
#include "widgets/session/pruning_session.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "core/base/wording.h"
#include "core/values/infos.h"
#include "widgets/session/job_bridge.h"
#include "widgets/session/network_nodes.h"
#include "widgets/session/save_dialog.h"

namespace tl::ui {
namespace {

QString report_path_for(const QString& network) {
  const QFileInfo info(network);
  return info.dir().filePath(info.completeBaseName() + QStringLiteral(".report.json"));
}

}  // namespace

struct PruningSession::Job {
  Job(PruningSession& session, uint64_t n, train::PruningSettings settings)
      : number(n), bridge(session, n), job(session.live().document().registry(), std::move(settings), bridge) {}
  uint64_t number;
  JobBridge<PruningSession, train::PruningListener, train::PruningProgress, train::PruningEnd> bridge;
  train::PruningJob job;
};

PruningSession::PruningSession(TrainingSession& training, Selection& selection, QObject* parent)
    : QObject(parent), training_(training), selection_(selection) {
  connect(&live().document(), &Document::was_reset, this, &PruningSession::leave);
  connect(&live().document(), &Document::graph_changed, this, [this] {
    if (!is_busy()) failure_.clear();  // it may have been repaired
    Q_EMIT settings_changed();
  });
  connect(&selection_, &Selection::changed, this, &PruningSession::settings_changed);
  connect(&training_, &TrainingSession::settings_changed, this, &PruningSession::settings_changed);
}
PruningSession::~PruningSession() = default;

void PruningSession::set_plan(const train::PruningPlan& plan) {
  if (plan == plan_ || is_busy()) return;
  plan_ = plan;
  failure_.clear();
  Q_EMIT settings_changed();
}

std::string PruningSession::network_node() const {
  const auto& nodes = training_.live().document().graph().nodes;
  const auto selected = nodes.find(selection_.current().toStdString());
  if (selected != nodes.end() && applies_network(selected->second)) return selected->first;
  const auto first = std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return applies_network(n.second); });
  return first == nodes.end() ? std::string() : first->first;
}

QString PruningSession::network_file() const {
  if (!plan_.network.empty()) return QString::fromStdString(plan_.network.string());
  const LiveSession& session = training_.live();
  const std::string node = network_node();
  const std::string model = node.empty() ? node : network_of(training_.live().document().graph().nodes.at(node));
  if (model.empty()) return {};
  return QString::fromStdString((session.options().input_dir / model).string());
}

bool PruningSession::trains() const { return plan_.epochs > 0 && has_labels(); }

QString PruningSession::obstacle() const {
  const QString file = network_file();
  if (file.isEmpty()) return tr("There is no network to prune: choose a file, or train one first (tab Network).");
  if (!QFileInfo(file).isFile()) return tr("There is no file %1: choose another network.").arg(file);
  return {};
}

PrunedOutput PruningSession::output() const {
  const QString pruned = is_busy() || state_ == PruningState::ended
                             ? QString::fromStdString(begun_with_.network.string())
                             : network_file();
  if (pruned.isEmpty()) return {};
  QString file = output_.isEmpty() ? free_output(pruned) : QFileInfo(pruned).dir().absoluteFilePath(output_);
  file = with_ending(file, endings());
  return {file, report_path_for(file)};
}

QString PruningSession::free_output(const QString& network) const {
  const QFileInfo info(network);
  // Of a network that was pruned before: the next number.
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
  const Info* info =
      node.empty() ? nullptr : training_.live().info(QString::fromStdString(node), QStringLiteral("labels"));
  const auto* labels = info == nullptr ? nullptr : std::get_if<LabelsInfo>(info);
  return labels == nullptr ? usual : labels->grid.ny * labels->grid.nx;
}

void PruningSession::set_state(PruningState state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT state_changed();
}

void PruningSession::start() {
  if (is_busy() || !obstacle().isEmpty()) return;
  const Document& document = live().document();
  const live::EngineOptions& engine = live().options();
  train::PruningSettings settings;
  settings.graph = document.graph();
  settings.pipeline = document.title().toStdString();
  settings.device = engine.device;
  settings.memory = engine.memory;
  settings.input_dir = engine.input_dir;
  settings.threads = engine.threads;
  settings.samples = training_.plan();
  settings.plan = plan_;
  settings.plan.network = QFileInfo(network_file()).absoluteFilePath().toStdString();
  if (!trains()) settings.plan.epochs = 0;
  begun_with_ = settings.plan;
  progress_ = {};
  end_.reset();
  saved_.reset();
  failure_.clear();
  job_ = std::make_unique<Job>(*this, ++number_, std::move(settings));
  set_state(PruningState::reading);
  Q_EMIT progressed();
}

void PruningSession::pause() {
  if (state_ != PruningState::running) return;
  job_->job.pause();
  set_state(PruningState::pausing);
}
void PruningSession::go_on() {
  if (state_ != PruningState::paused && state_ != PruningState::pausing) return;
  job_->job.go_on();
  set_state(PruningState::running);
}
void PruningSession::cancel() {
  if (!is_busy()) return;
  job_->job.cancel();
  set_state(PruningState::stopping);
}

void PruningSession::leave() {
  if (job_ != nullptr) {
    job_->job.cancel();
    leaving_.push_back(std::move(job_));
    ++number_;
  }
  plan_.network.clear();
  output_.clear();
  progress_ = {};
  end_.reset();
  saved_.reset();
  failure_.clear();
  set_state(PruningState::idle);
  Q_EMIT progressed();
}

void PruningSession::progress_of(uint64_t number, const train::PruningProgress& progress) {
  if (number != number_ || !is_busy()) return;
  progress_ = progress;
  using Phase = train::PruningProgress::Phase;
  const bool works = progress.phase == Phase::pruning || progress.phase == Phase::training;
  if (works && (state_ == PruningState::reading || state_ == PruningState::paused)) set_state(PruningState::running);
  if (progress.phase == Phase::paused && state_ != PruningState::stopping) set_state(PruningState::paused);
  Q_EMIT progressed();
}

void PruningSession::end_of(uint64_t number, const train::PruningEnd& end) {
  std::erase_if(leaving_, [number](const auto& job) { return job->number == number; });
  if (number != number_ || job_ == nullptr) return;
  if (end.error) {
    if (end.error->kind != ErrorKind::cancelled)
      failure_ = QString::fromStdString(message_for(FrontEnd::window, *end.error));
    forget_job();
  } else {
    end_ = end;
    set_state(PruningState::ended);
  }
  Q_EMIT progressed();
}

Result<void> PruningSession::save() {
  if (state_ != PruningState::ended) return invalid(tr("nothing was pruned").toStdString(), {}, {});
  PrunedOutput to = output();
  TL_TRY(job_->job.save(to.network.toStdString(), to.report.toStdString(), live().document().export_rules()));
  output_ = to.network;  // the name is no longer free
  saved_ = std::move(to);
  Q_EMIT saved(saved_->network, saved_->report);
  Q_EMIT settings_changed();
  return ok();
}

void PruningSession::use() {
  if (!can_use()) return;
  live().document().edit(tr("Use the pruned network"), [node = network_node(), file = saved_->network.toStdString()](
                                                           Graph& graph) { set_network(graph.nodes.at(node), file); });
  forget_job();
}

void PruningSession::reject() {
  if (state_ == PruningState::ended) forget_job();
}

void PruningSession::forget_job() {
  job_.reset();
  saved_.reset();
  output_.clear();
  set_state(PruningState::idle);
  Q_EMIT settings_changed();
}

}  // namespace tl::ui
