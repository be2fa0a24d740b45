// EvidencePanel: for nodes that measure: the curve behind a found value, and a button that puts the value into the
// parameters which it drives.
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
  // Hidden unless the declaration has a measured scalar and a table of two columns at least.
  void show_node(const QString& node, const NodeType& type);

 private:
  void ask(live::Effort effort);
  void take(const live::PlainValue& value);
  void show_result();
  void accept();
  LiveSession& session_;
  QString node_, scalar_port_, table_port_;
  std::optional<live::PlainValue> scalar_, table_;
  live::State state_ = live::State::ready;  // when it was last asked about
  CurvePlot* plot_;
  QPushButton *measure_, *accept_;
};

}  // namespace tl::ui
