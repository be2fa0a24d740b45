// SpecialTools: shows the buttons that open dialogs for a node's special parameters.
#include "widgets/inspector/special_tools.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "widgets/inspector/special_params.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

void bring_up(QDialog& dialog, QWidget& focused) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
  focused.setFocus();
}

}  // namespace

SpecialTools::SpecialTools(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      overlay_(new QPushButton(tr("0°/180° overlay…"), this)),
      sweep_(new QPushButton(tr("Sweep…"), this)),
      region_(new QPushButton(tr("Draw on the picture…"), this)),
      spectrum_(new QPushButton(tr("Spectrum…"), this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(2));
  for (QPushButton* button : {overlay_, sweep_, region_, spectrum_}) row->addWidget(button);
  row->addStretch(1);
  overlay_->setToolTip(tr("Overlay of opposite views: drag until they agree."));
  sweep_->setToolTip(tr("The same slice about nine positions of the axis, with scores."));
  region_->setToolTip(tr("Draw the region that is kept."));
  spectrum_->setToolTip(tr("Draw the weights over the energies, or load them from a text file."));
  connect(overlay_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::overlay); });
  connect(sweep_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::sweep); });
  connect(region_, &QPushButton::clicked, this, [this] { open_region(); });
  connect(spectrum_, &QPushButton::clicked, this, [this] { open_spectrum(); });
}

void SpecialTools::show_node(const QString& node, const NodeType& type) {
  node_ = node;
  const SpecialParams special = special_params(type);
  overlay_->setVisible(special.has_axis());
  sweep_->setVisible(special.has_axis());
  region_->setVisible(special.has_box());
  spectrum_->setVisible(special.has_spectrum());
  setVisible(special.has_axis() || special.has_box() || special.has_spectrum());
}

// The dialog of this node; closes that of another node.
template <class T>
T& SpecialTools::dialog_in(QPointer<T>& place) {
  if (place != nullptr && place->objectName() != node_) place->close();
  if (place == nullptr || place->objectName() != node_) {
    place = new T(session_, node_, window());
    place->setObjectName(node_);
  }
  return *place;
}

AxisDialog& SpecialTools::open_axis(AxisDialog::Page page) {
  AxisDialog& dialog = dialog_in(axis_dialog_);
  dialog.open_page(page);
  return dialog;
}

RegionDialog& SpecialTools::open_region() {
  RegionDialog& dialog = dialog_in(region_dialog_);
  bring_up(dialog, dialog.view());
  return dialog;
}

SpectrumDialog& SpecialTools::open_spectrum() {
  SpectrumDialog& dialog = dialog_in(spectrum_dialog_);
  bring_up(dialog, dialog.view());
  return dialog;
}

}  // namespace tl::ui
