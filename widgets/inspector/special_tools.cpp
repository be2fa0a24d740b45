// SpecialTools: which buttons a declaration calls for.
#include "widgets/inspector/special_tools.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "widgets/inspector/special_params.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

SpecialTools::SpecialTools(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      overlay_(new QPushButton(tr("0°/180° overlay…"), this)),
      sweep_(new QPushButton(tr("Sweep…"), this)),
      region_(new QPushButton(tr("Draw on the picture…"), this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(2));
  for (QPushButton* button : {overlay_, sweep_, region_}) row->addWidget(button);
  row->addStretch(1);
  overlay_->setToolTip(tr("Opposite views on top of each other: drag until they agree."));
  sweep_->setToolTip(tr("The same slice about nine positions of the axis, with scores."));
  region_->setToolTip(tr("Draw the region that is kept."));
  connect(overlay_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::overlay); });
  connect(sweep_, &QPushButton::clicked, this, [this] { open_axis(AxisDialog::Page::sweep); });
  connect(region_, &QPushButton::clicked, this, [this] { open_region(); });
}

void SpecialTools::show_node(const QString& node, const NodeType& type) {
  node_ = node;
  const SpecialParams special = special_params(type);
  overlay_->setVisible(special.has_axis());
  sweep_->setVisible(special.has_axis());
  region_->setVisible(special.has_box());
  setVisible(special.has_axis() || special.has_box());
}

AxisDialog& SpecialTools::open_axis(AxisDialog::Page page) {
  if (axis_dialog_ != nullptr && axis_dialog_->objectName() != node_) axis_dialog_->close();
  if (axis_dialog_ == nullptr || axis_dialog_->objectName() != node_) {
    axis_dialog_ = new AxisDialog(session_, node_, window());
    axis_dialog_->setObjectName(node_);
  }
  axis_dialog_->open_page(page);
  return *axis_dialog_;
}

RegionDialog& SpecialTools::open_region() {
  if (region_dialog_ != nullptr && region_dialog_->objectName() != node_) region_dialog_->close();
  if (region_dialog_ == nullptr || region_dialog_->objectName() != node_) {
    region_dialog_ = new RegionDialog(session_, node_, window());
    region_dialog_->setObjectName(node_);
  }
  region_dialog_->show();
  region_dialog_->raise();
  region_dialog_->activateWindow();
  region_dialog_->view().setFocus();
  return *region_dialog_;
}

}  // namespace tl::ui
