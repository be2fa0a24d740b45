// TrainingSession: starts trainings, takes their progress to the GUI thread, and puts the network into the pipeline.
#include "widgets/session/training_session.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/base/wording.h"
#include "core/graph/edit.h"
#include "core/train/example_nodes.h"
#include "widgets/session/job_bridge.h"
#include "widgets/session/network_nodes.h"

namespace tl::ui {
namespace {

const std::string* text_param(const GraphNode& node, const char* name) {
  const auto found = node.params.find(name);
  return found == node.params.end() ? nullptr : std::get_if<std::string>(&found->second);
}

bool has_strokes(const GraphNode& node) {
  const auto stroke = node.params.find("stroke");
  const auto* last = stroke == node.params.end() ? nullptr : std::get_if<int64_t>(&stroke->second);
  return last != nullptr && *last > 0;
}

// The active nodes of painted labels in which there is a stroke, and the examples.
std::vector<std::string> nodes_with_labels(const Graph& graph) {
  std::vector<std::string> nodes;
  for (const std::string& id : train::example_nodes(graph))
    if (const GraphNode& node = graph.nodes.at(id); node.type != train::painted_labels || has_strokes(node))
      nodes.push_back(id);
  return nodes;
}

}  // namespace

struct TrainingSession::Job {
  Job(TrainingSession& session, uint64_t n, train::JobSettings settings)
      : number(n), bridge(session, n), job(session.session_.document().registry(), std::move(settings), bridge) {}
  uint64_t number;
  JobBridge<TrainingSession, train::JobListener, train::JobProgress, train::JobEnd> bridge;
  train::TrainingJob job;
};

TrainingSession::TrainingSession(LiveSession& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_.document(), &Document::was_reset, this, &TrainingSession::leave);
  connect(&session_.document(), &Document::graph_changed, this, [this] {
    if (!is_busy()) failure_.clear();  // it may have been repaired
    look_for_checkpoint();
  });
  look_for_checkpoint();
}
TrainingSession::~TrainingSession() = default;

void TrainingSession::set_plan(const train::TrainingPlan& plan) {
  if (plan == plan_ || is_busy()) return;
  plan_ = plan;
  failure_.clear();
  Q_EMIT settings_changed();
}

std::string TrainingSession::network_node() const {
  std::string first;
  for (const auto& [id, node] : session_.document().graph().nodes) {
    if (!applies_network(node)) continue;
    if (network_of(node).empty()) return id;
    if (first.empty()) first = id;
  }
  return first;
}

QString TrainingSession::obstacle() const {
  if (!has_labels())
    return tr(
        "Nothing is painted in this pipeline. Take a brush in a view, and paint some voxels of each class, the "
        "background being one; or link a volume and its labels to the node Examples.");
  if (network_node().empty())
    return tr("No node of this pipeline applies a network: add the node Network after the volume that has labels.");
  return {};
}
bool TrainingSession::has_labels() const { return !nodes_with_labels(session_.document().graph()).empty(); }
bool TrainingSession::lacks_network_node() const { return network_node().empty() && has_labels(); }

void TrainingSession::add_network_node() {
  Document& document = session_.document();
  const auto painted = nodes_with_labels(document.graph());
  if (painted.empty()) return;
  document.edit(tr("Add Network"), [&](Graph& graph) {
    const Link from = *graph.link_into(painted.front(), "volume");
    const Result<std::string> id = edit::add_node(graph, document.registry(), network_node_type);
    if (id.ok()) graph.links.push_back({from.from_node, from.from_port, id.value(), "volume"});
  });
}

QString TrainingSession::checkpoint_file() const {
  const Graph& graph = session_.document().graph();
  for (const std::string& id : nodes_with_labels(graph))
    if (const std::string* file = text_param(graph.nodes.at(id), "file"); file != nullptr && !file->empty())
      return QString::fromStdString(*file) + QStringLiteral(".checkpoint");
  // Examples have no file of their own: next to the pipeline, if that is in one.
  const QString pipeline = session_.document().path();
  return nodes_with_labels(graph).empty() || pipeline.isEmpty() ? QString() : pipeline + QStringLiteral(".checkpoint");
}

// The settings of a training that did not end are taken, so that it can go on.
void TrainingSession::look_for_checkpoint() {
  if (is_busy()) return;
  const QFileInfo file(checkpoint_file());
  if (!file.isFile()) {
    found_.reset();
    return Q_EMIT settings_changed();
  }
  const qint64 written_ms = file.lastModified().toMSecsSinceEpoch();
  const bool is_new = !found_ || found_->file != file.filePath() || found_->written_ms != written_ms;
  if (is_new) {
    found_ = Found{file.filePath(), written_ms, {}, 0, false};
    const Result<train::CheckpointHead> head = train::read_checkpoint_head(file.filePath().toStdString());
    if (head.ok()) {
      found_->epochs = static_cast<int64_t>(head.value().curves.size());
      if (Result<train::JobIdentity> identity = train::identity_from_note(head.value().note); identity.ok())
        found_->identity = std::move(identity).value();
    }
  }
  found_->same_labels = found_->identity && found_->identity->data == train::data_identity(session_.document().graph());
  if (is_new && found_->same_labels && state_ == TrainingState::idle) plan_ = found_->identity->plan;
  Q_EMIT settings_changed();
}

TrainingSession::Unfinished TrainingSession::unfinished() const {
  if (!found_ || state_ != TrainingState::idle) return Unfinished::none;
  if (!found_->same_labels) return Unfinished::other_labels;
  return train::goes_on_as(plan_, found_->identity->plan) ? Unfinished::same_settings : Unfinished::other_settings;
}
int64_t TrainingSession::unfinished_epochs() const { return found_ ? found_->epochs : 0; }

