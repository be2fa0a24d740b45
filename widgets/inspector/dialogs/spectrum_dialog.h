// SpectrumDialog: editor for a node's lists of energies and weights as one curve, shown with the filtered spectrum.
#pragma once

#include <QDialog>

#include "widgets/inspector/dialogs/spectrum_view.h"
#include "widgets/inspector/values/special_params.h"
#include "widgets/session/live_session.h"

class QLabel;

namespace tl::ui {

// GUI thread only. For nodes with SpecialParams::has_spectrum().
class SpectrumDialog final : public QDialog {
  Q_OBJECT
 public:
  SpectrumDialog(LiveSession& session, const QString& node, QWidget* parent);
  [[nodiscard]] SpectrumView& view() { return *view_; }
  void load(const QString& file);          // two columns of text: energy and weight
  void take_text(const QString& columns);  // like load(), but from a text such as the clipboard's

 private:
  void refresh();
  void take(const live::PlainValue& value);
  void write(const std::vector<SpectrumPoint>& points);
  void show_problem(const QString& text);  // empty: no problem
  [[nodiscard]] const GraphNode* in_graph() const;
  LiveSession& session_;
  QString node_;
  const NodeType* type_;
  SpecialParams special_;
  SpectrumView* view_;
  QLabel *problem_, *found_;
};

}  // namespace tl::ui
