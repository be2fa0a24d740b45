// CompareDialog: two entries of the history: middle slices and their difference, what differs in pipeline and
// parameters, and by how much the voxels do.
#pragma once

#include <QDialog>

#include "core/base/cancel.h"
#include "core/history/comparison.h"

class QLabel;
class QTableWidget;

namespace tl::ui {

// While the voxels are compared the dialog shows this; closing the dialog cancels the comparison.
class CompareDialog final : public QDialog {
  Q_OBJECT
 public:
  explicit CompareDialog(QWidget* parent);
  ~CompareDialog() override;
  [[nodiscard]] const CancelToken& cancel_token() const { return cancel_; }
  void show_result(const history::Entry& first, const history::Entry& second, const history::Comparison& compared);

 private:
  CancelToken cancel_;
  QLabel* summary_;
  QWidget* pictures_;
  QTableWidget* table_;
};

}  // namespace tl::ui
