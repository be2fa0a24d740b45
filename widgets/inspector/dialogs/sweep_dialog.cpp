// SweepDialog: chooses values of one or two parameters by their slices: middles and steps above, images below.
#include "widgets/inspector/dialogs/sweep_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize sweep_size(780, 600);  // px
constexpr double without_limit = 1e9;
constexpr int half = SweepView::tiles / 2;  // of nine values

// The default step: a tenth of the value or an eighth of a short range, rounded down to a power of ten.
double first_step(const ParamDecl& decl, double value) {
  const bool whole = decl.kind == ParamKind::integer;
  double step = value == 0 ? 0.1 : 0.1 * std::abs(value);
  if (decl.low && decl.high) step = std::min(step, (*decl.high - *decl.low) / (2 * half));
  step = std::pow(10, std::floor(std::log10(step)));
  return whole ? std::max(1.0, std::round(step)) : step;
}

// Middle and step about a value, so that `side` values on either side lie within the range, if it is wide enough.
void fill_range(QDoubleSpinBox& centre, QDoubleSpinBox& step, const ParamDecl& decl, const Number& value, int side) {
  for (QDoubleSpinBox* box : {&centre, &step}) {
    box->setRange(box == &step ? 0 : -without_limit, without_limit);
    box->setDecimals(decl.kind == ParamKind::integer ? 0 : 4);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setSuffix(QStringLiteral(" ") + unit_text(value.unit));
  }
  step.setValue(first_step(decl, value.value));
  double middle = value.value;
  if (decl.low) middle = std::max(middle, *decl.low + side * step.value());
  if (decl.high) middle = std::min(middle, *decl.high - side * step.value());
  centre.setValue(middle);
}

}  // namespace

SweepDialog::SweepDialog(LiveSession& session, const QString& node, const ParamDecl& decl, QWidget* parent)
    : QDialog(parent),
      session_(session),
      node_(node),
      decl_(decl),
      unit_(value_of({node.toStdString(), &decl}).unit),
      view_(new SweepView(session, this)),
      centre_(new QDoubleSpinBox(this)),
      step_(new QDoubleSpinBox(this)),
      second_centre_(new QDoubleSpinBox(this)),
      second_step_(new QDoubleSpinBox(this)),
      second_(new QComboBox(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Sweep %1").arg(translated(decl.title)));
  resize(sweep_size);
  centre_->setAccessibleName(tr("Middle of the sweep"));
  step_->setAccessibleName(tr("Step of the sweep"));
  second_->setAccessibleName(tr("Second parameter"));
  second_centre_->setAccessibleName(tr("Middle of the second parameter"));
  second_step_->setAccessibleName(tr("Step of the second parameter"));
  fill_range(*centre_, *step_, decl, value_of({node.toStdString(), &decl}), half);
  add_choices();
  auto* start_button = new QPushButton(tr("Sweep"), this);
  auto* close = new QPushButton(tr("Close"), this);
  close->setAutoDefault(false);
  auto* hint = new QLabel(tr("Click an image to use its values."), this);
  hint->setProperty("role", "second");
  view_->setToolTip(
      tr("Negative: share of negative values, less is better for attenuation. Edges: sharp edges raise it, and so does "
         "noise."));
  auto* row = new QHBoxLayout;
  row->addWidget(new QLabel(tr("Middle"), this));
  row->addWidget(centre_);
  row->addWidget(new QLabel(tr("Step"), this));
  row->addWidget(step_);
  row->addWidget(start_button);
  row->addStretch(1);
  auto* second_row = new QHBoxLayout;
  second_row->addWidget(new QLabel(tr("Against"), this));
  second_row->addWidget(second_, 1);
  second_row->addWidget(second_centre_);
  second_row->addWidget(second_step_);
  auto* foot = new QHBoxLayout;
  foot->addWidget(hint, 1);
  foot->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(2));
  column->addLayout(row);
  column->addLayout(second_row);
  column->addWidget(view_, 1);
  column->addLayout(foot);
  connect(start_button, &QPushButton::clicked, this, &SweepDialog::start);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(view_, &SweepView::tile_chosen, this, &SweepDialog::take);
  connect(second_, &QComboBox::activated, this, &SweepDialog::begin_second);
  connect(&session_.document(), &Document::was_reset, this, &QDialog::close);
  start();
}

