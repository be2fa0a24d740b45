// The page that finds parameters: its texts, its result, and how learning is started.
#include "widgets/learning/learning_spec.h"

#include <QCoreApplication>
#include <array>
#include <limits>

#include "widgets/jobs/value_rows.h"
#include "widgets/language/translated.h"
#include "widgets/text/found_text.h"

namespace tl::ui {
namespace {

constexpr std::array methods{learn::Method::automatic, learn::Method::newton,   learn::Method::lbfgs,
                             learn::Method::adam,      learn::Method::nesterov, learn::Method::sgd};
constexpr int max_iterations = 100'000, max_restarts = 100;

QString learning_words(const char* text) { return QCoreApplication::translate("tl::ui::LearningPage", text); }

QString step_text(const LearningSession& learning) {
  if (learning.progress().empty()) return learning_words("Preparing data…");
  const learn::Progress& last = learning.progress().back();
  const QString where = last.phase == learn::Progress::Phase::survey   ? learning_words("coarse survey")
                        : last.phase == learn::Progress::Phase::errors ? learning_words("estimating uncertainties")
                        : last.descent > 0 ? learning_words("descent %1").arg(last.descent + 1)
                                           : learning_words("descent");
  return learning_words("%1 · iteration %2 · loss %3 · %4 s")
      .arg(where)
      .arg(last.iteration)
      .arg(last.loss, 0, 'g', 6)
      .arg(last.seconds, 0, 'f', 1);
}

QString ended_text(const learn::Learned& l) {
  return learning_words("%1 in %2 s · %3")
      .arg(iterations_text(l.iterations))
      .arg(l.seconds, 0, 'f', 2)
      .arg(translated(learn::words(l.reason)));
}

QString unsaved_text(const LearningSession& learning) {
  if (!learning.is_busy())
    return learning_words("The learned values were neither accepted nor rejected. They are lost.");
  return learning_words("Parameters are being learned (%1 iterations so far). The values found so far are lost.")
      .arg(learning.progress().size());
}

void fill(const LearningSession& learning, ValueRows& rows) {
  const learn::Learned& learned = learning.end()->learned;
  for (const learn::Found& found : learned.found) {
    rows.add_judged_row(learning.title_of(found.node, found.name), found_text(found),
                        {trust_word(found.trust), trust_tone(found.trust), trust_meaning(found.trust)});
    rows.add_note(translated(found.explanation));
    if (found.derivative == learn::Derivative::differences)
      rows.add_note(
          learning_words("Gradient by finite differences: a node between it and the objective is not differentiable."));
  }
  for (const learn::Combination& c : learned.combinations) rows.add_note(translated(c.text));
  if (learned.found.size() > 1 && learned.condition > 0)
    rows.add_note(learning_words("Condition number %1").arg(learned.condition, 0, 'g', 3));
  const QString why_not = learning.unacceptable();
  rows.add_note(why_not.isEmpty()
                    ? learning_words("Accept writes this result into the pipeline; until then the views show it.")
                    : why_not);
}

}  // namespace

JobSpec learning_spec(LearningSession& l, LearningStart& start) {
  JobSpec spec;
  spec.page = learning_words("Learning");
  spec.tab = learning_words("Parameters");
  spec.tab_help = learning_words("Finds numbers of the nodes, such as the rotation axis");
  spec.start_text = [&l] {
    return l.state() == JobState::ended ? learning_words("Learn again") : learning_words("Learn");
  };
  spec.start_help = learning_words("Finds the marked parameters (F6)");
  spec.best_help = learning_words("Ends with the best values so far, their uncertainties and verdicts");
  spec.stop_help = learning_words("Ends without a result (Ctrl+.)");
  spec.obstacle = [&start] { return start.why_not(); };
  spec.start = [&start](QWidget*) { start.learn(); };
  spec.waiting = [&start] { return start.waiting_text(); };
  spec.stop = [&start] { start.stop(); };
  spec.step = [&l] { return step_text(l); };
  spec.finishing = learning_words("Estimating uncertainties…");
  spec.idle = [&l, &start] { return l.state() == JobState::ended ? ended_text(l.end()->learned) : start.idle_text(); };
  spec.unsaved = [&l] { return unsaved_text(l); };
  spec.result = learning_words("What was found");
  spec.fill_result = [&l](ValueRows& rows) { fill(l, rows); };
  spec.result_buttons = [&l]() -> std::vector<ResultButton> {
    const bool is_good = l.unacceptable().isEmpty();
    return {
        {learning_words("Accept"), learning_words("Writes the values into the pipeline: one step that can be undone"),
         ResultButton::Role::primary, true, is_good, [&l](QWidget*) { return l.accept(), QString(); }},
        {is_good ? learning_words("Reject") : learning_words("Close"),
         learning_words("Does not change the pipeline; the run is kept in the history"), ResultButton::Role::normal,
         true, true, [&l](QWidget*) { return l.reject(), QString(); }}};
  };
  return spec;
}

JobForm* learning_options(LearningSession& l, QWidget* parent) {
  using Settings = learn::Settings;
  auto* form = new JobForm(l, parent);
  const auto change = [&l](const std::function<void(Settings&)>& edit) {
    l.change(learning_words("Change how it is learned"), edit);
  };
  const auto setter = [change](const std::function<void(Settings&, double)>& set) {
    return [change, set](double value) { change([&](Settings& s) { set(s, value); }); };
  };
  form->fold(learning_words("How it is learned"));
  std::vector<JobForm::ListItem> items;
  for (const learn::Method m : methods) items.push_back({method_name(m), static_cast<int>(m)});
  form->add_list(
      learning_words("Method"), learning_words("Automatic: Newton for a few numbers, L-BFGS for many."), items,
      [&l] { return static_cast<int>(l.settings().method); },
      [change](const QVariant& m) { change([&](Settings& s) { s.method = static_cast<learn::Method>(m.toInt()); }); });
  form->add_number(
      {learning_words("At most"), learning_words("Iterations of one descent."), 1, max_iterations,
       learning_words(" iterations")},
      [&l] { return static_cast<double>(l.settings().stop.iterations); },
      setter([](Settings& s, double v) { s.stop.iterations = static_cast<int64_t>(v); }));
  form->add_number(
      {learning_words("Restarts"), learning_words("Further descents, from points drawn within reach."), 0,
       max_restarts},
      [&l] { return static_cast<double>(l.settings().restarts); },
      setter([](Settings& s, double v) { s.restarts = static_cast<int>(v); }));
  const auto add_share = [&](const QString& title, const QString& help, double learn::Subsets::*member) {
    form->add_number(
        {title, help, 1, 100, QStringLiteral(" %")}, [&l, member] { return 100 * l.settings().subsets.*member; },
        setter([member](Settings& s, double v) { s.subsets.*member = v / 100; }));
  };
  add_share(learning_words("Views each time"), learning_words("The share of the views that an iteration sees."),
            &learn::Subsets::views);
  add_share(learning_words("Rows each time"), learning_words("The share of the detector rows that an iteration sees."),
            &learn::Subsets::rows);
  form->add_number(
      {learning_words("Seed"), learning_words("Seed of all random numbers: the same seed gives the same run."), 0,
       std::numeric_limits<int>::max()},
      [&l] { return static_cast<double>(l.settings().seed); },
      setter([](Settings& s, double v) { s.seed = static_cast<uint64_t>(v); }));
  form->add_check(
      learning_words("Look for other optima first"), [&l] { return l.settings().survey == learn::Survey::coarse; },
      [change](bool on) { change([&](Settings& s) { s.survey = on ? learn::Survey::coarse : learn::Survey::none; }); });
  form->add_check(
      learning_words("Estimate uncertainties"), [&l] { return l.settings().errors == learn::Errors::sandwich; },
      [change](bool on) {
        change([&](Settings& s) { s.errors = on ? learn::Errors::sandwich : learn::Errors::none; });
      });
  form->refresh();
  return form;
}

}  // namespace tl::ui
