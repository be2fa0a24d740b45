// TrainingSession: starts trainings, takes their progress to the GUI thread, and puts the network into the pipeline.
#include "widgets/session/training_session.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <utility>

#include "core/graph/edit.h"
#include "core/train/example_nodes.h"
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
    if (const GraphNode& node = graph.nodes.at(id); !train::is_painted(node) || has_strokes(node)) nodes.push_back(id);
  return nodes;
}

}  // namespace

TrainingSession::TrainingSession(LiveSession& session, QObject* parent) : JobSessionOf(session, parent) {
  look_for_checkpoint();
}

void TrainingSession::set_plan(const train::TrainingPlan& plan) {
  if (plan == plan_ || is_busy()) return;
  plan_ = plan;
  clear_failure();
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
    const Result<std::string> id =
        edit::add_node(graph, document.registry(), document.registry().with_role(NodeRole::apply_network)->id);
    if (id.ok()) graph.links.push_back({from.from_node, from.from_port, id.value(), "volume"});
  });
}

QString TrainingSession::checkpoint_file() const {
  const Graph& graph = session_.document().graph();
  for (const std::string& id : nodes_with_labels(graph))
    if (const std::string* file = text_param(graph.nodes.at(id), "file"); file != nullptr && !file->empty())
      return QString::fromStdString(*file) + QStringLiteral(".checkpoint");
  // Examples have no file of their own: the checkpoint is next to the pipeline, if it has a file.
  const QString pipeline = session_.document().path();
  return nodes_with_labels(graph).empty() || pipeline.isEmpty() ? QString() : pipeline + QStringLiteral(".checkpoint");
}

// Uses the settings of the unfinished training, so that it can be resumed.
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
      if (Result<jobs::TrainingIdentity> identity = jobs::identity_from_note(head.value().note); identity.ok())
        found_->identity = std::move(identity).value();
    }
  }
  found_->same_labels = found_->identity && found_->identity->data == jobs::data_identity(session_.document().graph());
  if (is_new && found_->same_labels && state() == JobState::idle) plan_ = found_->identity->plan;
  Q_EMIT settings_changed();
}

// A checkpoint of an earlier training with other settings does not count.
QString TrainingSession::written_checkpoint() const {
  if (checkpoint_.isEmpty()) return {};
  const Result<train::CheckpointHead> head = train::read_checkpoint_head(checkpoint_.toStdString());
  if (!head.ok()) return {};
  const Result<jobs::TrainingIdentity> of = jobs::identity_from_note(head.value().note);
  const bool is_same = of.ok() && train::can_resume_as(plan_, of.value().plan) &&
                       of.value().data == jobs::data_identity(session_.document().graph());
  return is_same ? checkpoint_ : QString();
}

TrainingSession::Unfinished TrainingSession::unfinished() const {
  if (!found_ || state() != JobState::idle) return Unfinished::none;
  if (!found_->same_labels) return Unfinished::other_labels;
  return train::can_resume_as(plan_, found_->identity->plan) ? Unfinished::same_settings : Unfinished::other_settings;
}
int64_t TrainingSession::unfinished_epochs() const { return found_ ? found_->epochs : 0; }

void TrainingSession::start() { start(jobs::TrainingJob::Settings::Begin::from_start); }
void TrainingSession::resume() { start(jobs::TrainingJob::Settings::Begin::with_checkpoint); }
void TrainingSession::start(jobs::TrainingJob::Settings::Begin how) {
  if (is_busy() || !obstacle().isEmpty()) return;
  jobs::TrainingJob::Settings settings;
  fill(settings);
  settings.plan = plan_;
  checkpoint_ = checkpoint_file();
  settings.checkpoint = checkpoint_.toStdString();
  settings.begin = how;
  settings.best_folder = best_folder_.isValid() ? best_folder_.path().toStdString() : std::string();
  begin(std::move(settings));
}

void TrainingSession::leave() {
  found_.reset();
  shown_best_.clear();
  session_.set_preview(nullptr);
  JobSessionOf::leave();
}

// Images show the result of the best network so far.
void TrainingSession::show_progress() {
  if (progress().best.empty() || progress().best.string() == shown_best_) return;
  shown_best_ = progress().best.string();
  session_.set_preview([node = network_node(), file = shown_best_](Graph& graph) {
    if (const auto found = graph.nodes.find(node); found != graph.nodes.end() && applies_network(found->second))
      set_network(found->second, file);
  });
}

QString TrainingSession::suggested_file() const {
  return free_file(QStringLiteral("-network"), QStringLiteral(".safetensors"));
}

Result<void> TrainingSession::accept(const QString& file) {
  Document& document = session_.document();
  const std::string node = network_node();
  if (state() != JobState::ended || node.empty())
    return invalid(tr("no node of this pipeline applies a network").toStdString(), {},
                   tr("Add the node Network first").toStdString());
  const std::string path = QFileInfo(file).absoluteFilePath().toStdString();
  TL_TRY(job().save(path, document.export_rules()));
  document.edit(tr("Accept the trained network"), [&](Graph& graph) { set_network(graph.nodes.at(node), path); });
  drop();
  Q_EMIT saved(tr("Saved the network as %1").arg(QString::fromStdString(path)));
  return ok();
}

// Images show the pipeline as it is set again.
void TrainingSession::drop() {
  if (state() == JobState::ended && !checkpoint_.isEmpty()) QFile::remove(checkpoint_);
  shown_best_.clear();
  session_.set_preview(nullptr);
  forget_job();
  look_for_checkpoint();
}

}  // namespace tl::ui
