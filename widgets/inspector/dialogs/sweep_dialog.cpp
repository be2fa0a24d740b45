// SweepDialog: chooses one of nine values of a parameter by their slices: middle and step above, images below.
#include "widgets/inspector/dialogs/sweep_dialog.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize sweep_size(780, 600);  // px
constexpr double without_limit = 1e9;
constexpr int half = SweepView::tiles / 2;

// The default step: a tenth of the value or an eighth of a short range, rounded down to a power of ten.
double first_step(const ParamDecl& decl, double value) {
  const bool whole = decl.kind == ParamKind::integer;
  double step = value == 0 ? 0.1 : 0.1 * std::abs(value);
  if (decl.low && decl.high) step = std::min(step, (*decl.high - *decl.low) / (2 * half));
  step = std::pow(10, std::floor(std::log10(step)));
  return whole ? std::max(1.0, std::round(step)) : step;
}

}  // namespace

SweepDialog::SweepDialog(LiveSession& session, const QString& node, const ParamDecl& decl, QWidget* parent)
    : QDialog(parent),
      session_(session),
      node_(node),
      decl_(decl),
      unit_(value_of_node().unit),
      view_(new SweepView(session, this)),
      centre_(new QDoubleSpinBox(this)),
      step_(new QDoubleSpinBox(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Sweep %1").arg(QString::fromStdString(decl.title)));
  resize(sweep_size);
  const double value = value_of_node().value;
  for (QDoubleSpinBox* box : {centre_, step_}) {
    box->setRange(box == step_ ? 0 : -without_limit, without_limit);
    box->setDecimals(decl.kind == ParamKind::integer ? 0 : 4);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setSuffix(QStringLiteral(" ") + unit_text(unit_));
  }
  centre_->setAccessibleName(tr("Middle of the sweep"));
  step_->setAccessibleName(tr("Step of the sweep"));
  step_->setValue(first_step(decl, value));
  // Shifts the middle so that all nine values lie within the range, if it is wide enough.
  double middle = value;
  if (decl.low) middle = std::max(middle, *decl.low + half * step_->value());
  if (decl.high) middle = std::min(middle, *decl.high - half * step_->value());
  centre_->setValue(middle);
  auto* start_button = new QPushButton(tr("Sweep"), this);
  auto* close = new QPushButton(tr("Close"), this);
  close->setAutoDefault(false);
  auto* hint = new QLabel(tr("Click an image to use its value."), this);
  hint->setProperty("role", "second");
  auto* row = new QHBoxLayout;
  row->addWidget(new QLabel(tr("Middle"), this));
  row->addWidget(centre_);
  row->addWidget(new QLabel(tr("Step"), this));
  row->addWidget(step_);
  row->addWidget(start_button);
  row->addStretch(1);
  auto* foot = new QHBoxLayout;
  foot->addWidget(hint, 1);
  foot->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(2));
  column->addLayout(row);
  column->addWidget(view_, 1);
  column->addLayout(foot);
  connect(start_button, &QPushButton::clicked, this, &SweepDialog::start);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(view_, &SweepView::chosen, this, &SweepDialog::take);
  connect(&session_.document(), &Document::was_reset, this, &QDialog::close);
  start();
}

Number SweepDialog::value_of_node() const {
  const auto& nodes = session_.document().graph().nodes;
  const auto node = nodes.find(node_.toStdString());
  const double middle = decl_.low && decl_.high ? 0.5 * (*decl_.low + *decl_.high) : decl_.low.value_or(0);
  if (node == nodes.end()) return {middle, decl_.unit};
  const auto set = node->second.params.find(decl_.name);
  const ParamValue& value = set == node->second.params.end() ? decl_.initial : set->second;
  if (const auto* whole = std::get_if<int64_t>(&value)) return {static_cast<double>(*whole), decl_.unit};
  const auto* number = std::get_if<Number>(&value);
  return number == nullptr ? Number{middle, decl_.unit} : *number;
}

void SweepDialog::start() { view_->sweep({node_.toStdString(), decl_.name, unit_}, centre_->value(), step_->value()); }

void SweepDialog::take(double value) {
  Document& document = session_.document();
  if (document.graph().nodes.count(node_.toStdString()) == 0) return;
  const bool whole = decl_.kind == ParamKind::integer;
  document.edit(tr("Take %1 from the sweep").arg(QString::fromStdString(decl_.title)), [&](Graph& g) {
    g.nodes.at(node_.toStdString()).params[decl_.name] =
        whole ? ParamValue{static_cast<int64_t>(std::llround(value))} : ParamValue{Number{value, unit_}};
    std::erase_if(g.links, [&](const Link& l) { return l.to_node == node_.toStdString() && l.to_port == decl_.name; });
  });
}

}  // namespace tl::ui
