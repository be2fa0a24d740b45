// The page of a sweep: its texts, its points as curve and table, and the best of them.
#include <QCoreApplication>
#include <limits>

#include "widgets/jobs/job_form.h"
#include "widgets/jobs/value_rows.h"
#include "widgets/language/translated.h"
#include "widgets/learning/learning_spec.h"
#include "widgets/text/amounts.h"

namespace tl::ui {
namespace {

QString sweep_words(const char* text) { return QCoreApplication::translate("tl::ui::SweepPage", text); }

QString values_text(const learn::SweepPoint& point) {
  QStringList values;
  for (const std::string& value : point.values) values << QString::fromStdString(value);
  return values.join(QStringLiteral(", "));
}
QString score_text(const learn::SweepPoint& point) {
  return point.score ? QString::number(*point.score, 'g', 6) : QString();
}

// Plotted over the parameter's value if one number varies, else over the number of the point.
PlotContent score_content(const SweepSession& s) {
  const auto& report = s.progress().report;
  PlotContent content{sweep_words("Score"), {sweep_words("point"), {}}, {sweep_words("score"), {}}};
  PlotSeries series{sweep_words("score"), {}, {}};
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    const auto* number = s.axes().size() == 1 ? std::get_if<Number>(&s.axes()[0].values[i]) : nullptr;
    if (number != nullptr) content.x.title = QString::fromStdString(s.axes()[0].param);
    series.x.push_back(number != nullptr ? number->value : static_cast<double>(i + 1));
    series.y.push_back(report.points[i].score.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  if (report.best) content.marks.push_back({PlotMark::Along::x, series.x.at(*report.best), 0, Token::accent});
  if (!series.x.empty()) content.series.push_back(std::move(series));
  return content;
}

}  // namespace

JobSpec sweep_spec(SweepSession& s) {
  const auto points = [&s]() -> const auto& { return s.progress().report.points; };
  JobSpec spec;
  spec.page = sweep_words("Sweep over parameters");
  spec.tab = sweep_words("Sweep");
  spec.tab_help = sweep_words("Runs the pipeline at every value of one or two parameters, and compares the scores");
  spec.form = [&s](QWidget* parent) {
    auto* form = new JobForm(s, parent);
    form->add_text(
        {sweep_words("Over"),
         sweep_words("node.parameter=first:last:count or node.parameter=a,b,c; a second "
                     "one after a semicolon"),
         QStringLiteral("fbp.cutoff=0.2:1:9")},
        [&s] { return s.over(); }, [&s](const QString& text) { s.set_over(text); });
    form->refresh();
    return form;
  };
  spec.start_text = [&s] { return s.state() == JobState::ended ? sweep_words("Sweep again") : sweep_words("Sweep"); };
  spec.start_help = sweep_words("Computes all points; the pipeline is not changed");
  spec.pause_help = sweep_words("After the current point; the cores are free until you resume");
  spec.best_help = sweep_words("Ends with the best point so far");
  spec.stop_help = sweep_words("Ends without a result; the points are kept, and the same sweep continues from them");
  spec.bar = sweep_words("Progress of the sweep");
  spec.start = [&s](QWidget*) { s.start(); };
  spec.step = [&s, points] {
    const QString left = s.progress().seconds_left < 0 ? QString() : duration_text(s.progress().seconds_left);
    return sweep_words("%1 points").arg(points().size()) +
           (left.isEmpty() ? left : sweep_words(" · %1 left").arg(left));
  };
  spec.reading = [] { return sweep_words("Preparing…"); };
  spec.finishing = sweep_words("Taking the best point…");
  spec.stopping = sweep_words("Stopping…");
  spec.activity = sweep_words("sweep");
  spec.activity_reading = sweep_words("preparing");
  spec.ended = [points] { return sweep_words("The sweep has ended: %1 points").arg(points().size()); };
  spec.failed = sweep_words("Not swept: %1");
  spec.unsaved = [] { return sweep_words("A sweep is in progress. Its points are kept."); };
  spec.result = sweep_words("The sweep");
  spec.fill_result = [&s, points](ValueRows& rows) {
    if (const auto best = s.progress().report.best)
      rows.add_row(values_text(points()[*best]), score_text(points()[*best]), ValueRows::Weight::strong);
    rows.add_note(sweep_words("%1 points in %2.").arg(points().size()).arg(duration_text(s.end()->seconds)));
    for (const auto& file : s.progress().report.files)
      rows.add_note(sweep_words("Wrote %1").arg(QString::fromStdString(file.filename().string())));
  };
  spec.result_buttons = [&s]() -> std::vector<ResultButton> {
    using enum ResultButton::Role;
    return {
        {sweep_words("Use the best"), sweep_words("Writes its values into the pipeline: one step that can be undone"),
         primary, s.has_best(), true, [&s](QWidget*) { return s.use_best(), QString(); }},
        {sweep_words("Close"), sweep_words("Does not change the pipeline; the files are kept"), normal, true, true,
         [&s](QWidget*) { return s.reject(), QString(); }}};
  };
  spec.curve_points = [points] { return points().size(); };
  spec.curves = {{sweep_words("Score over the points of the sweep"), [&s] { return score_content(s); }}};
  spec.table = {sweep_words("Points of the sweep"),
                spec.curve_points,
                {{sweep_words("Values"), [] { return sweep_words("Of the parameters that vary"); },
                  [points](std::size_t row) { return values_text(points()[row]); }},
                 {sweep_words("Score"), [] { return sweep_words("Smaller is better"); },
                  [points](std::size_t row) { return score_text(points()[row]); }}},
                [points](std::size_t row) { return translated(points()[row].error); }};
  return spec;
}

}  // namespace tl::ui
