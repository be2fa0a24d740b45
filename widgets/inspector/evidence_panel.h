// EvidencePanel: for nodes that measure: the curve from which the value was found, and a button that accepts the value,
// see accept_value().
#pragma once

#include <QWidget>
#include <optional>

#include "widgets/session/live_session.h"

class QPushButton;

namespace tl::ui {

class CurvePlot;

class EvidencePanel final : public QWidget {
  Q_OBJECT
 public:
  EvidencePanel(LiveSession& session, QWidget* parent);
  // Hidden unless the node measures and has a scalar output and a table or spectrum output.
  void show_node(const QString& node, const NodeType& type);

 private:
  void ask(live::Effort effort);
  void take(const live::PlainValue& value);
  void show_result();
  void accept();
  LiveSession& session_;
  QString node_, scalar_port_, table_port_;
  std::optional<live::PlainValue> scalar_, table_;
  live::State state_ = live::State::ready;  // at the last request
  CurvePlot* plot_;
  QPushButton *measure_, *accept_;
};

}  // namespace tl::ui
