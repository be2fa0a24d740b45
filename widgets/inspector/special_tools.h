// SpecialTools: the buttons of a form that open dialogs for special parameters.
#pragma once

#include <QPointer>
#include <QWidget>

#include "core/io/hdf5/dataset_choice.h"
#include "widgets/inspector/dialogs/axis_dialog.h"
#include "widgets/inspector/dialogs/datasets_dialog.h"
#include "widgets/inspector/dialogs/region_dialog.h"
#include "widgets/inspector/dialogs/spectrum_dialog.h"

class QPushButton;

namespace tl::ui {

class TrustButton;

class SpecialTools final : public QWidget {
  Q_OBJECT
 public:
  SpecialTools(LiveSession& session, QWidget* parent);
  void show_node(const QString& node, const NodeType& type);  // hidden if the node has no special parameters
  // The node's error: if its program is not trusted, the user can trust it here.
  void show_error(const std::optional<Error>& error);
  AxisDialog& open_axis(AxisDialog::Page page);
  RegionDialog& open_region();
  SpectrumDialog& open_spectrum();
  // Opens the tree of the node's file, to select the datasets of the scan; nullptr if no file is set.
  DatasetsDialog* open_datasets();

 Q_SIGNALS:
  // Other datasets were chosen, in a file of this layout (io::layout_fingerprint()).
  void datasets_chosen(const tl::io::DatasetChoice& choice, const QString& layout);

 private:
  template <class T>
  T& dialog_in(QPointer<T>& place);
  LiveSession& session_;
  QString node_;
  void set_datasets(const QString& node, const io::DatasetChoice& choice);
  QPushButton *overlay_, *sweep_, *region_, *spectrum_, *datasets_;
  TrustButton* trust_;
  std::string program_;  // the parameter of the shown node, "" = none
  bool has_dialogs_ = false;
  // At most one dialog of each kind; opening it for another node replaces it.
  QPointer<AxisDialog> axis_dialog_;
  QPointer<RegionDialog> region_dialog_;
  QPointer<SpectrumDialog> spectrum_dialog_;
  QPointer<DatasetsDialog> datasets_dialog_;
};

}  // namespace tl::ui
