// FileFlows: saves, and asks before work is lost: unsaved changes, running computations, a file that somebody else has
// changed meanwhile.
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "core/graph/graph_json.h"
#include "widgets/session/loss_question.h"
#include "widgets/session/save_dialog.h"
#include "widgets/session/strokes_files.h"
#include "widgets/text/error_text.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/files/pipeline_differences.h"
#include "widgets/window/files/window_records.h"
#include "widgets/window/state/message_model.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {

bool FileFlows::confirm_leaving(Leaving what) { return confirm_end_of_work(what) && confirm_unsaved_changes(); }

bool FileFlows::confirm_end_of_work(Leaving what) {
  goes_on_ = false;
  QStringList work = unfinished_work_ ? unfinished_work_(what) : QStringList();
  if (work.isEmpty()) return true;
  const bool closes = what == Leaving::window;
  const QString offer = closes && background_offer_ ? background_offer_() : QString();
  if (!offer.isEmpty()) work << offer;
  const LossAnswer answer =
      ask_about_loss(window_, {tr("Unfinished work"),
                               closes ? tr("Closing the window ends unfinished work.")
                                      : tr("Another pipeline ends the unfinished work on this one."),
                               work.join(QStringLiteral("\n\n")), closes ? tr("End and close") : tr("End and leave"),
                               offer.isEmpty() ? QString() : tr("Go on in the background")});
  goes_on_ = answer == LossAnswer::other;
  return answer != LossAnswer::stay;
}

void FileFlows::show_difference() {
  // Unsaved changes of the other window are in its copy.
  const auto others = records_.others_with(document_.path());
  const bool has_copy = !others.empty() && QFileInfo::exists(others.front().copy);
  const QString theirs = has_copy ? others.front().copy : document_.path();
  const Result<Graph> there = load_pipeline(theirs.toStdString(), document_.registry(), Completeness::kept);
  const QString name = QFileInfo(document_.path()).fileName();
  if (!there.ok()) return refuse(there.error());
  show_lines(window_,
             {has_copy ? tr("Unsaved changes of the other window of %1, as the file, and this window").arg(name)
                       : tr("The file %1 and this window").arg(name),
              pipeline_differences(there.value(), document_.graph(), document_.registry())});
}

bool FileFlows::confirm_unsaved_changes() {
  if (!document_.is_modified()) return true;
  QMessageBox box(QMessageBox::NoIcon, tr("Unsaved changes"), tr("Save the changes of %1?").arg(document_.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setInformativeText(tr("Unsaved changes will be lost."));
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save_before_leaving());
}

// Asks again until the changes are saved or the user decides otherwise: a failed save must not lose them unnoticed.
bool FileFlows::save_before_leaving() {
  QString path = document_.path();
  while (true) {
    if (path.isEmpty()) path = ask_for_path();
    if (path.isEmpty()) return false;
    const Result<void> saved = save_to(path);
    if (saved.ok()) return true;
    if (saved.error().kind == ErrorKind::cancelled) return false;
    const int answer = ask_after_failed_save(path, saved.error());
    if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
    path.clear();
  }
}

int FileFlows::ask_after_failed_save(const QString& path, const Error& error) {
  QMessageBox box(QMessageBox::NoIcon, tr("Not saved"), tr("%1 could not be saved.").arg(QFileInfo(path).fileName()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(error_text(error) + QStringLiteral(".\n\n") +
                         tr("The unsaved changes are still here. Save them elsewhere, or discard them."));
  box.button(QMessageBox::Save)->setText(tr("Save as…"));
  box.setDefaultButton(QMessageBox::Save);
  return box.exec();
}

FileFlows::Conflict FileFlows::ask_about_changed_file(const QString& path) {
  QMessageBox box(QMessageBox::NoIcon, tr("Changed by somebody else"),
                  tr("%1 was changed since it was opened here.").arg(QFileInfo(path).fileName()), QMessageBox::NoButton,
                  window_);
  box.setTextFormat(Qt::PlainText);
  QString text = tr("Overwriting it loses what another window or program has saved.");
  if (const auto others = records_.others_with(path); !others.empty())
    text = tr("It is open in another window: %1.").arg(owner_text(others.front())) + QLatin1Char(' ') + text;
  box.setInformativeText(text);
  const Result<Graph> there = load_pipeline(path.toStdString(), document_.registry(), Completeness::kept);
  box.setDetailedText(
      there.ok() ? pipeline_differences(there.value(), document_.graph(), document_.registry()).join(QLatin1Char('\n'))
                 : tr("The file no longer contains a pipeline: %1").arg(error_text(there.error())));
  QPushButton* elsewhere = box.addButton(tr("Save as…"), QMessageBox::AcceptRole);
  QPushButton* overwrite = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(elsewhere);
  box.exec();
  return box.clickedButton() == overwrite   ? Conflict::overwrite
         : box.clickedButton() == elsewhere ? Conflict::save_elsewhere
                                            : Conflict::cancel;
}

Result<void> FileFlows::save_to(QString path) {
  std::optional<QByteArray> may_be_overwritten;
  while (true) {
    // Prevents other windows from saving between the comparison and the end of this save.
    io::FileDescriptor lock = records_.lock_saving();
    const bool is_own = !document_.path().isEmpty() && QFileInfo(path) == QFileInfo(document_.path());
    if (!is_own || !document_.is_changed_on_disk() || may_be_overwritten == content_hash(path)) return write_to(path);
    may_be_overwritten = content_hash(path);
    lock.reset();
    const Conflict answer = ask_about_changed_file(path);
    if (answer == Conflict::save_elsewhere) path = ask_for_path();
    if (answer == Conflict::cancel || path.isEmpty()) return cancelled();
  }
}

Result<void> FileFlows::write_to(const QString& path) {
  // Strokes are stored next to the pipeline that they belong to.
  Result<void> saved = put_strokes_next_to(document_, path);
  if (saved.ok()) saved = document_.save(path);
  if (!saved.ok()) {
    messages_.add(LogLevel::error, {},
                  tr("%1 was not saved: %2").arg(QFileInfo(path).fileName(), error_text(saved.error())));
    return saved;
  }
  settings_.add_recent(path);
  messages_.add(LogLevel::info, {}, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
  Q_EMIT was_saved();
  return saved;
}

QString FileFlows::ask_for_path() {
  return ask_for_file(window_, {tr("Save the pipeline"),
                                document_.path(),
                                tr("Pipelines (*.json *.tomoloom)"),
                                {QStringLiteral(".json"), QStringLiteral(".tomoloom")}});
}

bool FileFlows::save() { return document_.path().isEmpty() ? save_as() : save_and_report(document_.path()); }

bool FileFlows::save_as() {
  const QString path = ask_for_path();
  return !path.isEmpty() && save_and_report(path);
}

bool FileFlows::save_and_report(const QString& path) {
  const Result<void> saved = save_to(path);
  if (!saved.ok() && saved.error().kind != ErrorKind::cancelled)
    Q_EMIT save_failed(QFileInfo(path).fileName(), error_text(saved.error()));
  return saved.ok();
}

}  // namespace tl::ui
