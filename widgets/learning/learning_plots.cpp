// LearningPlots: rebuilds the contents of both plots after iterations.
#include "widgets/learning/learning_plots.h"

#include <QComboBox>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <limits>

#include "widgets/plot/plot_panel.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

// Earlier runs differ in stroke as well as in colour.
struct Look {
  Token color;
  PlotStroke stroke;
};
constexpr std::array<Look, 5> looks{{{Token::busy, PlotStroke::dashed},
                                     {Token::warning, PlotStroke::dotted},
                                     {Token::good, PlotStroke::dashed},
                                     {Token::text_second, PlotStroke::dotted},
                                     {Token::accent, PlotStroke::dashed}}};
// The floor of a logarithmic loss lies this far below the best loss, as a fraction of the whole decrease.
constexpr double below_best = 1e-4;
constexpr int between_pictures_ms = 40;

bool is_of(const learn::TargetValue& value, const learn::Target& target) {
  return value.node == target.node && value.name == target.name;
}

}  // namespace

LearningPlots::LearningPlots(LearningSession& learning, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      loss_(new PlotPanel(tr("Loss over the iterations"), this)),
      parameter_(new PlotPanel(tr("Parameter over the iterations"), this)),
      choice_(new QComboBox(this)),
      refresh_timer_(new QTimer(this)),
      box_(new QBoxLayout(QBoxLayout::TopToBottom, this)) {
  for (PlotPanel* plot : {loss_, parameter_})
    plot->set_export_rules([this] { return learning_.live().document().export_rules(); });
  box_->setContentsMargins(0, 0, 0, 0);
  box_->setSpacing(Theme::space(2));
  auto* second = new QWidget(this);
  auto* column = new QVBoxLayout(second);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  column->addWidget(choice_);
  column->addWidget(parameter_, 1);
  box_->addWidget(loss_, 1);
  box_->addWidget(second, 1);
  choice_->setAccessibleName(tr("Plotted parameter"));
  connect(choice_, &QComboBox::currentIndexChanged, this, &LearningPlots::refresh);
  connect(&learning_, &LearningSession::settings_changed, this, &LearningPlots::refresh_choices);
  connect(&learning_, &LearningSession::state_changed, this, &LearningPlots::refresh);
  // Iterations can be faster than useful repaints, so repaints are limited in rate.
  refresh_timer_->setSingleShot(true);
  refresh_timer_->setInterval(between_pictures_ms);
  connect(refresh_timer_, &QTimer::timeout, this, &LearningPlots::refresh);
  connect(&learning_, &LearningSession::progressed, this, [this] {
    if (!refresh_timer_->isActive()) refresh_timer_->start();
  });
  refresh_choices();
}

void LearningPlots::set_direction(Qt::Orientation direction) {
  box_->setDirection(direction == Qt::Vertical ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void LearningPlots::show_records(const std::set<std::size_t>& shown) {
  shown_ = shown;
  refresh();
}

const learn::Target* LearningPlots::chosen() const {
  const auto& targets = learning_.settings().targets;
  const int index = std::max(0, choice_->currentIndex());
  return static_cast<std::size_t>(index) < targets.size() ? &targets[static_cast<std::size_t>(index)] : nullptr;
}

void LearningPlots::refresh_choices() {
  std::vector<std::pair<std::string, std::string>> now;
  for (const learn::Target& t : learning_.settings().targets) now.emplace_back(t.node, t.name);
  if (now != choices_ || now.empty()) {
    choices_ = now;
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    for (const learn::Target& t : learning_.settings().targets)
      choice_->addItem(learning_.title_of(t) + QStringLiteral(" · ") + learning_.title_of(t.node));
    choice_->setVisible(now.size() > 1);
  }
  refresh();
}

void LearningPlots::refresh() {
  loss_->set_content(loss_content());
  parameter_->set_content(parameter_content());
}

PlotContent LearningPlots::loss_content() const {
  PlotContent content{tr("Loss"), {tr("iteration"), {}}, {tr("loss"), {}}};
  add_records(content, nullptr);
  double best = std::numeric_limits<double>::infinity(), worst = -best;
  int64_t descent = -1;
  for (const learn::Progress& p : learning_.progress()) {
    if (p.phase != learn::Progress::Phase::descent) continue;
    if (p.descent != descent) {
      descent = p.descent;
      PlotSeries series{descent == 0 ? tr("this run") : tr("descent %1").arg(descent + 1), {}, {}};
      series.color = Token::learnable;
      series.weight = descent == 0 ? PlotWeight::strong : PlotWeight::faint;
      content.series.push_back(series);
    }
    content.series.back().x.push_back(static_cast<double>(p.iteration));
    content.series.back().y.push_back(p.loss);
    best = std::min(best, p.loss);
    worst = std::max(worst, p.loss);
  }
  if (best < worst) content.floor = best - below_best * (worst - best);
  return content;
}

void LearningPlots::add_records(PlotContent& content, const learn::Target* target) const {
  const auto& records = learning_.records();
  for (const std::size_t index : shown_) {
    if (index >= records.size()) continue;
    const learn::RunRecord& record = records[index];
    learn::Curve curve = target == nullptr ? record.loss : learn::Curve{};
    for (std::size_t i = 0; target != nullptr && i < record.learned.found.size(); ++i)
      if (record.learned.found[i].node == target->node && record.learned.found[i].name == target->name)
        curve = record.parameters[i];
    if (curve.value.empty()) continue;
    const Look& look = looks.at(index % looks.size());
    PlotSeries series{tr("run %1").arg(index + 1), curve.iteration, curve.value};
    series.color = look.color;
    series.stroke = look.stroke;
    series.weight = PlotWeight::faint;
    content.series.push_back(std::move(series));
  }
}

void LearningPlots::add_result(PlotContent& content, const learn::Target& target) const {
  if (learning_.state() != LearningState::ended) return;
  for (const learn::Found& f : learning_.end()->learned.found)
    if (f.node == target.node && f.name == target.name && f.value.size() == 1)
      content.marks.push_back(
          {PlotMark::Along::y, f.value[0], f.uncertainty.empty() ? 0 : f.uncertainty[0], Token::accent});
}

PlotContent LearningPlots::parameter_content() const {
  const learn::Target* target = chosen();
  if (target == nullptr) return {tr("Parameter"), {tr("iteration"), {}}, {tr("value"), {}}};
  const ParamDecl* decl = learning_.declaration(*target);
  if (decl != nullptr && decl->per_view) return list_content(*target);
  PlotContent content{
      {}, {tr("iteration"), {}}, {learning_.title_of(*target), decl == nullptr ? QString() : unit_text(decl->unit)}};
  if (decl != nullptr && decl->kind == ParamKind::array)
    content.y.title = tr("%1, root mean square").arg(content.y.title);
  add_records(content, target);
  int64_t descent = -1;
  for (const learn::Progress& p : learning_.progress()) {
    if (p.phase != learn::Progress::Phase::descent) continue;
    for (const learn::TargetValue& s : p.values) {
      if (!is_of(s, *target) || (s.value.size() != 1 && s.shape.empty())) continue;
      if (p.descent != descent) {
        descent = p.descent;
        PlotSeries series{descent == 0 ? tr("this run") : tr("descent %1").arg(descent + 1), {}, {}};
        series.color = Token::busy;
        series.weight = descent == 0 ? PlotWeight::strong : PlotWeight::faint;
        content.series.push_back(series);
      }
      content.series.back().x.push_back(static_cast<double>(p.iteration));
      content.series.back().y.push_back(s.shape.empty() ? s.value[0] : s.size);
    }
  }
  add_result(content, *target);
  return content;
}

// A list has a value per view; the plot shows the last iteration over the views.
PlotContent LearningPlots::list_content(const learn::Target& target) const {
  const ParamDecl* decl = learning_.declaration(target);
  PlotContent content{{}, {tr("view"), {}}, {learning_.title_of(target), unit_text(decl->unit)}};
  PlotSeries series{{}, {}, {}};
  series.color = Token::busy;
  if (learning_.state() == LearningState::ended) {
    for (const learn::Found& f : learning_.end()->learned.found)
      if (f.node == target.node && f.name == target.name) {
        series.y = f.value;
        series.sigma = f.uncertainty;
      }
  } else {
    for (const learn::Progress& p : learning_.progress())
      for (const learn::TargetValue& s : p.values)
        if (is_of(s, target)) series.y = s.value;
  }
  for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i));
  if (!series.y.empty()) content.series.push_back(std::move(series));
  return content;
}

}  // namespace tl::ui
