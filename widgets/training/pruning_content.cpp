// Pruning content: walks the steps of a pruning.
#include "widgets/training/pruning_content.h"

#include <QCoreApplication>
#include <functional>

#include "widgets/labels/label_colors.h"

namespace tl::ui {
namespace {

QString pruning_words(const char* text) { return QCoreApplication::translate("tl::ui::PruningPlots", text); }

// All steps that are planned.
PlotAxis steps_axis(const train::PruningProgress& progress) {
  return {pruning_words("step"), {}, static_cast<double>(progress.steps)};
}

PlotSeries over_steps(const QString& name, const train::PruningProgress& progress,
                      const std::function<double(const train::PrunedState&)>& read) {
  PlotSeries series{name, {}, {}};
  for (const train::PrunedState& state : progress.states) {
    series.x.push_back(static_cast<double>(state.step));
    series.y.push_back(read(state));
  }
  return series;
}

}  // namespace

PlotContent pruned_f1_content(const train::PruningProgress& progress) {
  PlotContent content{pruning_words("F1"), steps_axis(progress), {pruning_words("F1"), {}}};
  if (progress.states.empty() || !progress.states.front().trained) return content;
  LabelTable table;
  table.classes = progress.classes;
  for (std::size_t c = 0; c < progress.classes.size(); ++c) {
    const int64_t number = progress.classes[c].number;
    QString name = label_name(table, number);
    if (name.isEmpty()) name = pruning_words("class %1").arg(number);
    content.series.push_back(
        over_steps(name, progress, [c](const train::PrunedState& s) { return s.trained->f1.at(c); }));
    content.series.back().own_color = label_rgb(table, number);
  }
  content.series.push_back(
      over_steps(pruning_words("mean"), progress, [](const train::PrunedState& s) { return s.trained->macro_f1; }));
  content.series.back().color = Token::text;
  PlotSeries training{pruning_words("mean in training"), progress.trained_at, progress.macro_f1};
  training.color = Token::text;
  training.stroke = PlotStroke::dotted;
  training.weight = PlotWeight::faint;
  content.series.push_back(std::move(training));
  return content;
}

PlotContent kept_content(const train::PruningProgress& progress) {
  PlotContent content{
      pruning_words("What is left [%]"), steps_axis(progress), {pruning_words("share"), QStringLiteral("%")}};
  if (progress.states.empty()) return content;
  const auto all = static_cast<double>(progress.states.front().parameters);
  content.series.push_back(
      over_steps(pruning_words("asked for"), progress, [](const train::PrunedState& s) { return 100 * s.asked; }));
  content.series.back().color = Token::text_second;
  content.series.back().stroke = PlotStroke::dashed;
  content.series.back().weight = PlotWeight::faint;
  content.series.push_back(
      over_steps(pruning_words("filters"), progress, [](const train::PrunedState& s) { return 100 * s.kept; }));
  content.series.back().color = Token::busy;
  content.series.push_back(over_steps(pruning_words("parameters"), progress, [all](const train::PrunedState& s) {
    return 100 * static_cast<double>(s.parameters) / all;
  }));
  content.series.back().color = Token::learnable;
  return content;
}

}  // namespace tl::ui
