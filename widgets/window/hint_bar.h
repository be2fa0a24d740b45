// HintBar: defects found in the pixels of the open scans, a line each, with a button that adds a node against the
// defect.
#pragma once

#include <QFrame>
#include <vector>

#include "core/run/hints/hint.h"
#include "widgets/session/live_session.h"
#include "widgets/session/selection.h"

class QToolButton;
class QVBoxLayout;

namespace tl::ui {

// Hidden while there are no hints. Shows the first hint, and the others on request. Dismissed hints are stored in the
// pipeline (Graph::ui). GUI thread only.
class HintBar final : public QFrame {
  Q_OBJECT
 public:
  HintBar(LiveSession& session, Selection& selection, QWidget* parent);

  [[nodiscard]] const std::vector<Hint>& shown() const { return shown_; }

 private:
  void show_hints();
  [[nodiscard]] QWidget* make_row(const Hint& hint);
  void show_rows();
  void add(const Hint& hint);
  void dismiss(const Hint& hint);
  LiveSession& session_;
  Selection& selection_;
  std::vector<Hint> shown_;
  QVBoxLayout* rows_;
  QToolButton* more_;
};

}  // namespace tl::ui
