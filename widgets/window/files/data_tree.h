// DataTree: tree of the open scans and their metadata.
#pragma once

#include <QTreeView>

#include "widgets/session/selection.h"
#include "widgets/window/files/scan_model.h"

namespace tl::ui {

class DataTree final : public QTreeView {
  Q_OBJECT
 public:
  DataTree(ScanModel& model, Selection& selection, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_all();
  void fit_columns();
  ScanModel& model_;
};

}  // namespace tl::ui
