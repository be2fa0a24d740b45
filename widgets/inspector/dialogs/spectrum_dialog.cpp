// SpectrumDialog: edits a node's energies and weights as one curve; each drag is one undo step.
#include "widgets/inspector/dialogs/spectrum_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/physics/spectrum.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr qint64 largest_file = 1 << 20;

std::vector<double> number_list(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  const ParamValue value = in_unit(set == node.params.end() ? decl.initial : set->second, decl.unit);
  const auto* list = std::get_if<NumberList>(&value);
  return list == nullptr ? std::vector<double>{} : list->values;
}

}  // namespace

SpectrumDialog::SpectrumDialog(LiveSession& session, const QString& node, QWidget* parent)
    : QDialog(parent),
      session_(session),
      node_(node),
      type_(session.document().registry().find(in_graph()->type)),
      special_(special_params(*type_)),
      view_(new SpectrumView(this)),
      problem_(new QLabel(this)),
      found_(new QLabel(this)) {
  setWindowTitle(tr("Spectrum of the beam"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(Theme::space(180), Theme::space(105));
  problem_->setProperty("tone", "error");
  problem_->setWordWrap(true);
  problem_->hide();
  found_->setProperty("role", "second");
  const ParamDecl& energies = *type_->param(special_.energies);
  view_->set_limits(energies.low.value_or(0), energies.high.value_or(1e4));
  auto* load_button = new QPushButton(tr("Load text file…"), this);
  auto* paste = new QPushButton(tr("Paste"), this);
  auto* done = new QPushButton(tr("Close"), this);
  for (QPushButton* button : {load_button, paste, done}) button->setAutoDefault(false);
  load_button->setToolTip(tr("Two columns: energy in keV and weight."));
  paste->setToolTip(load_button->toolTip());
  auto* foot = new QHBoxLayout;
  foot->addWidget(load_button);
  foot->addWidget(paste);
  foot->addWidget(found_, 1);
  foot->addWidget(done);
  auto* column = spaced(new QVBoxLayout(this), 2, {4, 4, 4, 4});
  column->addWidget(view_, 1);
  column->addWidget(problem_);
  column->addLayout(foot);
  connect(view_, &SpectrumView::changed, this, &SpectrumDialog::write);
  connect(load_button, &QPushButton::clicked, this, [this] {
    const QString file = QFileDialog::getOpenFileName(this, tr("Load a spectrum"));
    if (!file.isEmpty()) load(file);
  });
  connect(paste, &QPushButton::clicked, this, [this] { take_text(QApplication::clipboard()->text()); });
  connect(done, &QPushButton::clicked, this, &QDialog::close);
  connect(&session_, &LiveSession::value_ready, this, &SpectrumDialog::take);
  connect(&session_.document(), &Document::graph_changed, this, &SpectrumDialog::refresh);
  connect(&session_.document(), &Document::was_reset, this, &QDialog::close);
  refresh();
}

const GraphNode* SpectrumDialog::in_graph() const {
  const auto& nodes = session_.document().graph().nodes;
  const auto found = nodes.find(node_.toStdString());
  return found == nodes.end() ? nullptr : &found->second;
}

void SpectrumDialog::refresh() {
  const GraphNode* node = in_graph();
  if (node == nullptr) {
    close();
    return;
  }
  const std::vector<double> energies = number_list(*node, *type_->param(special_.energies));
  const std::vector<double> weights = number_list(*node, *type_->param(special_.weights));
  const Result<void> valid = check_spectrum(energies, weights);
  show_problem(valid.ok() ? QString() : reason_text(valid.error()));
  std::vector<SpectrumPoint> points;
  for (std::size_t i = 0; valid.ok() && i < energies.size(); ++i) points.push_back({energies[i], weights[i]});
  if (valid.ok() && points != view_->points()) view_->set_points(std::move(points));
  if (!valid.ok()) {
    found_->clear();
    return view_->set_filtered({});
  }
  session_.ask(node_, special_.spectrum, live::Effort::compute);
  if (!special_.scalar.isEmpty()) session_.ask(node_, special_.scalar, live::Effort::compute);
}

void SpectrumDialog::take(const live::PlainValue& value) {
  if (value.node != node_.toStdString()) return;
  if (value.port == special_.scalar.toStdString() && value.known && !value.columns.empty() &&
      !value.columns[0].values.empty())
    found_->setText(tr("Effective energy %1 %2")
                        .arg(value.columns[0].values[0], 0, 'g', 5)
                        .arg(QString::fromStdString(value.columns[0].unit)));
  if (value.port != special_.spectrum.toStdString()) return;
  std::vector<SpectrumPoint> filtered;
  if (value.known && value.columns.size() == 2) {
    // Shares have no absolute scale: they are scaled up until they touch the unfiltered spectrum.
    const auto& [energy, share] = std::tie(value.columns[0].values, value.columns[1].values);
    const auto& points = view_->points();
    double scale = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(points.size(), share.size()); ++i)
      if (share[i] > 0) scale = std::min(scale, points[i].weight / share[i]);
    for (std::size_t i = 0; i < share.size() && std::isfinite(scale); ++i)
      filtered.push_back({energy[i], scale * share[i]});
  }
  view_->set_filtered(std::move(filtered));
}

void SpectrumDialog::write(const std::vector<SpectrumPoint>& points) {
  if (in_graph() == nullptr) return;
  NumberList energies{{}, Unit::keV}, weights;
  for (const SpectrumPoint& p : points) {
    energies.values.push_back(p.energy);
    weights.values.push_back(p.weight);
  }
  session_.document().edit(tr("Draw the spectrum"),
                           [&](Graph& g) {
                             GraphNode& node = g.nodes.at(node_.toStdString());
                             node.params[special_.energies] = energies;
                             node.params[special_.weights] = weights;
                           },
                           {QStringLiteral("spectrum/") + node_});
}

void SpectrumDialog::show_problem(const QString& text) {
  problem_->setText(text);
  problem_->setVisible(!text.isEmpty());
}

void SpectrumDialog::load(const QString& file) {
  QFile text(file);
  if (!text.open(QIODevice::ReadOnly)) return show_problem(text.errorString());
  if (text.size() > largest_file) return show_problem(tr("The file is too large for a spectrum."));
  take_text(QString::fromUtf8(text.readAll()));
}

void SpectrumDialog::take_text(const QString& columns) {
  const Result<SpectrumColumns> read = parse_spectrum(columns.toStdString());
  if (!read.ok()) return show_problem(reason_text(read.error()));
  const auto& [energies, weights] = read.value();
  Result<void> valid = check_spectrum(energies, weights);
  if (valid.ok()) valid = type_->param(special_.energies)->validate(NumberList{energies, Unit::keV});
  if (valid.ok()) valid = type_->param(special_.weights)->validate(NumberList{weights, Unit::none});
  if (!valid.ok()) return show_problem(reason_text(valid.error()));
  std::vector<SpectrumPoint> points;
  for (std::size_t i = 0; i < energies.size(); ++i) points.push_back({energies[i], weights[i]});
  view_->set_points(points);
  write(points);
}

}  // namespace tl::ui
