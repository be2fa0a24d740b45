// The page that trains a network: its texts, its result, and the questions before something is lost.
#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/value_rows.h"
#include "widgets/language/translated.h"
#include "widgets/session/loss_question.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/training/network_content.h"
#include "widgets/training/network_pages.h"

namespace tl::ui {
namespace {

using Unfinished = TrainingSession::Unfinished;

struct TrainingWords {
  Q_DECLARE_TR_FUNCTIONS(TrainingPage)
};
QString tr(const char* text) { return TrainingWords::tr(text); }

QString epoch_text(const TrainingSession& training) {
  const jobs::TrainingJob::Progress& p = training.progress();
  const int64_t epochs = training.plan().epochs;
  QString text = tr("epoch %1 of %2").arg(std::min(static_cast<int64_t>(p.curves.size()) + 1, epochs)).arg(epochs);
  if (p.seconds_left >= 0) text += tr(" · at most %1 left").arg(duration_text(p.seconds_left));
  return text;
}

QString when_text(int64_t epochs) {
  return epochs == 0 ? tr("in its first epoch") : epochs == 1 ? tr("after 1 epoch") : tr("after %1 epochs").arg(epochs);
}

QString score_text(double score) { return std::isfinite(score) ? QString::number(score, 'f', 3) : tr("not measured"); }

QString end_text(train::TrainingEnd why) {
  return why == train::TrainingEnd::patience ? tr("no better epoch came")
         : why == train::TrainingEnd::taken  ? tr("the best was taken")
                                             : tr("all epochs");
}

const train::EpochScores& scores_of(const TrainingSession& training, int64_t epoch) {
  return training.progress().curves.at(static_cast<std::size_t>(epoch - 1));
}

bool can_resume(const TrainingSession& training) {
  return training.unfinished() == Unfinished::same_settings && training.obstacle().isEmpty();
}

// A new training replaces the network or the checkpoint of the previous one.
bool may_start(const TrainingSession& training, QWidget* asks) {
  if (training.state() == JobState::ended)
    return confirm_loss(asks, {tr("The trained network"), tr("A new training discards the trained network."),
                               tr("It is not saved: it was neither accepted nor rejected."), tr("Discard and train")});
  if (training.unfinished() == Unfinished::none || training.unfinished_epochs() == 0) return true;
  return confirm_loss(
      asks, {tr("The unfinished training"), tr("A new training replaces the checkpoint of the unfinished one."),
             tr("It stopped %1, and can be resumed from there.").arg(when_text(training.unfinished_epochs())),
             tr("Replace and train")});
}

QString idle_text(const TrainingSession& training) {
  if (QString why = training.obstacle(); !why.isEmpty()) return why;
  switch (training.unfinished()) {
    case Unfinished::same_settings:
      return tr("A training with these settings was stopped %1.").arg(when_text(training.unfinished_epochs()));
    case Unfinished::other_settings:
      return tr("A training with other settings was stopped here: Train starts again and replaces it.");
    case Unfinished::other_labels:
      return tr("A training on other strokes was stopped here: Train starts again and replaces it.");
    case Unfinished::none: break;
  }
  return {};
}

// Classes that the network predicts nowhere in the validation data: it is not recommended then. Empty: none.
QStringList missed_classes(const TrainingSession& training) {
  constexpr double least = 0.0005;  // shown as 0.000
  const std::vector<double>& f1 = scores_of(training, training.end()->best_epoch).f1;
  const std::vector<LabelClass>& classes = training.progress().classes;
  QStringList missed;
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (f1.at(c) < least) missed << class_name(classes[c]);
  return missed;
}

void fill(const TrainingSession& training, ValueRows& rows) {
  const jobs::TrainingJob::Progress& p = training.progress();
  const jobs::TrainingJob::End& end = *training.end();
  const train::EpochScores& best = scores_of(training, end.best_epoch);
  rows.add_row(tr("Macro F1"), score_text(best.macro_f1), ValueRows::Weight::strong);
  for (std::size_t c = 0; c < p.classes.size(); ++c)
    rows.add_class_row(class_name(p.classes[c]), score_text(best.f1.at(c)), class_color(p.classes[c]));
  rows.add_note(tr("Epoch %1 of %2, validation loss %3: %4 after %5.")
                    .arg(end.best_epoch)
                    .arg(p.curves.size())
                    .arg(best.validation_loss, 0, 'g', 3)
                    .arg(end_text(end.why), duration_text(end.seconds)));
  if (const QStringList missed = missed_classes(training); !missed.isEmpty())
    rows.add_note(tr("Not found in the validation data: %1. Label more of it, or train longer.")
                      .arg(missed.join(QStringLiteral(", "))));
  for (const std::string& warning : p.warnings) rows.add_note(translated(warning));
  const QString file = training.suggested_file();
  rows.add_note(file.isEmpty() ? tr("Accept asks for a file, saves the network, and sets it in the node Network.")
                               : tr("Accept saves it as %1 next to the pipeline, and sets it in the node Network.")
                                     .arg(QFileInfo(file).fileName()));
}

QString accept(TrainingSession& training, QWidget* asks) {
  QString file = training.suggested_file();
  if (file.isEmpty())
    file = ask_for_file(asks, {tr("Save the network"),
                               QStringLiteral("network.safetensors"),
                               tr("Networks (*.safetensors)"),
                               {".safetensors"}});
  if (file.isEmpty()) return {};
  const Result<void> saved = training.accept(file);
  return saved.ok() ? QString() : tr("Not saved: %1").arg(error_text(saved.error()));
}

QString unsaved_text(const TrainingSession& training, const JobSpec& spec) {
  if (training.state() == JobState::ended)
    return tr("The trained network is not saved: it was neither accepted nor rejected.");
  // The text of the status line without its first word.
  const QString where = job_activity(training, spec).section(QStringLiteral(" · "), 1);
  return training.keeps_checkpoint()
             ? tr("A network is being trained (%1). It can go on later from its checkpoint.").arg(where)
             : tr("A network is being trained (%1). What it has learned is lost.").arg(where);
}

}  // namespace

JobSpec training_spec(TrainingSession& t) {
  JobSpec spec;
  spec.page = tr("Training of a network");
  spec.tab = tr("Network");
  spec.tab_help = tr("Trains a segmentation network on painted labels and examples");
  spec.form = [&t](QWidget* parent) { return training_form(t, parent); };
  spec.start_text = [&t] {
    return can_resume(t) ? tr("Train from the start") : t.state() == JobState::ended ? tr("Train again") : tr("Train");
  };
  spec.start_help = tr("Trains a network on the labelled voxels");
  spec.pause_help = tr("After the current step; the cores are free until you resume");
  spec.best_help = tr("Ends with the best network so far");
  spec.stop_help = tr("Ends without a network; the checkpoint is kept, so that the training can be resumed");
  spec.bar = tr("Progress of the training");
  spec.buttons = {
      {tr("Resume"), tr("Resumes the stopped training; the result is the same as without the stop"),
       JobButton::ButtonPosition::first, [&t] { return can_resume(t); }, [&t] { t.resume(); }},
      {tr("Add the node Network"), tr("Adds it after the volume that has labels: one step that can be undone"),
       JobButton::ButtonPosition::last, [&t] { return !t.is_busy() && t.lacks_network_node(); },
       [&t] { t.add_network_node(); }}};
  spec.start = [&t](QWidget* asks) {
    if (may_start(t, asks)) t.start();
  };
  spec.step = [&t] { return epoch_text(t); };
  spec.reading = [] { return tr("Computing the volumes that have labels…"); };
  spec.finishing = tr("Taking the best network…");
  spec.stopping = tr("Stopping: the checkpoint is written…");
  spec.idle = [&t] { return idle_text(t); };
  spec.best = [&t] {
    const int64_t best = t.best_epoch();
    if (best == 0) return QString();
    return tr("best epoch %1 · macro F1 %2").arg(best).arg(scores_of(t, best).macro_f1, 0, 'f', 3);
  };
  spec.activity = tr("training");
  spec.activity_reading = tr("computing the volume");
  spec.ended = [&t] {
    return tr("The network is trained: macro F1 %1").arg(scores_of(t, t.end()->best_epoch).macro_f1, 0, 'f', 3);
  };
  spec.failed = tr("Not trained: %1");
  spec.unsaved = [&t, words = spec] { return unsaved_text(t, words); };
  spec.result = tr("The trained network");
  spec.fill_result = [&t](ValueRows& rows) { fill(t, rows); };
  spec.result_buttons = [&t]() -> std::vector<ResultButton> {
    const bool is_fit = t.state() != JobState::ended || missed_classes(t).isEmpty();
    return {{tr("Accept"), tr("Saves the network, and sets it in the node Network: one step that can be undone"),
             is_fit ? ResultButton::Role::primary : ResultButton::Role::normal, true, true,
             [&t](QWidget* asks) { return accept(t, asks); }},
            {tr("Reject"), tr("Discards the network; the pipeline is not changed"), ResultButton::Role::normal, true,
             true, [&t](QWidget*) { return t.reject(), QString(); }}};
  };
  spec.curves = {{tr("Losses over the epochs"), [&t] { return training_loss_content(t.progress()); }},
                 {tr("F1 of each class over the epochs"), [&t] { return f1_content(t.progress()); }}};
  spec.curve_points = [&t] { return t.progress().curves.size(); };
  return spec;
}

}  // namespace tl::ui