Number SweepDialog::value_of(const Choice& choice) const {
  const ParamDecl& decl = *choice.decl;
  const auto& nodes = session_.document().graph().nodes;
  const auto node = nodes.find(choice.node);
  const double middle = decl.low && decl.high ? 0.5 * (*decl.low + *decl.high) : decl.low.value_or(0);
  if (node == nodes.end()) return {middle, decl.unit};
  const auto set = node->second.params.find(decl.name);
  const ParamValue& value = set == node->second.params.end() ? decl.initial : set->second;
  if (const auto* integer = std::get_if<int64_t>(&value)) return {static_cast<double>(*integer), decl.unit};
  const auto* number = std::get_if<Number>(&value);
  return number == nullptr ? Number{middle, decl.unit} : *number;
}

// Adds the other number parameters of the pipeline, in the order of its nodes.
void SweepDialog::add_choices() {
  const Document& document = session_.document();
  second_->addItem(tr("one parameter: nine values"));
  for (const auto& [id, node] : document.graph().nodes) {
    const NodeType* type = document.registry().find(node.type);
    if (type == nullptr) continue;
    for (const ParamDecl& decl : type->params) {
      const bool is_number = decl.kind == ParamKind::number || decl.kind == ParamKind::integer;
      if (!is_number || (id == node_.toStdString() && decl.name == decl_.name)) continue;
      choices_.push_back({id, &decl});
      second_->addItem(QStringLiteral("%1: %2").arg(translated(type->title), translated(decl.title)));
    }
  }
  second_centre_->hide();
  second_step_->hide();
}

const SweepDialog::Choice* SweepDialog::second() const {
  const int index = second_->currentIndex() - 1;
  return index < 0 ? nullptr : &choices_.at(static_cast<std::size_t>(index));
}

void SweepDialog::begin_second() {
  const Choice* other = second();
  second_centre_->setVisible(other != nullptr);
  second_step_->setVisible(other != nullptr);
  if (other != nullptr) fill_range(*second_centre_, *second_step_, *other->decl, value_of(*other), 1);
  start();
}

void SweepDialog::start() {
  const SweepTarget target{node_.toStdString(), decl_.name, unit_};
  const Choice* other = second();
  if (other == nullptr) return view_->sweep(target, centre_->value(), step_->value());
  const SweepTarget down{other->node, other->decl->name, value_of(*other).unit};
  view_->sweep({target, centre_->value(), step_->value()}, {down, second_centre_->value(), second_step_->value()});
}

void SweepDialog::set_in(Graph& graph, const Choice& choice, Unit unit, double value) const {
  const auto node = graph.nodes.find(choice.node);
  if (node == graph.nodes.end()) return;
  const bool is_integer = choice.decl->kind == ParamKind::integer;
  node->second.params[choice.decl->name] =
      is_integer ? ParamValue{static_cast<int64_t>(std::llround(value))} : ParamValue{Number{value, unit}};
  std::erase_if(graph.links, [&](const Link& l) { return l.to_node == choice.node && l.to_port == choice.decl->name; });
}

void SweepDialog::take(int tile) {
  Document& document = session_.document();
  if (document.graph().nodes.count(node_.toStdString()) == 0) return;
  const Choice* other = second();
  const auto second_value = view_->second(tile);
  document.edit(tr("Take %1 from the sweep").arg(translated(decl_.title)), [&](Graph& g) {
    set_in(g, {node_.toStdString(), &decl_}, unit_, view_->value(tile));
    if (other != nullptr && second_value) set_in(g, *other, value_of(*other).unit, *second_value);
  });
}

}  // namespace tl::ui
