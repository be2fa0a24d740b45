// The page that prunes a network: its texts, its steps, its result, and the questions before something is lost.
#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/value_rows.h"
#include "widgets/language/translated.h"
#include "widgets/session/loss_question.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/training/network_content.h"
#include "widgets/training/network_pages.h"

namespace tl::ui {
namespace {

struct PruningWords {
  Q_DECLARE_TR_FUNCTIONS(PruningPage)
};
QString pruning_words(const char* text) { return PruningWords::tr(text); }

QString step_text(const PruningSession& pruning) {
  const jobs::PruningJob::Progress& p = pruning.progress();
  const int64_t steps = pruning.begun_with().steps;
  QString text = pruning_words("step %1 of %2")
                     .arg(std::clamp<int64_t>(static_cast<int64_t>(p.states.size()), 1, steps))
                     .arg(steps);
  if (p.seconds_left >= 0) text += pruning_words(" · at most %1 left").arg(duration_text(p.seconds_left));
  return text;
}

QString macro_f1_text(const std::optional<train::EpochScores>& scores) {
  return scores && std::isfinite(scores->macro_f1) ? QString::number(scores->macro_f1, 'f', 3) : QString();
}
// In five characters or so.
QString amount_text(int64_t count) {
  constexpr int64_t max_digits = 100'000;
  if (count < max_digits) return QString::number(count);
  const double millions = static_cast<double>(count) / 1e6;
  return pruning_words("%1 M").arg(millions, 0, 'f', millions < 10 ? 2 : 1);
}
QString operations_text(double billions) {
  if (!std::isfinite(billions)) return {};
  return QString::number(billions, 'f', billions >= 10 ? 1 : billions >= 0.1 ? 2 : 4);
}
QString chains_text() {
  return pruning_words(
      "The method alone would have cut most paths through the network: the strongest whole chains of filters were "
      "kept.");
}

JobTableSpec table_of(const PruningSession& p) {
  using State = train::PrunedState;
  const auto says = [](const char* text) { return [text] { return pruning_words(text); }; };
  const auto of = [&p](const std::function<QString(const State&)>& text) {
    return [&p, text](std::size_t row) { return text(p.progress().states.at(row)); };
  };
  const auto has_scores = [&p] {
    return !p.progress().states.empty() && p.progress().states.front().trained.has_value();
  };
  JobTableSpec table;
  table.name = pruning_words("Steps of the pruning");
  table.rows = [&p] { return p.progress().states.size(); };
  table.columns = {
      {pruning_words("Step"), says("Step of the pruning; 0: the original network"),
       of([](const State& s) { return QString::number(s.step); })},
      {pruning_words("Filters"), says("Remaining filters, as a share of the filters that can be pruned"),
       of([](const State& s) { return QString::number(s.filters); })},
      {QStringLiteral("%"), says("Share of the filters that is left, in per cent"),
       of([](const State& s) { return QString::number(100 * s.kept, 'f', 1); })},
      {pruning_words("Param."), says("Parameters: numbers in filters, biases and scales"),
       of([](const State& s) { return amount_text(s.parameters); })},
      {pruning_words("GFLOP"),
       [&p] { return pruning_words("Operations for a slice of %1 pixels, in 10^9").arg(p.slice_pixels()); },
       of([&p](const State& s) {
         return operations_text(s.operations * static_cast<double>(p.slice_pixels()) / 1e9);
       })},
      {pruning_words("F1 cut"), says("Macro F1 on the validation data, after filters were removed and before training"),
       of([](const State& s) { return macro_f1_text(s.cut); }), has_scores},
      {pruning_words("F1"), says("Macro F1 on the validation data, after training"),
       of([](const State& s) { return macro_f1_text(s.trained); }), has_scores}};
  table.row_help = of([](const State& s) { return s.whole_chains ? chains_text() : QString(); });
  return table;
}

// Asks before existing files are replaced.
bool may_replace(const PrunedOutput& output, QWidget* asks) {
  QStringList there;
  for (const QString& file : {output.network, output.report})
    if (QFileInfo::exists(file)) there << QFileInfo(file).fileName();
  if (there.isEmpty()) return true;
  QMessageBox box(QMessageBox::NoIcon, pruning_words("The output exists"),
                  pruning_words("Replace %1?").arg(there.join(pruning_words(" and "))), QMessageBox::NoButton, asks);
  box.setTextFormat(Qt::PlainText);
  QPushButton* replace = box.addButton(pruning_words("Replace"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == replace;
}

QString save(PruningSession& pruning, QWidget* asks) {
  if (!may_replace(pruning.output(), asks)) return {};
  const Result<void> saved = pruning.save();
  return saved.ok() ? QString() : pruning_words("Not saved: %1").arg(error_text(saved.error()));
}

void fill(const PruningSession& pruning, ValueRows& rows) {
  const jobs::PruningJob::Progress& p = pruning.progress();
  const train::PrunedState &first = p.states.front(), &last = p.states.back();
  using Weight = ValueRows::Weight;
  rows.add_row(pruning_words("Filters"), pruning_words("%1 of %2").arg(last.filters).arg(first.filters),
               Weight::strong);
  rows.add_row(pruning_words("Parameters"), pruning_words("%1 of %2").arg(last.parameters).arg(first.parameters),
               Weight::normal);
  if (first.trained && last.trained)
    rows.add_row(
        pruning_words("Macro F1"),
        pruning_words("%1, was %2").arg(last.trained->macro_f1, 0, 'f', 3).arg(first.trained->macro_f1, 0, 'f', 3),
        Weight::normal);
  rows.add_note(pruning_words("%1 steps in %2.").arg(p.states.size() - 1).arg(duration_text(pruning.end()->seconds)));
  const auto chains =
      std::count_if(p.states.begin(), p.states.end(), [](const train::PrunedState& s) { return s.whole_chains; });
  if (chains > 0)
    rows.add_note(
        pruning_words("In %1 of them the method alone would have cut most paths through the network: the strongest "
                      "whole chains of filters were kept.")
            .arg(chains));
  for (const std::string& warning : p.warnings) rows.add_note(translated(warning));
  const PrunedOutput output = pruning.output();
  rows.add_note((pruning.saved_as() ? pruning_words("Saved as %1, with the report %2.")
                                    : pruning_words("Save writes %1, and the report %2."))
                    .arg(QFileInfo(output.network).fileName(), QFileInfo(output.report).fileName()));
}

std::vector<ResultButton> result_buttons(PruningSession& p) {
  using enum ResultButton::Role;
  const bool is_saved = p.saved_as().has_value();
  const std::string node = p.network_node();
  const auto use = [&p](QWidget* asks) {
    const QString wrong = p.saved_as() ? QString() : save(p, asks);
    p.use();  // only what is saved
    return wrong;
  };
  return {{pruning_words("Save"),
           pruning_words("Saves the network, and the report with norm and fate of every filter next to it"),
           is_saved ? normal : primary, !is_saved, true, [&p](QWidget* asks) { return save(p, asks); }},
          {pruning_words("Use it"),
           node.empty()
               ? pruning_words("No node of this pipeline applies a network")
               : pruning_words("Saves the network if it is not saved, and sets it in the node %1: one step that can "
                               "be undone")
                     .arg(QString::fromStdString(node)),
           is_saved ? primary : normal, !node.empty(), true, use},
          {is_saved ? pruning_words("Close") : pruning_words("Reject"),
           is_saved ? pruning_words("Discards the network; its files are kept")
                    : pruning_words("Discards the network; the pipeline is not changed"),
           normal, true, true, [&p](QWidget*) { return p.reject(), QString(); }}};
}

}  // namespace

JobSpec pruning_spec(PruningSession& p) {
  JobSpec spec;
  spec.page = pruning_words("Pruning of a network");
  spec.tab = pruning_words("Prune");
  spec.tab_help = pruning_words("Makes a smaller and faster network of a trained one");
  spec.form = [&p](QWidget* parent) { return pruning_form(p, parent); };
  spec.start_text = [&p] {
    return p.state() == JobState::ended ? pruning_words("Prune again") : pruning_words("Prune");
  };
  spec.start_help = pruning_words("Makes a smaller network from this one, which is not changed");
  spec.pause_help = pruning_words("After the current step; the cores are free until you resume");
  spec.stop_help = pruning_words("Ends without a network; the original one is not changed");
  spec.bar = pruning_words("Progress of the pruning");
  spec.start = [&p](QWidget* asks) {
    const LossQuestion question{pruning_words("The pruned network"),
                                pruning_words("A new pruning discards the pruned network."),
                                pruning_words("It is not saved."), pruning_words("Discard and prune")};
    if (!p.is_unsaved() || confirm_loss(asks, question)) p.start();
  };
  spec.step = [&p] { return step_text(p); };
  spec.reading = [&p] {
    return p.begun_with().epochs > 0 ? pruning_words("Computing the volumes that have labels…")
                                     : pruning_words("Reading the network…");
  };
  spec.stopping = pruning_words("Stopping…");
  spec.activity = pruning_words("pruning");
  spec.activity_reading = pruning_words("reading");
  spec.ended = [&p] {
    const auto& states = p.progress().states;
    return pruning_words("The network is pruned: %1 of %2 filters are left")
        .arg(states.back().filters)
        .arg(states.front().filters);
  };
  spec.failed = pruning_words("Not pruned: %1");
  spec.unsaved = [&p, look = spec] {
    if (!p.is_busy()) return pruning_words("The pruned network is not saved.");
    return pruning_words("A network is being pruned (%1). It ends without a result.")
        .arg(job_activity(p, look).section(QStringLiteral(" · "), 1));
  };
  spec.result = pruning_words("The pruned network");
  spec.fill_result = [&p](ValueRows& rows) { fill(p, rows); };
  spec.result_buttons = [&p] { return result_buttons(p); };
  spec.table = table_of(p);
  spec.curves = {{pruning_words("F1 of each class over the steps of the pruning"),
                  [&p] { return pruned_f1_content(p.progress()); },
                  // Without data to measure F1: no plot.
                  [&p] {
                    const auto& states = p.progress().states;
                    return states.empty() ? p.trains() : states.front().trained.has_value();
                  }},
                 {pruning_words("What is left of the network over the steps of the pruning"),
                  [&p] { return kept_content(p.progress()); }}};
  spec.curve_points = [&p] { return p.progress().states.size() + p.progress().macro_f1.size(); };
  return spec;
}

}  // namespace tl::ui
