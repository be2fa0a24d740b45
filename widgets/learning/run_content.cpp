// Run content: reads the progress of a run.
#include "widgets/learning/run_content.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "widgets/text/quantity_text.h"

namespace tl::ui {
namespace {

QString words(const char* text) { return QCoreApplication::translate("tl::ui::LearningPlots", text); }

// Earlier runs differ in line style as well as in colour.
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
constexpr double min_iterations = 4;
constexpr double min_sigmas = 6;  // minimum range of a parameter's axis, in standard deviations

using Read = std::function<std::optional<double>(double loss, const std::vector<learn::TargetValue>& values)>;

PlotAxis iterations() { return {words("iteration"), {}, min_iterations}; }

void add_records(PlotContent& content, const LearningSession& learning, const ShownRecords& shown,
                 const learn::Target* target) {
  const auto& records = learning.records();
  for (const std::size_t index : shown) {
    if (index >= records.size()) continue;
    const learn::RunRecord& record = records[index];
    learn::Curve curve = target == nullptr ? record.loss : learn::Curve{};
    for (std::size_t i = 0; target != nullptr && i < record.learned.found.size(); ++i)
      if (record.learned.found[i].node == target->node && record.learned.found[i].name == target->name)
        curve = record.parameters[i];
    if (curve.value.empty()) continue;
    const Look& look = looks.at(index % looks.size());
    PlotSeries series{words("run %1").arg(index + 1), curve.iteration, curve.value};
    series.color = look.color;
    series.stroke = look.stroke;
    series.weight = PlotWeight::faint;
    content.series.push_back(std::move(series));
  }
}

// A line per descent.
void add_steps(PlotContent& content, const LearningSession& learning, Token color, const Read& read) {
  int64_t descent = -1;
  for (const learn::Progress& p : learning.progress()) {
    if (p.phase != learn::Progress::Phase::descent) continue;
    const std::optional<double> y = read(p.loss, p.values);
    if (!y) continue;
    if (p.descent != descent) {
      descent = p.descent;
      PlotSeries series{descent == 0 ? words("this run") : words("descent %1").arg(descent + 1), {}, {}};
      series.color = color;
      series.weight = descent == 0 ? PlotWeight::strong : PlotWeight::faint;
      content.series.push_back(series);
    }
    content.series.back().x.push_back(static_cast<double>(p.iteration));
    content.series.back().y.push_back(*y);
  }
}

// Evaluations of an iteration are plotted between the previous iteration and it; those for the uncertainties after the
// last one. Evaluations of a survey before the start are not plotted.
void add_evaluations(PlotContent& content, const LearningSession& learning, const Read& read) {
  PlotSeries points{words("evaluations"), {}, {}};
  points.color = Token::text_second;
  points.stroke = PlotStroke::points;
  points.weight = PlotWeight::faint;
  double before = 0, last = 0;
  for (const learn::Progress& p : learning.progress()) {
    const bool step = p.phase == learn::Progress::Phase::descent;
    const double here = step ? static_cast<double>(p.iteration) : last + 1;
    if (step && here < before) before = here;  // the next descent
    const auto count = static_cast<double>(p.evaluated.size());
    const std::size_t first = step && p.iteration == 0 && !p.evaluated.empty() ? p.evaluated.size() - 1 : 0;
    for (std::size_t i = first; i < p.evaluated.size(); ++i) {
      const learn::Evaluated& e = p.evaluated[i];
      const std::optional<double> y = read(e.loss, e.values);
      if (e.data != learn::Evaluated::Data::all || !y) continue;
      points.x.push_back(before + (here - before) * static_cast<double>(i + 1) / count);
      points.y.push_back(*y);
    }
    before = here;
    last = std::max(last, here);
  }
  if (!points.x.empty()) content.series.push_back(std::move(points));
}

void mark_step(PlotContent& content, const LearningSession& learning) {
  if (const auto step = learning.shown_step())
    content.marks.push_back(
        {PlotMark::Along::x, static_cast<double>(learning.steps()[*step].iteration), 0, Token::text_second});
}

// Plot of a list with a value per view: of the step shown in the views, with the initial values faint below.
PlotContent list_content(const LearningSession& learning, const learn::Target& target) {
  const ParamDecl* decl = learning.declaration(target);
  PlotContent content{{}, {words("view"), {}}, {learning.title_of(target), unit_text(decl->unit)}};
  const auto line = [](const QString& name, const std::vector<double>& y) {
    PlotSeries series{name, {}, y};
    for (std::size_t i = 0; i < y.size(); ++i) series.x.push_back(static_cast<double>(i));
    return series;
  };
  std::vector<double> first, now;
  for (const learn::Progress& p : learning.progress())
    for (const learn::TargetValue& s : p.values) {
      if (s.node != target.node || s.name != target.name || p.phase != learn::Progress::Phase::descent) continue;
      if (first.empty()) first = s.value;
      now = s.value;
    }
  PlotSeries series = line(words("this run"), now);
  const auto step = learning.shown_step();
  if (step)
    for (const learn::TargetValue& s : learning.steps()[*step].values)
      if (s.node == target.node && s.name == target.name) series = line(words("step"), s.value);
  if (learning.state() == JobState::ended && !step)
    for (const learn::Found& f : learning.end()->learned.found)
      if (f.node == target.node && f.name == target.name) {
        series = line(words("found"), f.value);
        series.sigma = f.uncertainty;
      }
  series.color = Token::learnable;
  if (!series.y.empty()) content.series.push_back(std::move(series));
  if (!first.empty()) {
    PlotSeries start = line(words("start"), first);
    start.color = Token::text_second;
    start.stroke = PlotStroke::dashed;
    start.weight = PlotWeight::faint;
    content.series.push_back(std::move(start));
  }
  return content;
}

}  // namespace

std::optional<double> target_value(const std::vector<learn::TargetValue>& values, const learn::Target& target) {
  for (const learn::TargetValue& v : values) {
    if (v.node != target.node || v.name != target.name) continue;
    if (!v.shape.empty()) return v.size;
    if (v.value.size() == 1) return v.value[0];
  }
  return std::nullopt;
}

const learn::Found* determined(const LearningSession& learning, const learn::Target& target) {
  if (learning.state() != JobState::ended) return nullptr;
  for (const learn::Found& f : learning.end()->learned.found)
    if (f.node == target.node && f.name == target.name && f.value.size() == 1 && learn::is_determined(f.trust))
      return &f;
  return nullptr;
}

PlotContent loss_content(const LearningSession& learning, const ShownRecords& shown) {
  const QString objective = learning.objective_title();
  PlotContent content{objective.isEmpty() ? words("Loss") : objective, iterations(), {words("loss"), {}}};
  const Read read = [](double loss, const std::vector<learn::TargetValue>&) { return std::optional<double>(loss); };
  add_steps(content, learning, Token::learnable, read);
  add_evaluations(content, learning, read);
  double best = std::numeric_limits<double>::infinity(), worst = -best;
  for (const PlotSeries& series : content.series)
    for (const double y : series.y) {
      best = std::min(best, y);
      worst = std::max(worst, y);
    }
  if (best < worst) content.floor = best - below_best * (worst - best);
  add_records(content, learning, shown, nullptr);
  mark_step(content, learning);
  return content;
}

PlotContent parameter_content(const LearningSession& learning, const learn::Target& target, const ShownRecords& shown) {
  const ParamDecl* decl = learning.declaration(target);
  if (decl != nullptr && decl->per_view) return list_content(learning, target);
  PlotContent content{
      {}, iterations(), {learning.title_of(target), decl == nullptr ? QString() : unit_text(decl->unit)}};
  if (decl != nullptr && decl->kind == ParamKind::array)
    content.y.title = words("%1, root mean square").arg(content.y.title);
  const Read read = [&target](double, const std::vector<learn::TargetValue>& values) {
    return target_value(values, target);
  };
  add_steps(content, learning, Token::busy, read);
  add_evaluations(content, learning, read);
  add_records(content, learning, shown, &target);
  if (const learn::Found* f = determined(learning, target)) {
    const double sigma = f->uncertainty.empty() ? 0 : f->uncertainty[0];
    content.marks.push_back({PlotMark::Along::y, f->value[0], sigma, Token::accent});
    content.y.min_span = min_sigmas * sigma;
  }
  mark_step(content, learning);
  return content;
}

}  // namespace tl::ui
