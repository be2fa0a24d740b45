// EvidencePanel: shows the curve behind a found value, from the node's small outputs, and accepts the value.
#include "widgets/inspector/evidence_panel.h"

#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/inspector/curve_plot.h"
#include "widgets/inspector/values/accept_value.h"
#include "widgets/language/translated.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QString column_title(const live::PlainColumn& column) {
  const QString name = translated(column.name);
  return column.unit.empty() ? name : name + QStringLiteral(" [%1]").arg(QString::fromStdString(column.unit));
}

QString first_output(const NodeType& type, PortTest is) {
  const PortDecl* port = first_port(type.outputs, is);
  return port == nullptr ? QString() : QString::fromStdString(port->name);
}

}  // namespace

EvidencePanel::EvidencePanel(LiveSession& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      plot_(new CurvePlot(this)),
      measure_(new QPushButton(tr("Measure"), this)),
      accept_(new QPushButton(tr("Accept"), this)) {
  accept_->setToolTip(
      tr("Writes the found value into the parameters that it drives, or into a new node after this one, so that it is "
         "not measured again."));
  auto* buttons = new FlowLayout;
  buttons->addWidget(measure_);
  buttons->addWidget(accept_);
  auto* column = spaced(new QVBoxLayout(this), 2);
  column->addWidget(plot_);
  column->addLayout(buttons);
  connect(measure_, &QPushButton::clicked, this, [this] { ask(live::Effort::compute); });
  connect(accept_, &QPushButton::clicked, this, &EvidencePanel::accept);
  connect(&session_, &LiveSession::value_ready, this, &EvidencePanel::take);
  connect(&session_, &LiveSession::status_changed, this, [this](const QString& node) {
    if (node != node_ || isHidden()) return;
    const live::State now = session_.status(node).state;
    if (now != state_) ask(live::Effort::cached_only);
    state_ = now;
  });
}

void EvidencePanel::show_node(const QString& node, const NodeType& type) {
  node_ = node;
  scalar_.reset();
  table_.reset();
  scalar_port_ = first_output(type, is_number);
  table_port_ = first_output(type, is_curve);
  setVisible(static_cast<bool>(type.measure) && !scalar_port_.isEmpty() && !table_port_.isEmpty());
  show_result();
  if (!isHidden()) ask(live::Effort::cached_only);
}

void EvidencePanel::ask(live::Effort effort) {
  session_.ask(node_, scalar_port_, effort);
  session_.ask(node_, table_port_, effort);
}

void EvidencePanel::take(const live::PlainValue& value) {
  if (value.node != node_.toStdString() || isHidden()) return;
  if (value.port == scalar_port_.toStdString()) scalar_ = value;
  if (value.port == table_port_.toStdString()) table_ = value;
  show_result();
}

void EvidencePanel::show_result() {
  const bool curve = table_ && table_->known && table_->columns.size() > 1;
  const bool found = scalar_ && scalar_->known && !scalar_->columns.empty() && !scalar_->columns[0].values.empty();
  plot_->setVisible(curve);
  measure_->setVisible(!curve);
  const Document& document = session_.document();
  accept_->setVisible(
      found && can_accept(document.graph(), document.registry(), node_.toStdString(), scalar_port_.toStdString()));
  if (!curve) return;
  CurvePlot::Curve shown{column_title(table_->columns[0]),
                         column_title(table_->columns[1]),
                         table_->columns[0].values,
                         table_->columns[1].values,
                         {},
                         0};
  if (found) {
    shown.mark = scalar_->columns[0].values[0];
    shown.mark_width = scalar_->uncertainty;
  }
  plot_->show_curve(std::move(shown));
}

void EvidencePanel::accept() {
  const live::PlainColumn found = scalar_->columns[0];
  const Result<Unit> unit = parse_unit(found.unit);
  const Number value{found.values[0], unit.ok() ? unit.value() : Unit::none};
  session_.document().edit(tr("Accept %1").arg(scalar_port_), [&](Graph& g) {
    (void)accept_value(g, session_.document().registry(), node_.toStdString(), scalar_port_.toStdString(), value);
  });
}

}  // namespace tl::ui
