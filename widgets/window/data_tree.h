// DataTree: the open scans and what is known of them.
#pragma once

#include <QTreeView>

#include "widgets/session/selection.h"
#include "widgets/window/scan_model.h"

namespace tl::ui {

class DataTree final : public QTreeView {
  Q_OBJECT
 public:
  DataTree(ScanModel& model, Selection& selection, QWidget* parent = nullptr);

 private:
  void show_all();
  ScanModel& model_;
};

}  // namespace tl::ui
