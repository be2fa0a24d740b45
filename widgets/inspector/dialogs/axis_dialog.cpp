// AxisDialog: sets the rotation axis by eye: two pages, overlay and sweep, with the axis value below.
#include "widgets/inspector/dialogs/axis_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include "widgets/inspector/dialogs/sweep_view.h"
#include "widgets/inspector/values/accept_value.h"
#include "widgets/inspector/values/special_params.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr QSize first_size(780, 600);  // px
constexpr double farthest = 1e5;       // px

double degrees(double angle) { return from_stored(angle, Unit::deg); }

QString hint_text() {
  return AxisDialog::tr(
      "Drag sideways until both views agree; Shift is finer. The wheel zooms, the middle button shifts. Arrow keys "
      "move "
      "by half a pixel, with Shift by a twentieth.");
}

}  // namespace

AxisDialog::AxisDialog(LiveSession& session, const QString& node, QWidget* parent)
    : QDialog(parent),
      session_(session),
      node_(node),
      overlay_(new AxisOverlay(session)),
      sweep_(new SweepView(session)),
      tabs_(new QTabBar(this)),
      pages_(new QStackedWidget(this)) {
  setWindowTitle(tr("Rotation axis"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(first_size);
  tabs_->addTab(tr("0°/180° overlay"));
  tabs_->addTab(tr("Sweep"));
  tabs_->setDrawBase(false);
  tabs_->setAccessibleName(tr("Overlay or sweep"));
  pages_->addWidget(make_overlay_page());
  pages_->addWidget(make_sweep_page());
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(2));
  column->addWidget(tabs_, 0, Qt::AlignLeft);
  column->addWidget(pages_, 1);
  column->addWidget(make_foot());
  connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
    pages_->setCurrentIndex(page);
    if (page == static_cast<int>(Page::sweep)) start_sweep();
  });
  connect(&session_, &LiveSession::infos_changed, this, &AxisDialog::refresh);
  connect(&session_.document(), &Document::graph_changed, this, &AxisDialog::refresh);
  connect(&session_.document(), &Document::was_reset, this, &QDialog::close);
  refresh();
}

QWidget* AxisDialog::make_overlay_page() {
  auto* page = new QWidget(this);
  auto* column = spaced(new QVBoxLayout(page), 2);
  auto* row = new QHBoxLayout;
  pair_ = new QComboBox(page);
  pair_->setAccessibleName(tr("Pair of views"));
  pair_->setMinimumWidth(Theme::space(50));
  auto* blend = new QComboBox(page);
  blend->setAccessibleName(tr("Blending of the two views"));
  blend->addItems({tr("Two colours"), tr("Difference")});
  advice_ = as_note(new QLabel(hint_text(), page));
  row->addWidget(new QLabel(tr("Views"), page));
  row->addWidget(pair_);
  row->addWidget(blend);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(overlay_, 1);
  column->addWidget(advice_);
  connect(pair_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (index >= 0 && index < static_cast<int>(pairs_.size()))
      overlay_->show_pair(pairs_[static_cast<std::size_t>(index)]);
  });
  connect(blend, &QComboBox::currentIndexChanged, overlay_, [this](int index) {
    overlay_->set_blend(index == 0 ? AxisOverlay::Blend::colours : AxisOverlay::Blend::difference);
  });
  connect(overlay_, &AxisOverlay::axis_dragged, this, &AxisDialog::try_axis);
  return page;
}

QWidget* AxisDialog::make_sweep_page() {
  auto* page = new QWidget(this);
  auto* column = spaced(new QVBoxLayout(page), 2);
  auto* row = new QHBoxLayout;
  step_ = new QDoubleSpinBox(page);
  step_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  step_->setRange(0.01, 100);
  step_->setValue(1);
  step_->setSuffix(tr(" px"));
  step_->setSingleStep(0.25);
  step_->setAccessibleName(tr("Step of the sweep"));
  auto* start = new QPushButton(tr("Sweep about the value below"), page);
  auto* finer = new QPushButton(tr("Finer about the best"), page);
  scores_ = new QLabel(page);
  scores_->setProperty("role", "second");
  row->addWidget(new QLabel(tr("Step"), page));
  row->addWidget(step_);
  row->addWidget(start);
  row->addWidget(finer);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(sweep_, 1);
  column->addWidget(scores_);
  connect(start, &QPushButton::clicked, this, &AxisDialog::start_sweep);
  connect(finer, &QPushButton::clicked, this, [this] {
    if (sweep_->best() < 0) return;
    const double best = sweep_->value(sweep_->best());
    step_->setValue(step_->value() / 4);
    try_axis(best);
    start_sweep();
  });
  connect(sweep_, &SweepView::chosen, this, &AxisDialog::try_axis);
  connect(sweep_, &SweepView::scores_changed, this, &AxisDialog::show_scores);
  return page;
}

QWidget* AxisDialog::make_foot() {
  auto* foot = new QWidget(this);
  auto* row = framed(new QHBoxLayout(foot));
  axis_ = new QDoubleSpinBox(foot);
  axis_->setRange(-farthest, farthest);
  axis_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  axis_->setDecimals(3);
  axis_->setSingleStep(0.1);
  axis_->setSuffix(tr(" px from the centre"));
  axis_->setAccessibleName(tr("Rotation axis"));
  axis_->setMinimumWidth(Theme::space(50));
  axis_->setKeyboardTracking(false);
  accept_ = new QPushButton(tr("Accept"), foot);
  accept_->setProperty("role", "primary");
  auto* close = new QPushButton(tr("Close"), foot);
  for (QPushButton* button : {accept_, close}) button->setAutoDefault(false);
  row->addWidget(new QLabel(tr("Axis"), foot));
  row->addWidget(axis_);
  row->addStretch(1);
  row->addWidget(accept_);
  row->addWidget(close);
  connect(axis_, &QDoubleSpinBox::valueChanged, this, &AxisDialog::try_axis);
  connect(accept_, &QPushButton::clicked, this, &AxisDialog::accept_axis);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  return foot;
}