void TrainingSession::set_state(TrainingState state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT state_changed();
}

void TrainingSession::start() { begin(train::JobSettings::Begin::from_start); }
void TrainingSession::resume() { begin(train::JobSettings::Begin::with_checkpoint); }
void TrainingSession::begin(train::JobSettings::Begin begin) {
  if (is_busy() || !obstacle().isEmpty()) return;
  const Document& document = session_.document();
  const live::EngineOptions& engine = session_.options();
  train::JobSettings settings;
  settings.graph = document.graph();
  settings.pipeline = document.title().toStdString();
  settings.plan = plan_;
  checkpoint_ = checkpoint_file();
  settings.checkpoint = checkpoint_.toStdString();
  settings.begin = begin;
  settings.best_folder = best_folder_.isValid() ? best_folder_.path().toStdString() : std::string();
  settings.device = engine.device;
  settings.threads = engine.threads;
  settings.memory = engine.memory;
  settings.input_dir = engine.input_dir;
  progress_ = {};
  end_.reset();
  failure_.clear();
  job_ = std::make_unique<Job>(*this, ++number_, std::move(settings));
  set_state(TrainingState::reading);
  Q_EMIT progressed();
}

void TrainingSession::pause() {
  if (state_ != TrainingState::running) return;
  job_->job.pause();
  set_state(TrainingState::pausing);
}
void TrainingSession::go_on() {
  if (state_ != TrainingState::paused && state_ != TrainingState::pausing) return;
  job_->job.go_on();
  set_state(TrainingState::running);
}
void TrainingSession::take_best() {
  if (!is_busy() || progress_.curves.empty() || state_ == TrainingState::stopping) return;
  job_->job.take_best();
  set_state(TrainingState::finishing);
}
void TrainingSession::cancel() {
  if (!is_busy()) return;
  job_->job.cancel();
  set_state(TrainingState::stopping);
}

void TrainingSession::leave() {
  if (job_ != nullptr) {
    job_->job.cancel();
    leaving_.push_back(std::move(job_));
    ++number_;
  }
  progress_ = {};
  end_.reset();
  failure_.clear();
  found_.reset();
  shown_best_.clear();
  session_.set_preview(nullptr);
  set_state(TrainingState::idle);
  Q_EMIT progressed();
}

void TrainingSession::progress_of(uint64_t number, const train::JobProgress& progress) {
  if (number != number_ || !is_busy()) return;
  progress_ = progress;
  using Phase = train::JobProgress::Phase;
  const bool asked = state_ == TrainingState::finishing || state_ == TrainingState::stopping;
  if (progress.phase == Phase::training && (state_ == TrainingState::reading || state_ == TrainingState::paused))
    set_state(TrainingState::running);
  if (progress.phase == Phase::paused && !asked) set_state(TrainingState::paused);
  show_best();
  Q_EMIT progressed();
}

void TrainingSession::end_of(uint64_t number, const train::JobEnd& end) {
  std::erase_if(leaving_, [number](const auto& job) { return job->number == number; });
  if (number != number_ || job_ == nullptr) return;
  if (end.error) {
    if (end.error->kind != ErrorKind::cancelled)
      failure_ = QString::fromStdString(message_for(FrontEnd::window, *end.error));
    forget_job();
  } else {
    end_ = end;
    set_state(TrainingState::ended);
  }
  Q_EMIT progressed();
}

void TrainingSession::show_best() {
  if (progress_.best.empty() || progress_.best.string() == shown_best_) return;
  shown_best_ = progress_.best.string();
  session_.set_preview([node = network_node(), file = shown_best_](Graph& graph) {
    if (const auto found = graph.nodes.find(node); found != graph.nodes.end() && applies_network(found->second))
      set_network(found->second, file);
  });
}

QString TrainingSession::suggested_file() const {
  const QString pipeline = session_.document().path();
  if (pipeline.isEmpty()) return {};
  const QFileInfo info(pipeline);
  const QString base = info.absoluteDir().filePath(info.completeBaseName() + QStringLiteral("-network"));
  QString file = base + QStringLiteral(".safetensors");
  for (int i = 2; QFileInfo::exists(file); ++i) file = QStringLiteral("%1-%2.safetensors").arg(base).arg(i);
  return file;
}

Result<void> TrainingSession::accept(const QString& file) {
  Document& document = session_.document();
  const std::string node = network_node();
  if (state_ != TrainingState::ended || node.empty())
    return invalid(tr("no node of this pipeline applies a network").toStdString(), {},
                   tr("Add the node Network first").toStdString());
  const std::string path = QFileInfo(file).absoluteFilePath().toStdString();
  TL_TRY(job_->job.save(path, document.export_rules()));
  document.edit(tr("Accept the trained network"), [&](Graph& graph) { set_network(graph.nodes.at(node), path); });
  forget_job();
  Q_EMIT saved(QString::fromStdString(path));
  return ok();
}

void TrainingSession::reject() {
  if (state_ == TrainingState::ended) forget_job();
}

// Images show the pipeline as it is set again.
void TrainingSession::forget_job() {
  if (state_ == TrainingState::ended && !checkpoint_.isEmpty()) QFile::remove(checkpoint_);
  job_.reset();
  shown_best_.clear();
  session_.set_preview(nullptr);
  state_ = TrainingState::idle;
  look_for_checkpoint();
  Q_EMIT state_changed();
}

}  // namespace tl::ui
