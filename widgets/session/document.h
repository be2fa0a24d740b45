// Document: the pipeline being edited: its graph, its undo history, its file. Everything that changes it goes through
// edit(), so that everything can be undone.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl::ui {

// Steps with the same non-empty key merge while they follow each other without a pause: one drag of a slider or of a
// node is one step.
struct MergeKey {
  QString text;
};

// GUI thread only.
class Document final : public QObject {
  Q_OBJECT
 public:
  explicit Document(const Registry& registry = Registry::all(), QObject* parent = nullptr);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Registry& registry() const { return registry_; }
  [[nodiscard]] const std::vector<GraphProblem>& problems() const { return problems_; }
  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }

  // One undoable step named as a person would say it ("Move FBP"). A change that changes nothing makes no step.
  void edit(const QString& name, const std::function<void(Graph&)>& change, const MergeKey& merge = {});

  [[nodiscard]] QString path() const { return path_; }  // empty: never saved
  [[nodiscard]] QString title() const;                  // file name, or "untitled"
  [[nodiscard]] bool is_modified() const { return !undo_.isClean(); }
  // Replaces everything, with an empty history. `path` empty: a new, unsaved document.
  void reset(Graph graph, const QString& path = {});
  Result<void> open(const QString& path);  // on an error the document stays as it was
  Result<void> save(const QString& path);
  // What the window may replace for this pipeline: nothing that it reads, nor its own file.
  [[nodiscard]] io::OutputRules export_rules() const;

 Q_SIGNALS:
  void graph_changed();   // after every step, undo, redo, reset
  void layout_changed();  // only Graph::ui or Graph::learning differs: nothing needs to be recomputed
  void was_reset();       // another pipeline: before graph_changed
  void title_changed();

 private:
  friend class GraphStep;
  void set_graph(const Graph& graph);
  const Registry& registry_;
  Graph graph_;
  std::vector<GraphProblem> problems_;
  QUndoStack undo_;
  QString path_;
};

}  // namespace tl::ui
