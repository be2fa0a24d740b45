// LandscapePanel: requests a landscape with the slope at its centre.
#include "widgets/learning/landscape_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "core/live/notification.h"
#include "widgets/learning/number_field.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int sweep_points = 41, map_points = 15;
constexpr int min_letters = 8;  // minimum width of a list: the dock's width limits it
// Default half width: pixels for geometry, otherwise a fraction of the value.
constexpr double usual_pixels = 5, usual_share = 0.1;

}  // namespace

LandscapePanel::LandscapePanel(LearningSession& learning, PlotPanel& plot, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      plot_(plot),
      first_(new QComboBox(this)),
      second_(new QComboBox(this)),
      first_width_(new NumberField(tr("Half width of the first parameter"), Unit::none, this)),
      second_width_(new NumberField(tr("Half width of the second parameter"), Unit::none, this)),
      points_(new QSpinBox(this)),
      compute_(new QPushButton(tr("Sweep"), this)),
      note_(new QLabel(this)) {
  auto* column = spaced(new QVBoxLayout(this), 1);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Theme::space(2));
  grid->setVerticalSpacing(Theme::space(1));
  grid->addWidget(first_, 0, 0);
  grid->addWidget(new QLabel(QStringLiteral("±"), this), 0, 1);
  grid->addWidget(first_width_, 0, 2);
  grid->addWidget(second_, 1, 0);
  grid->addWidget(new QLabel(QStringLiteral("±"), this), 1, 1);
  grid->addWidget(second_width_, 1, 2);
  grid->addWidget(points_, 0, 3);
  grid->addWidget(compute_, 1, 3);
  grid->setColumnStretch(0, 1);
  column->addLayout(grid);
  column->addWidget(note_);
  as_note(note_);
  for (QComboBox* box : {first_, second_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(min_letters);
  }
  points_->setRange(3, 201);
  points_->setValue(sweep_points);
  points_->setSuffix(tr(" points"));
  points_->setAccessibleName(tr("Points per parameter"));
  first_->setAccessibleName(tr("First parameter of the landscape"));
  second_->setAccessibleName(tr("Second parameter of the landscape"));
  connect(compute_, &QPushButton::clicked, this, &LandscapePanel::compute);
  connect(first_, &QComboBox::activated, this, &LandscapePanel::refresh_units);
  connect(second_, &QComboBox::activated, this, [this](int index) {
    points_->setValue(index > 0 ? map_points : sweep_points);
    refresh_units();
  });
  connect(&learning_, &LearningSession::settings_changed, this, &LandscapePanel::refresh);
  connect(&learning_, &LearningSession::state_changed, this, &LandscapePanel::refresh);
  connect(&learning_, &LearningSession::landscape_ready, this, &LandscapePanel::show_landscape);
  refresh();
}

std::optional<double> LandscapePanel::centre_of(const learn::Target& target) const {
  if (learning_.state() == JobState::ended)
    for (const learn::Found& f : learning_.end()->learned.found)
      if (f.node == target.node && f.name == target.name && f.value.size() == 1) return f.value[0];
  const ParamDecl* decl = learning_.declaration(target);
  const auto& nodes = learning_.live().document().graph().nodes;
  const auto node = nodes.find(target.node);
  if (decl == nullptr || node == nodes.end()) return std::nullopt;
  const auto set = node->second.params.find(target.name);
  const ParamValue present = set == node->second.params.end() ? decl->initial : set->second;
  const ParamValue value = in_unit(target.start ? ParamValue{*target.start} : present, decl->unit);
  const auto* number = std::get_if<Number>(&value);
  return number == nullptr ? std::nullopt : std::optional<double>(number->value);
}

void LandscapePanel::refresh() {
  std::vector<std::pair<std::string, std::string>> now;
  for (const learn::Target& t : learning_.settings().targets) now.emplace_back(t.node, t.name);
  if (now != parameters_) {
    parameters_ = now;
    for (QComboBox* box : {first_, second_}) box->clear();
    second_->addItem(tr("alone"));
    for (const learn::Target& t : learning_.settings().targets) {
      first_->addItem(learning_.title_of(t));
      second_->addItem(tr("with %1").arg(learning_.title_of(t)));
    }
    refresh_units();
  }
  compute_->setEnabled(!parameters_.empty() && !learning_.is_busy() && learning_.obstacle().isEmpty());
}

void LandscapePanel::refresh_units() {
  const auto& targets = learning_.settings().targets;
  const auto show = [&](NumberField* field, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= targets.size()) return;
    const learn::Target& target = targets[static_cast<std::size_t>(index)];
    const ParamDecl* decl = learning_.declaration(target);
    if (decl == nullptr) return;
    field->set_unit(decl->unit);
    const double centre = centre_of(target).value_or(0);
    const double usual = dimension(decl->unit) == Dimension::pixels ? usual_pixels
                         : centre != 0                              ? usual_share * std::abs(centre)
                                                                    : 1;
    field->show_number(Number{usual, decl->unit});
  };
  show(first_width_, first_->currentIndex());
  show(second_width_, second_->currentIndex() - 1);
  const bool two = second_->currentIndex() > 0;
  second_width_->setEnabled(two);
  compute_->setText(two ? tr("Map") : tr("Sweep"));
}

void LandscapePanel::compute() {
  if (!first_width_->number() || first_->currentIndex() < 0) return;
  const auto first = static_cast<std::size_t>(first_->currentIndex());
  note_->setText(tr("Computing…"));
  const int second = second_->currentIndex() - 1;
  if (second >= 0 && static_cast<std::size_t>(second) != first && second_width_->number())
    learning_.map_objective(first, static_cast<std::size_t>(second),
                            {*first_width_->number(), *second_width_->number()}, points_->value());
  else
    learning_.sweep_objective(first, *first_width_->number(), points_->value());
}

void LandscapePanel::show_landscape(const live::LandscapeEnd& end) {
  set_style_property(*note_, "tone", end.error ? "error" : "second");
  if (end.error) {
    note_->setText(error_text(*end.error));
    return;
  }
  QString text = tr("%n evaluations in %1 s.", nullptr, static_cast<int>(end.landscape.loss.size()))
                     .arg(end.landscape.seconds, 0, 'f', 2);
  if (end.slope) text = slope_text(*end.slope);
  note_->setText(text);
}

QString LandscapePanel::slope_text(const learn::GradientCheck& slope) const {
  QStringList parts;
  for (const auto& row : slope.rows) {
    learn::Target target;
    target.node = row.node;
    target.name = row.name;
    parts << tr("%1: gradient %2, difference %3")
                 .arg(learning_.title_of(target))
                 .arg(row.gradient, 0, 'g', 5)
                 .arg(row.difference, 0, 'g', 5);
    if (parts.size() == 3) break;
  }
  return tr("At the centre · %1").arg(parts.join(QStringLiteral(" · ")));
}

}  // namespace tl::ui
