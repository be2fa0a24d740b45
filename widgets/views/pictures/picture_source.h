// PictureSource: the interface from which panes get images: the live session, a session with other parameters, or a
// test.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "core/graph/graph.h"
#include "core/live/notification.h"
#include "core/live/requests.h"
#include "core/run/record/protected_inputs.h"
#include "core/values/infos.h"
#include "widgets/session/document.h"

namespace tl::ui {

// An output of a node; empty: none.
struct Output {
  QString node, port;
  [[nodiscard]] bool empty() const { return node.isEmpty(); }
  [[nodiscard]] QString key() const { return node + QLatin1Char('.') + port; }
  friend bool operator==(const Output&, const Output&) = default;
};

// GUI thread only.
class PictureSource : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  [[nodiscard]] virtual const Graph& graph() const = 0;
  [[nodiscard]] virtual const Registry& registry() const = 0;
  [[nodiscard]] virtual const Info* info(const Output& output) const = 0;  // nullptr if not known
  [[nodiscard]] virtual live::NodeStatus status(const QString& node) const = 0;
  // The number of graph(), as in Picture::graph.
  [[nodiscard]] virtual uint64_t graph_number() const { return 0; }
  // The user's steps that changed nodes or links, newest first, each with the graph before it.
  [[nodiscard]] virtual std::vector<EarlierGraph> earlier_graphs() const { return {}; }
  // Changes Graph::ui as one undo step; no effect if there is no history.
  virtual void edit_ui(const QString& /*step*/, const std::function<void(std::string& ui)>& /*change*/) {}
  // Changes nodes or their parameters as one undo step; consecutive steps with the same key merge. No effect if there
  // is no history.
  virtual void edit_graph(const QString& /*step*/, const std::function<void(Graph& graph)>& /*change*/,
                          const MergeKey& /*merge*/ = {}) {}
  // A new file for strokes painted on a volume: next to the pipeline, or in the folder of unsaved pipelines. Empty:
  // painting is not possible here.
  [[nodiscard]] virtual QString new_strokes_file() const { return {}; }
  // Which files exports of its images may replace.
  [[nodiscard]] virtual io::OutputRules export_rules() const {
    return {io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(inputs_of(graph(), registry()))};
  }
  // Answered by picture_ready. A newer request of the same view replaces an older one.
  virtual void request(const QString& view, const live::PictureRequest& request) = 0;
  virtual void forget(const QString& view) = 0;
  // Requests a small output (scalar, table) as plain numbers; the answer is value_ready.
  virtual void ask(const QString& /*node*/, const QString& /*port*/, live::Effort /*effort*/) {}
  // A number for the next request, higher than all before, also those of other panes: a pane can distinguish answers to
  // its own requests from late ones to a former pane with the same name.
  [[nodiscard]] uint64_t next_ticket() { return ++tickets_; }

 Q_SIGNALS:
  void picture_ready(const QString& view, const tl::live::Picture& picture);
  void value_ready(const tl::live::PlainValue& value);
  void graph_changed();
  void ui_changed();  // Graph::ui alone
  void infos_changed();
  void status_changed(const QString& node);

 private:
  uint64_t tickets_ = 0;
};

}  // namespace tl::ui
