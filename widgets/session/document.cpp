// Document: holds the pipeline being edited, its undo history and its file.
#include "widgets/session/document.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <filesystem>
#include <utility>

#include "core/graph/graph_json.h"
#include "core/io/output/output_file.h"
#include "core/run/record/protected_inputs.h"
#include "widgets/language/translated.h"
#include "widgets/session/layout.h"

namespace tl::ui {
namespace {
constexpr int merge_pause_ms = 1500;  // a longer pause between two steps with one key starts a new step
constexpr int mergeable = 1;          // QUndoCommand::id of steps that may merge
constexpr auto hash_method = QCryptographicHash::Sha256;

}  // namespace

QByteArray content_hash(const QString& file) {
  QFile in(file);
  QCryptographicHash hash(hash_method);
  return in.open(QIODevice::ReadOnly) && hash.addData(&in) ? hash.result() : QByteArray();
}

// One step: the graph before and after. Graphs are values of a few kilobytes, so copies are cheaper than inverse edits.
class GraphStep final : public QUndoCommand {
 public:
  GraphStep(Document& document, const QString& name, Graph before, Graph after, QString key)
      : QUndoCommand(name),
        document_(document),
        before_(std::move(before)),
        after_(std::move(after)),
        key_(std::move(key)) {
    age_.start();
  }
  void undo() override { document_.set_graph(before_); }
  void redo() override { document_.set_graph(after_); }
  [[nodiscard]] int id() const override { return key_.isEmpty() ? -1 : mergeable; }
  [[nodiscard]] const Graph& before() const { return before_; }
  void change_both(const std::function<void(Graph&)>& change) {
    change(before_);
    change(after_);
  }
  [[nodiscard]] bool changes_results() const { return before_.nodes != after_.nodes || before_.links != after_.links; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const GraphStep&>(*other);
    if (next.key_ != key_ || age_.elapsed() > merge_pause_ms) return false;
    after_ = next.after_;
    age_.restart();
    setObsolete(before_ == after_);
    return true;
  }

 private:
  Document& document_;
  Graph before_, after_;
  QString key_;
  QElapsedTimer age_;
};

Document::Document(const Registry& registry, QObject* parent) : QObject(parent), registry_(registry) {
  connect(&undo_, &QUndoStack::cleanChanged, this, &Document::title_changed);
  // Emitted at the end of every step, undo and redo, so that its receivers can ask for the saved state and the undo
  // steps.
  connect(&undo_, &QUndoStack::indexChanged, this, &Document::announce);
}

void Document::edit(const QString& name, const std::function<void(Graph&)>& change, const MergeKey& merge) {
  Graph after = graph_;
  change(after);
  if (after == graph_) return;
  undo_.push(new GraphStep(*this, name, graph_, std::move(after), merge.text));
}

void Document::change_everywhere(const std::function<void(Graph&)>& change) {
  for (int i = 0; i < undo_.count(); ++i)
    const_cast<GraphStep*>(static_cast<const GraphStep*>(undo_.command(i)))->change_both(change);
  Graph now = graph_;
  change(now);
  if (now == graph_) return;
  set_graph(now);
  announce();
}

QString Document::card_title(const QString& node) const {
  const auto found = graph_.nodes.find(node.toStdString());
  if (found == graph_.nodes.end()) return node;
  const QString own = Layout(graph_.ui).card(found->first).title;
  const NodeType* type = registry_.find(found->second.type);
  return !own.isEmpty() ? own : type == nullptr ? QString::fromStdString(found->second.type) : translated(type->title);
}
QString Document::title() const { return path_.isEmpty() ? tr("untitled") : QFileInfo(path_).fileName(); }

void Document::reset(Graph graph, const QString& path, const QByteArray& content) {
  undo_.clear();
  path_ = path;
  content_ = content.isEmpty() && !path.isEmpty() ? content_hash(path) : content;
  Q_EMIT was_reset();
  graph_ = std::move(graph);
  problems_ = tl::problems(graph_, registry_);
  Q_EMIT graph_changed();
  Q_EMIT title_changed();
}

Result<void> Document::open(const QString& path) {
  // Computed before the file is read: if it is written meanwhile, this then counts as a change.
  const QByteArray content = content_hash(path);
  TL_TRY(Graph graph, load_pipeline(path.toStdString(), registry_, Completeness::kept));
  reset(std::move(graph), path, content);
  return ok();
}

bool Document::is_changed_on_disk() const {
  return !path_.isEmpty() && QFileInfo::exists(path_) && content_hash(path_) != content_;
}

Graph Document::saved_graph() const {
  Graph graph = graph_;
  if (ui_of_copies_) graph.ui = ui_of_copies_(graph.ui);
  return graph;
}

Result<void> Document::save(const QString& path) {
  // Saving may replace the pipeline's own file, but none of its input files.
  const io::OutputRules rules{io::Overwrite::replace,
                              std::make_shared<const io::ProtectedFiles>(inputs_of(graph_, registry_))};
  const std::filesystem::path file(path.toStdString());
  const std::string text = portable_json(saved_graph(), registry_, file.parent_path());
  TL_TRY(io::write_text(file, text, rules));
  path_ = path;
  content_ = QCryptographicHash::hash(QByteArray::fromStdString(text), hash_method);
  undo_.setClean();
  Q_EMIT title_changed();
  return ok();
}

io::OutputRules Document::export_rules() const {
  io::ProtectedFiles inputs =
      path_.isEmpty() ? inputs_of(graph_, registry_) : inputs_with_pipeline(graph_, registry_, path_.toStdString());
  return {io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(std::move(inputs))};
}

void Document::set_graph(const Graph& graph) {
  const bool only_layout = [&] {
    Graph same_layout = graph;
    same_layout.ui = graph_.ui;
    same_layout.learning = graph_.learning;
    return same_layout == graph_;
  }();
  graph_ = graph;
  if (!only_layout) problems_ = tl::problems(graph_, registry_);
  unannounced_ = only_layout ? Change::layout : Change::graph;
}

void Document::announce() {
  const Change change = std::exchange(unannounced_, Change::none);
  if (change == Change::layout) Q_EMIT layout_changed();
  if (change == Change::graph) Q_EMIT graph_changed();
}

std::vector<EarlierGraph> Document::earlier_graphs() const {
  std::vector<EarlierGraph> all;
  for (int i = undo_.index() - 1; i >= 0; --i)
    if (const auto* step = static_cast<const GraphStep*>(undo_.command(i)); step->changes_results())
      all.push_back({step->text(), &step->before()});
  return all;
}

}  // namespace tl::ui
