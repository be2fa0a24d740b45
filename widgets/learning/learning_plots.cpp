// LearningPlots: rebuilds the contents of its plots after iterations.
#include "widgets/learning/learning_plots.h"

#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/learning/landscape_content.h"
#include "widgets/learning/step_slider.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int between_pictures_ms = 40;
constexpr std::size_t max_multiples = 12;                  // if there are more parameters, the others are not plotted
constexpr int multiple_width = 150, multiple_height = 96;  // px, at least

// The number of columns that leaves the plots wide enough to read.
int columns_for(std::size_t plots, Qt::Orientation direction) {
  if (plots <= 1) return 1;
  return direction == Qt::Vertical || plots <= 4 ? 2 : 3;
}

}  // namespace

LearningPlots::LearningPlots(LearningSession& learning, QWidget* parent)
    : JobPlots(learning, parent),
      learning_(learning),
      loss_(make_plot(tr("Loss over the iterations"))),
      landscape_(make_plot(tr("Landscape around the found value"))),
      steps_(new StepSlider(learning, this)),
      refresh_timer_(new QTimer(this)),
      multiples_(new QWidget(this)),
      grid_(new QGridLayout(multiples_)) {
  column().addWidget(steps_);
  spaced(grid_, 1);
  box().addWidget(loss_, 1);
  box().addWidget(multiples_, 1);
  box().addWidget(landscape_, 1);
  connect(&learning_, &LearningSession::settings_changed, this, &LearningPlots::refresh_targets);
  connect(&learning_, &LearningSession::state_changed, this, &LearningPlots::refresh);
  connect(&learning_, &LearningSession::step_shown, this, &LearningPlots::refresh);
  connect(&learning_, &LearningSession::landscape_ready, this, &LearningPlots::refresh);
  // Iterations can be faster than useful repaints, so repaints are limited in rate.
  refresh_timer_->setSingleShot(true);
  refresh_timer_->setInterval(between_pictures_ms);
  connect(refresh_timer_, &QTimer::timeout, this, &LearningPlots::refresh);
  connect(&learning_, &LearningSession::progressed, this, [this] {
    if (!refresh_timer_->isActive()) refresh_timer_->start();
  });
  refresh_targets();
}

void LearningPlots::set_direction(Qt::Orientation direction) {
  direction_ = direction;
  JobPlots::set_direction(direction);
  arrange();
}

void LearningPlots::show_records(const ShownRecords& shown) {
  shown_ = shown;
  refresh();
}

void LearningPlots::refresh_targets() {
  std::vector<std::pair<std::string, std::string>> now;
  for (const learn::Target& t : learning_.settings().targets) now.emplace_back(t.node, t.name);
  if (now.size() > max_multiples) now.resize(max_multiples);
  if (now != targets_ || parameters_.empty()) {
    targets_ = now;
    for (PlotPanel* plot : parameters_) {
      grid_->removeWidget(plot);
      plot->hide();
      plot->deleteLater();
    }
    parameters_.clear();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, targets_.size()); ++i) {
      const QString name =
          i < targets_.size() ? learning_.title_of(targets_[i].first, targets_[i].second) : tr("Parameter");
      parameters_.push_back(make_plot(tr("%1 over the iterations").arg(name)));
    }
    arrange();
  }
  refresh();
}

void LearningPlots::arrange() {
  const int columns = columns_for(parameters_.size(), direction_);
  const bool dock = direction_ == Qt::Vertical;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    PlotPanel* plot = parameters_[i];
    const int at = static_cast<int>(i);
    grid_->addWidget(plot, at / columns, at % columns);
    plot->setMinimumSize(multiple_width, dock && parameters_.size() == 1 ? height_in_dock : multiple_height);
    plot->show();
  }
  for (PlotPanel* plot : {loss_, landscape_}) plot->setMinimumHeight(dock ? height_in_dock : 0);
  box().setStretchFactor(multiples_, dock ? 1 : columns);
}

void LearningPlots::refresh() {
  loss_->set_content(loss_content(learning_, shown_));
  const auto& targets = learning_.settings().targets;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    parameters_[i]->set_content(i < targets.size() && i < targets_.size()
                                    ? parameter_content(learning_, targets[i], shown_)
                                    : PlotContent{tr("Parameter"), {tr("iteration"), {}}, {tr("value"), {}}});
  const auto& known = learning_.landscape();
  const bool has_run = !learning_.progress().empty();
  const ParamDecl* decl = targets.size() == 1 ? learning_.declaration(targets.front()) : nullptr;
  const bool single =
      decl != nullptr && !decl->per_view && decl->kind != ParamKind::array && decl->kind != ParamKind::numbers;
  if (known)
    landscape_->set_content(landscape_content(learning_, *known));
  else if (single)
    landscape_->set_content(visited_content(learning_, targets.front()));
  landscape_->setVisible(known.has_value() || (single && has_run));
}

}  // namespace tl::ui
