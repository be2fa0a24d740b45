// Inspector: shows the current node: state, error, found values, form, and reference page.
#pragma once

#include <QScrollArea>

#include "widgets/session/live_session.h"
#include "widgets/session/selection.h"

class QLabel;
class QTextBrowser;
class QToolButton;
class QVBoxLayout;

namespace tl::ui {

class CacheRow;
class ErrorCard;
class ClippingRow;
class EvidencePanel;
class FoundValues;
class LearnedValues;
class NodeForm;
class SpecialTools;

class Inspector final : public QScrollArea {
  Q_OBJECT
 public:
  Inspector(LiveSession& session, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] NodeForm* form() const { return form_; }  // nullptr if no node is selected
  // Gives the keyboard focus to the first field (Enter on a node of the canvas).
  void focus_form();
  void show_param(const QString& param);  // scrolls to the field and gives it the focus
  // Shows the field that the current node's error is about; false if there is none.
  bool show_problem();
  // Opens a SweepDialog for a number of the current node.
  void sweep(const QString& param);
  [[nodiscard]] SpecialTools& tools() { return *tools_; }

 private:
  void make_head(QVBoxLayout& column);
  void make_reference(QVBoxLayout& column);
  void show_node();
  void show_title();
  void show_status();
  void refresh_graph();
  void fill_reference();

  LiveSession& session_;
  Selection& selection_;
  QWidget *body_, *empty_;
  QLabel *title_, *id_, *state_, *summary_;
  CacheRow* cache_;
  ErrorCard* error_;
  FoundValues* found_;
  LearnedValues* learned_;
  EvidencePanel* evidence_;
  ClippingRow* clipping_;
  SpecialTools* tools_;
  QVBoxLayout* form_column_;
  NodeForm* form_ = nullptr;
  QToolButton* reference_fold_;
  QTextBrowser* reference_;
};

}  // namespace tl::ui
