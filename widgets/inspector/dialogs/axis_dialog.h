// AxisDialog: the rotation axis by eye: opposite views on top of each other, and a sweep of slices. It stays open
// beside the window, where the slice follows.
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
  // Where the pipeline has the axis now: set by hand, or found; what is not known yet counts as 0.
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
  void try_axis(double axis);  // shown here, and where a parameter holds it, in the pipeline
  void accept_axis();
  [[nodiscard]] const ProjectionsInfo* scan() const;  // that flows in
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
  bool touched_ = false;  // the value here is a hand's, not the pipeline's
};

}  // namespace tl::ui
