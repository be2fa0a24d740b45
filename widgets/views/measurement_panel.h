// MeasurementPanel: the list of all measurements with their numbers, and their export as CSV.
#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "widgets/views/measure/measurements.h"

class QTreeWidget;

namespace tl::ui {

class ImagePane;
class ViewsArea;

// Hidden while there are no measurements. Numbers are measured in the image of a visible pane of that kind. GUI thread
// only.
class MeasurementPanel final : public QWidget {
  Q_OBJECT
 public:
  explicit MeasurementPanel(ViewsArea& views, QWidget* parent = nullptr);
  // One row per measurement: view, position, kind, coordinates, numbers with units in their own columns.
  [[nodiscard]] QString csv() const;
  Result<void> save_csv(const QString& path) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow_panes();
  void fill_soon();
  void fill();
  void select_row();
  void remove_row();
  void ask_and_save();
  ViewsArea& views_;
  QTreeWidget* list_;
  bool is_due_ = false;
};

}  // namespace tl::ui
