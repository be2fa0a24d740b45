// SessionSource: the PictureSource of a live session.
#pragma once

#include "widgets/session/live_session.h"
#include "widgets/session/strokes_files.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// The session must outlive it.
class SessionSource final : public PictureSource {
  Q_OBJECT
 public:
  explicit SessionSource(LiveSession& session, QObject* parent = nullptr);
  [[nodiscard]] const Graph& graph() const override { return session_.document().graph(); }
  [[nodiscard]] const Registry& registry() const override { return session_.document().registry(); }
  [[nodiscard]] const Info* info(const Output& output) const override {
    return session_.info(output.node, output.port);
  }
  [[nodiscard]] live::NodeStatus status(const QString& node) const override { return session_.status(node); }
  [[nodiscard]] uint64_t graph_number() const override { return session_.graph_number(); }
  [[nodiscard]] std::vector<EarlierGraph> earlier_graphs() const override {
    return session_.document().earlier_graphs();
  }
  void edit_ui(const QString& step, const std::function<void(std::string& ui)>& change) override {
    session_.document().edit(step, [&change](Graph& graph) { change(graph.ui); });
  }
  void edit_graph(const QString& step, const std::function<void(Graph& graph)>& change,
                  const MergeKey& merge = {}) override {
    session_.document().edit(step, change, merge);
  }
  [[nodiscard]] QString new_strokes_file() const override { return tl::ui::new_strokes_file(session_.document()); }
  [[nodiscard]] io::OutputRules export_rules() const override { return session_.document().export_rules(); }
  void request(const QString& view, const live::PictureRequest& request) override { session_.request(view, request); }
  void forget(const QString& view) override { session_.forget(view); }
  void ask(const QString& node, const QString& port, live::Effort effort) override { session_.ask(node, port, effort); }

 private:
  LiveSession& session_;
};

}  // namespace tl::ui
