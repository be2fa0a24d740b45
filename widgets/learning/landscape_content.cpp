// Landscape content: curve, tangent, visited points, found value.
#include "widgets/learning/landscape_content.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/live/notification.h"
#include "widgets/learning/run_content.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {
namespace {

QString landscape_words(const char* text) { return QCoreApplication::translate("tl::ui::LandscapePanel", text); }

QString objective_of(const LearningSession& learning) {
  const QString title = learning.objective_title();
  return title.isEmpty() ? landscape_words("Loss") : title;
}

PlotAxis axis_of(const LearningSession& learning, const learn::Target& target) {
  const ParamDecl* decl = learning.declaration(target);
  return {learning.title_of(target), decl == nullptr ? QString() : unit_text(decl->unit)};
}

// The iterations of the first descent: for one number the loss, for two numbers the second number.
PlotSeries descent_path(const LearningSession& learning, const learn::Target& x, const learn::Target* y) {
  PlotSeries series{landscape_words("iterations"), {}, {}};
  series.color = Token::learnable;
  series.stroke = y == nullptr ? PlotStroke::points : PlotStroke::solid;
  for (const learn::Progress& p : learning.progress()) {
    if (p.phase != learn::Progress::Phase::descent || p.descent != 0) continue;
    const auto at_x = target_value(p.values, x);
    const auto at_y = y == nullptr ? std::optional<double>(p.loss) : target_value(p.values, *y);
    if (!at_x || !at_y) continue;
    series.x.push_back(*at_x);
    series.y.push_back(*at_y);
  }
  return series;
}

PlotSeries evaluations(const LearningSession& learning, const learn::Target& x, learn::Evaluated::Data data) {
  PlotSeries series{
      data == learn::Evaluated::Data::all ? landscape_words("evaluations") : landscape_words("coarse data"), {}, {}};
  series.color = Token::text_second;
  series.stroke = PlotStroke::points;
  series.weight = PlotWeight::faint;
  for (const learn::Progress& p : learning.progress())
    for (const learn::Evaluated& e : p.evaluated)
      if (const auto at = target_value(e.values, x); at && e.data == data) {
        series.x.push_back(*at);
        series.y.push_back(e.loss);
      }
  return series;
}

void add_between(PlotContent& content, PlotSeries series, double low, double high) {
  PlotSeries inside = series;
  inside.x.clear();
  inside.y.clear();
  for (std::size_t i = 0; i < series.x.size(); ++i)
    if (series.x[i] >= low && series.x[i] <= high) {
      inside.x.push_back(series.x[i]);
      inside.y.push_back(series.y[i]);
    }
  if (!inside.x.empty()) content.series.push_back(std::move(inside));
}

void add_marks(PlotContent& content, const LearningSession& learning, const learn::Target& target) {
  if (const learn::Found* f = determined(learning, target))
    content.marks.push_back(
        {PlotMark::Along::x, f->value[0], f->uncertainty.empty() ? 0 : f->uncertainty[0], Token::accent});
  if (const auto step = learning.shown_step())
    if (const auto at = target_value(learning.steps()[*step].values, target))
      content.marks.push_back({PlotMark::Along::x, *at, 0, Token::text_second});
}

// The tangent extends an eighth of the sweep's width to both sides of its centre.
void add_tangent(PlotContent& content, const learn::Landscape& l, const learn::Target& target,
                 const learn::GradientCheck& slope) {
  for (const auto& row : slope.rows) {
    if (row.node != target.node || row.name != target.name) continue;
    const double reach = (l.at[0].back() - l.at[0].front()) / 8;
    PlotSeries tangent{landscape_words("gradient"),
                       {row.value - reach, row.value + reach},
                       {slope.loss - row.gradient * reach, slope.loss + row.gradient * reach}};
    tangent.color = Token::warning;
    tangent.stroke = PlotStroke::dashed;
    content.series.push_back(std::move(tangent));
  }
}

PlotContent sweep_content(const LearningSession& learning, const live::LandscapeEnd& end) {
  const learn::Landscape& l = end.landscape;
  const learn::Target& target = end.request.settings.targets[end.request.targets[0]];
  PlotContent content{objective_of(learning), axis_of(learning, target), {landscape_words("loss"), {}}};
  content.series.push_back({landscape_words("landscape"), l.at[0], l.loss});
  if (end.slope) add_tangent(content, l, target, *end.slope);
  const double low = l.at[0].front(), high = l.at[0].back();
  if (end.request.settings.targets.size() == 1) {  // otherwise the others are elsewhere
    add_between(content, descent_path(learning, target, nullptr), low, high);
    add_between(content, evaluations(learning, target, learn::Evaluated::Data::all), low, high);
  }
  add_marks(content, learning, target);
  const auto [least, most] = std::minmax_element(l.loss.begin(), l.loss.end());
  if (*least < *most) content.floor = *least - 1e-4 * (*most - *least);
  return content;
}

PlotContent map_content(const LearningSession& learning, const live::LandscapeEnd& end) {
  const learn::Landscape& l = end.landscape;
  const auto& targets = end.request.settings.targets;
  const learn::Target &x = targets[end.request.targets[0]], &y = targets[end.request.targets[1]];
  PlotContent content{objective_of(learning), axis_of(learning, x), axis_of(learning, y)};
  content.map = PlotMap{l.at[0], l.at[1], l.loss, {landscape_words("loss"), {}}};
  if (PlotSeries line = descent_path(learning, x, &y); !line.x.empty()) content.series.push_back(std::move(line));
  return content;
}

}  // namespace

PlotContent landscape_content(const LearningSession& learning, const live::LandscapeEnd& end) {
  if (end.landscape.loss.empty()) return {};
  return end.landscape.at[1].empty() ? sweep_content(learning, end) : map_content(learning, end);
}

PlotContent visited_content(const LearningSession& learning, const learn::Target& target) {
  PlotContent content{objective_of(learning), axis_of(learning, target), {landscape_words("loss"), {}}};
  PlotSeries points = evaluations(learning, target, learn::Evaluated::Data::all);
  PlotSeries steps = descent_path(learning, target, nullptr);
  if (points.x.empty() && steps.x.empty()) {
    points = evaluations(learning, target, learn::Evaluated::Data::part);
    content.title = landscape_words("%1 · survey on coarse data").arg(content.title);
  }
  if (!points.x.empty()) content.series.push_back(std::move(points));
  if (!steps.x.empty()) content.series.push_back(std::move(steps));
  add_marks(content, learning, target);
  return content;
}

}  // namespace tl::ui
