// Document: the pipeline being edited, with its undo history and its file. All changes go through edit(), so that every
// change can be undone.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl::ui {

// Consecutive steps with the same non-empty key merge into one undo step unless a pause separates them, so that
// dragging a slider or a node is one step.
struct MergeKey {
  QString text;
};

// The graph before a step that changed nodes or links.
struct EarlierGraph {
  QString step;
  const Graph* graph;  // valid until the document changes
};

// Distinguishes the contents of a file; empty: there is no such file, or it cannot be read.
QByteArray content_hash(const QString& file);

// GUI thread only.
class Document final : public QObject {
  Q_OBJECT
 public:
  explicit Document(const Registry& registry = Registry::all(), QObject* parent = nullptr);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Registry& registry() const { return registry_; }
  [[nodiscard]] const std::vector<GraphProblem>& problems() const { return problems_; }
  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  // Title of a node's card: its own title or that of its type; `node` itself if there is no such node.
  [[nodiscard]] QString card_title(const QString& node) const;
  // The steps that undo would revert, newest first.
  [[nodiscard]] std::vector<EarlierGraph> earlier_graphs() const;

  // Applies `change` as one undoable step; `name` is shown in the undo menu ("Move FBP"). Adds no step if the graph is
  // equal afterwards.
  void edit(const QString& name, const std::function<void(Graph&)>& change, const MergeKey& merge = {});

  // Applies `change` to the graph and to those of all steps, without an undo step: for files that have moved.
  void change_everywhere(const std::function<void(Graph&)>& change);

  [[nodiscard]] QString path() const { return path_; }  // empty: never saved
  [[nodiscard]] QString title() const;                  // file name, or "untitled"
  [[nodiscard]] bool is_modified() const { return !undo_.isClean(); }
  // Replaces the graph and clears the history. An empty `path` makes a new, unsaved document. `content`: content_hash()
  // of the file that the graph was read from; empty: that of the file as it is now.
  void reset(Graph graph, const QString& path = {}, const QByteArray& content = {});
  // content_hash() of the file when the document was last read from it or saved in it.
  [[nodiscard]] const QByteArray& content() const { return content_; }
  // Another window or program has written the document's file since then. (If the file was removed, it is written again
  // without loss.)
  [[nodiscard]] bool is_changed_on_disk() const;
  Result<void> open(const QString& path);  // on error the document is unchanged
  Result<void> save(const QString& path);
  // The graph as it is saved, with the additions of set_ui_of_copies().
  [[nodiscard]] Graph saved_graph() const;
  // `add` returns the ui block of saved copies: it contains settings that are saved with a pipeline but have no undo
  // steps, such as how its volume is shown.
  void set_ui_of_copies(std::function<std::string(const std::string& ui)> add) { ui_of_copies_ = std::move(add); }
  // Rules for exported files: existing files may be replaced, except the pipeline's inputs and its own file.
  [[nodiscard]] io::OutputRules export_rules() const;

 Q_SIGNALS:
  // After every step, undo, redo, reset; the undo stack and is_modified() include the change already.
  void graph_changed();
  void layout_changed();  // only Graph::ui or Graph::learning changed: nothing has to be recomputed
  void was_reset();       // another pipeline was loaded; emitted before graph_changed
  void title_changed();

 private:
  friend class GraphStep;
  void set_graph(const Graph& graph);
  void announce();
  enum class Change { none, layout, graph };
  const Registry& registry_;
  Graph graph_;
  std::vector<GraphProblem> problems_;
  QUndoStack undo_;
  Change unannounced_ = Change::none;
  QString path_;
  QByteArray content_;
  std::function<std::string(const std::string& ui)> ui_of_copies_;
};

}  // namespace tl::ui
