// PictureSource: the interface from which panes get pictures: the live session, a session with other parameters, or a
// test.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "core/graph/graph.h"
#include "core/live/notification.h"
#include "core/run/record/protected_inputs.h"
#include "core/values/infos.h"

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
  // The user's last undo step as text ("Change axis"); empty if none.
  [[nodiscard]] virtual QString last_step() const { return {}; }
  // Changes Graph::ui as one undo step; without effect where there is no history.
  virtual void edit_ui(const QString& /*step*/, const std::function<void(std::string& ui)>& /*change*/) {}
  // Which files exports of its pictures may replace.
  [[nodiscard]] virtual io::OutputRules export_rules() const {
    return {io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(inputs_of(graph(), registry()))};
  }
  // Answered by picture_ready. A newer request of the same view replaces an older one.
  virtual void request(const QString& view, const live::PictureRequest& request) = 0;
  virtual void forget(const QString& view) = 0;

 Q_SIGNALS:
  void picture_ready(const QString& view, const tl::live::Picture& picture);
  void graph_changed();
  void ui_changed();  // Graph::ui alone
  void infos_changed();
  void status_changed(const QString& node);
};

}  // namespace tl::ui