const ProjectionsInfo* AxisDialog::scan() const {
  const Graph& graph = session_.document().graph();
  const auto node = graph.nodes.find(node_.toStdString());
  const NodeType* type = node == graph.nodes.end() ? nullptr : session_.document().registry().find(node->second.type);
  if (type == nullptr) return nullptr;
  const Output from = source_of(graph, node->first, special_params(*type).projections);
  const Info* info = from.empty() ? nullptr : session_.info(from.node, from.port);
  return info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
}

double AxisDialog::current_axis() const {
  const Graph& graph = session_.document().graph();
  const auto node = graph.nodes.find(node_.toStdString());
  if (node == graph.nodes.end()) return 0;
  const NodeType* type = session_.document().registry().find(node->second.type);
  const std::string param = special_params(*type).axis;
  const auto set = node->second.params.find(param);
  const bool by_hand = set != node->second.params.end() && graph.link_into(node->first, param) == nullptr;
  if (const auto* number = by_hand ? std::get_if<Number>(&set->second) : nullptr) return number->value;
  // The info of the node's own output has the axis, unless it waits for a measurement.
  for (const PortDecl& port : type->outputs) {
    const Info* info = session_.info(node_, QString::fromStdString(port.name));
    const auto* known = info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
    if (known == nullptr || known->pending) continue;
    if (const auto orbit = known->geometry.orbit()) return orbit->axis;
  }
  return 0;
}

void AxisDialog::refresh() {
  const Graph& graph = session_.document().graph();
  const auto node = graph.nodes.find(node_.toStdString());
  const NodeType* type = node == graph.nodes.end() ? nullptr : session_.document().registry().find(node->second.type);
  if (type == nullptr) {
    close();
    return;
  }
  const SpecialParams special = special_params(*type);
  // If a parameter holds the axis, values tried here are already in the pipeline, and there is nothing to accept.
  accept_->setVisible(special.axis.empty());
  if (!touched_ || !special.axis.empty()) {
    const QSignalBlocker quiet(axis_);
    axis_->setValue(current_axis());
    overlay_->set_axis(current_axis());
  }
  overlay_->show_scan(source_of(graph, node->first, special.projections));
  const ProjectionsInfo* in = scan();
  const std::vector<OppositeViews> pairs = in == nullptr ? std::vector<OppositeViews>() : opposite_views(in->geometry);
  const auto same = [](const OppositeViews& a, const OppositeViews& b) {
    return a.first == b.first && a.second == b.second;
  };
  if (std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end(), same)) return;
  pairs_ = pairs;
  advice_->setText(in != nullptr && in->geometry.beam() == Beam::cone
                       ? hint_text() + tr(" In a cone beam, opposite views agree only along the middle row.")
                       : hint_text());
  pair_->clear();
  for (const OppositeViews& p : pairs_)
    pair_->addItem(tr("%1° and %2°").arg(degrees(p.first_angle), 0, 'f', 1).arg(degrees(p.second_angle), 0, 'f', 1));
}

void AxisDialog::open_page(Page page) {
  show();
  raise();
  activateWindow();
  tabs_->setCurrentIndex(static_cast<int>(page));
  (page == Page::overlay ? static_cast<QWidget*>(overlay_) : sweep_)->setFocus();
}

void AxisDialog::start_sweep() { sweep_->sweep({node_.toStdString(), {}, Unit::px}, axis_->value(), step_->value()); }

void AxisDialog::show_scores() {
  const int best = sweep_->best();
  scores_->setText(best < 0
                       ? tr("Computing… The right axis gives the fewest negative values.")
                       : tr("Fewest negative values at %1 px. Check that edges are sharp there, then click the slice.")
                             .arg(sweep_->value(best), 0, 'g', 6));
}

void AxisDialog::try_axis(double axis) {
  touched_ = true;
  {
    const QSignalBlocker quiet(axis_);
    axis_->setValue(axis);
  }
  overlay_->set_axis(axis);
  const std::string id = node_.toStdString();
  Document& document = session_.document();
  const auto node = document.graph().nodes.find(id);
  if (node == document.graph().nodes.end()) return;
  const SpecialParams special = special_params(*document.registry().find(node->second.type));
  if (special.axis.empty()) return;
  document.edit(tr("Set the axis"),
                [&](Graph& g) {
                  g.nodes.at(id).params[special.axis] = Number{axis, Unit::px};
                  std::erase_if(g.links, [&](const Link& l) { return l.to_node == id && l.to_port == special.axis; });
                },
                {QStringLiteral("axis/") + node_});
}

void AxisDialog::accept_axis() {
  Document& document = session_.document();
  const auto node = document.graph().nodes.find(node_.toStdString());
  if (node == document.graph().nodes.end()) return;
  const std::string port = special_params(*document.registry().find(node->second.type)).found_axis;
  Result<void> done = ok();
  document.edit(tr("Accept the axis"), [&](Graph& g) {
    done = accept_value(g, document.registry(), node_.toStdString(), port, Number{axis_->value(), Unit::px});
  });
  if (done.ok()) {
    close();
  } else {
    scores_->setText(error_text(done.error()));
  }
}

void AxisDialog::hideEvent(QHideEvent* event) {
  sweep_->stop();
  QDialog::hideEvent(event);
}

}  // namespace tl::ui
