// AxisDialog: the rotation axis by eye: an overlay of opposite views, and a sweep of slices. Not modal: the slice in
// the window follows.
#pragma once

#include <QDialog>
#include <vector>

#include "widgets/inspector/dialogs/axis_overlay.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace tl::ui {

class SweepView;

// GUI thread only.
class AxisDialog final : public QDialog {
  Q_OBJECT
 public:
  enum class Page { overlay, sweep };
  AxisDialog(LiveSession& session, const QString& node, QWidget* parent);
  void open_page(Page page);
  [[nodiscard]] AxisOverlay& overlay() { return *overlay_; }
  [[nodiscard]] SweepView& sweep() { return *sweep_; }
  // The axis in the pipeline now [px], set by hand or found; 0 if not known.
  [[nodiscard]] double current_axis() const;

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  [[nodiscard]] QWidget* make_overlay_page();
  [[nodiscard]] QWidget* make_sweep_page();
  [[nodiscard]] QWidget* make_foot();
  void refresh();  // after a change of the pipeline
  void show_scores();
  void start_sweep();
  void try_axis(double axis);  // shows the axis here, and sets it in the pipeline if a parameter of the node holds it
  void accept_axis();
  [[nodiscard]] const ProjectionsInfo* scan() const;  // of the projections at the node's input
  LiveSession& session_;
  QString node_;
  AxisOverlay* overlay_;
  SweepView* sweep_;
  QTabBar* tabs_;
  QStackedWidget* pages_;
  QComboBox* pair_;
  QDoubleSpinBox *axis_, *step_;
  QLabel *advice_, *scores_;
  QPushButton* accept_;
  std::vector<OppositeViews> pairs_;
  bool touched_ = false;  // the value was changed in this dialog and is not yet in the pipeline
};

}  // namespace tl::ui
