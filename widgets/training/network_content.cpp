// Network content: reads the epochs of a training and the steps of a pruning.
#include "widgets/training/network_content.h"

#include <QCoreApplication>
#include <functional>

#include "widgets/labels/label_colors.h"

namespace tl::ui {
namespace {

constexpr double min_epochs = 4;

QString words(const char* text) { return QCoreApplication::translate("tl::ui::NetworkPlots", text); }

LabelTable table_of(const LabelClass& one) {
  LabelTable table;
  table.classes = {one};
  return table;
}

// A point for each epoch or step.
template <class Step>
PlotSeries curve(const QString& name, const std::vector<Step>& steps, const std::function<double(const Step&)>& read) {
  PlotSeries series{name, {}, {}};
  for (const Step& step : steps) {
    if constexpr (std::is_same_v<Step, train::PrunedState>)
      series.x.push_back(static_cast<double>(step.step));
    else
      series.x.push_back(static_cast<double>(series.x.size() + 1));
    series.y.push_back(read(step));
  }
  return series;
}

// Series of each class, and of their mean.
template <class Step>
void add_f1(PlotContent& content, const std::vector<LabelClass>& classes, const std::vector<Step>& steps,
            const std::function<const train::EpochScores&(const Step&)>& scores) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    content.series.push_back(
        curve<Step>(class_name(classes[c]), steps, [&](const Step& s) { return scores(s).f1.at(c); }));
    content.series.back().own_color = class_color(classes[c]);
  }
  content.series.push_back(curve<Step>(words("mean"), steps, [&](const Step& s) { return scores(s).macro_f1; }));
  content.series.back().color = Token::text;
}

template <class Step>
void add_curve(PlotContent& content, const QString& name, Token color, const std::vector<Step>& steps,
               const std::function<double(const Step&)>& read) {
  content.series.push_back(curve<Step>(name, steps, read));
  content.series.back().color = color;
}

PlotContent over_epochs(const QString& title, const jobs::TrainingJob::Progress& progress) {
  PlotContent content{title, {words("epoch"), {}, min_epochs}, {title, {}}};
  if (const int64_t best = train::best_epoch_of(progress.curves); best > 0)
    content.marks.push_back({PlotMark::Along::x, static_cast<double>(best), 0, Token::text_second});
  return content;
}

// All steps that are planned.
PlotAxis steps_axis(const jobs::PruningJob::Progress& progress) {
  return {words("step"), {}, static_cast<double>(progress.steps)};
}

}  // namespace

QString class_name(const LabelClass& of) {
  const QString name = label_name(table_of(of), of.number);
  return name.isEmpty() ? words("class %1").arg(of.number) : name;
}
QRgb class_color(const LabelClass& of) { return label_rgb(table_of(of), of.number); }

PlotContent training_loss_content(const jobs::TrainingJob::Progress& progress) {
  using Epoch = train::EpochScores;
  PlotContent content = over_epochs(words("Loss"), progress);
  if (progress.curves.empty()) return content;
  add_curve<Epoch>(content, words("training"), Token::busy, progress.curves,
                   [](const Epoch& e) { return e.training_loss; });
  add_curve<Epoch>(content, words("validation"), Token::learnable, progress.curves,
                   [](const Epoch& e) { return e.validation_loss; });
  return content;
}

PlotContent f1_content(const jobs::TrainingJob::Progress& progress) {
  PlotContent content = over_epochs(words("F1"), progress);
  if (progress.curves.empty()) return content;
  add_f1<train::EpochScores>(content, progress.classes, progress.curves,
                             [](const train::EpochScores& e) -> const train::EpochScores& { return e; });
  content.series.back().stroke = PlotStroke::dashed;
  content.series.back().weight = PlotWeight::faint;
  return content;
}

PlotContent pruned_f1_content(const jobs::PruningJob::Progress& progress) {
  PlotContent content{words("F1"), steps_axis(progress), {words("F1"), {}}};
  if (progress.states.empty() || !progress.states.front().trained) return content;
  add_f1<train::PrunedState>(content, progress.classes, progress.states,
                             [](const train::PrunedState& s) -> const train::EpochScores& { return *s.trained; });
  PlotSeries training{words("mean in training"), progress.trained_at, progress.macro_f1};
  training.color = Token::text;
  training.stroke = PlotStroke::dotted;
  training.weight = PlotWeight::faint;
  content.series.push_back(std::move(training));
  return content;
}

PlotContent kept_content(const jobs::PruningJob::Progress& progress) {
  using State = train::PrunedState;
  PlotContent content{words("What is left [%]"), steps_axis(progress), {words("share"), QStringLiteral("%")}};
  if (progress.states.empty()) return content;
  const auto all = static_cast<double>(progress.states.front().parameters);
  add_curve<State>(content, words("asked for"), Token::text_second, progress.states,
                   [](const State& s) { return 100 * s.asked; });
  content.series.back().stroke = PlotStroke::dashed;
  content.series.back().weight = PlotWeight::faint;
  add_curve<State>(content, words("filters"), Token::busy, progress.states,
                   [](const State& s) { return 100 * s.kept; });
  add_curve<State>(content, words("parameters"), Token::learnable, progress.states,
                   [all](const State& s) { return 100 * static_cast<double>(s.parameters) / all; });
  return content;
}

}  // namespace tl::ui
