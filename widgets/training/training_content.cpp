// Training content: walks the curves of a training.
#include "widgets/training/training_content.h"

#include <QCoreApplication>
#include <functional>

#include "widgets/labels/label_colors.h"

namespace tl::ui {
namespace {

constexpr double min_epochs = 4;

QString words(const char* text) { return QCoreApplication::translate("tl::ui::TrainingPlots", text); }

PlotSeries curve(const QString& name, const train::JobProgress& progress,
                 const std::function<double(const train::EpochScores&)>& read) {
  PlotSeries series{name, {}, {}};
  for (const train::EpochScores& scores : progress.curves) {
    series.x.push_back(static_cast<double>(series.x.size() + 1));
    series.y.push_back(read(scores));
  }
  return series;
}

PlotContent over_epochs(const QString& title, const train::JobProgress& progress) {
  PlotContent content{title, {words("epoch"), {}, min_epochs}, {title, {}}};
  if (const int64_t best = train::best_epoch_of(progress.curves); best > 0)
    content.marks.push_back({PlotMark::Along::x, static_cast<double>(best), 0, Token::text_second});
  return content;
}

}  // namespace

PlotContent training_loss_content(const train::JobProgress& progress) {
  PlotContent content = over_epochs(words("Loss"), progress);
  if (progress.curves.empty()) return content;
  content.series.push_back(
      curve(words("training"), progress, [](const train::EpochScores& e) { return e.training_loss; }));
  content.series.back().color = Token::busy;
  content.series.push_back(
      curve(words("validation"), progress, [](const train::EpochScores& e) { return e.validation_loss; }));
  content.series.back().color = Token::learnable;
  return content;
}

PlotContent f1_content(const train::JobProgress& progress) {
  PlotContent content = over_epochs(words("F1"), progress);
  if (progress.curves.empty()) return content;
  LabelTable table;
  table.classes = progress.classes;
  for (std::size_t c = 0; c < progress.classes.size(); ++c) {
    const int64_t number = progress.classes[c].number;
    QString name = label_name(table, number);
    if (name.isEmpty()) name = words("class %1").arg(number);
    content.series.push_back(curve(name, progress, [c](const train::EpochScores& e) { return e.f1.at(c); }));
    content.series.back().own_color = label_rgb(table, number);
  }
  PlotSeries mean = curve(words("mean"), progress, [](const train::EpochScores& e) { return e.macro_f1; });
  mean.color = Token::text;
  mean.stroke = PlotStroke::dashed;
  mean.weight = PlotWeight::faint;
  content.series.push_back(std::move(mean));
  return content;
}

}  // namespace tl::ui
