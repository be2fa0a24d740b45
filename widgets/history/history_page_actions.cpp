// Actions of the history's buttons on the selected entries: repeat, compare, locate, delete.
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

#include "core/history/comparison.h"
#include "core/history/recorder.h"
#include "core/history/report/entry_report.h"
#include "widgets/history/compare_dialog.h"
#include "widgets/history/history_page.h"
#include "widgets/history/report_file.h"
#include "widgets/text/amounts.h"

namespace tl::ui {

void HistoryPage::repeat_selected() {
  const ListedEntry* const one = single();
  if (one == nullptr || one->entry.digest.empty()) return;
  in_background([this, id = one->entry.id, store = store_] {
    const Result<history::Entry> entry = store.get(id);
    const Result<Graph> graph =
        entry.ok() ? history::pipeline_of(entry.value(), Registry::all()) : Result<Graph>(entry.error());
    return [this, graph] {
      if (graph.ok()) {
        Q_EMIT repeat_wanted(graph.value());
      } else {
        show_error(graph.error());
      }
    };
  });
}

// Collected in the background, which may reconstruct a slice; painted here, since a PDF needs fonts.
void HistoryPage::report_selected() {
  const ListedEntry* const one = single();
  if (one == nullptr) return;
  const int64_t id = one->entry.id;
  const QString name = QFileInfo(QString::fromStdString(history::name_of(one->entry))).completeBaseName();
  const QString path = ask_for_report_file(this, name + QStringLiteral("_report"));
  if (path.isEmpty()) return;
  in_background([this, id, path, store = store_, cancel = cancel_] {
    const Result<history::Entry> entry = store.get(id);
    io::ProtectedFiles files;
    Result<history::Report> report = entry.ok() ? history::Report() : Result<history::Report>(entry.error());
    if (entry.ok()) {
      for (const std::vector<history::File>* list : {&entry.value().inputs, &entry.value().outputs})
        for (const history::File& file : *list) files.add(file.path, "a file of the entry");
      report = history::report_of(entry.value(), Registry::all(), history::SliceBefore::compute, cancel);
    }
    const io::OutputRules rules{io::Overwrite::replace, std::make_shared<const io::ProtectedFiles>(std::move(files))};
    return [this, report = std::move(report), path, rules] {
      const Result<void> written =
          report.ok() ? write_report_file(report.value(), path, [rules] { return rules; }) : report.error();
      if (!written.ok()) return show_error(written.error());
      Q_EMIT report_written(path);
    };
  });
}

void HistoryPage::compare_selected() {
  const std::vector<int64_t> ids = selected_ids();
  if (ids.size() != 2) return;
  auto* dialog = new CompareDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
  const CancelToken cancel = dialog->cancel_token();
  in_background([this, ids, store = store_, cancel, dialog = QPointer(dialog)] {
    // The older entry is the first one.
    const Result<history::Entry> second = store.get(ids[0]), first = store.get(ids[1]);
    const auto compared = !first.ok()    ? Result<history::Comparison>(first.error())
                          : !second.ok() ? Result<history::Comparison>(second.error())
                                         : history::compare(first.value(), second.value(), Registry::all(), cancel);
    return [this, first, second, compared, dialog] {
      if (dialog == nullptr) return;
      if (compared.ok()) {
        dialog->show_result(first.value(), second.value(), compared.value());
        return;
      }
      dialog->close();
      if (compared.error().kind != ErrorKind::cancelled) show_error(compared.error());
    };
  });
}

void HistoryPage::locate_selected() {
  const ListedEntry* const one = single();
  if (one == nullptr) return;
  const int64_t id = one->entry.id;
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder in which to search for the files"));
  if (folder.isEmpty()) return;
  in_background([this, id, folder = folder.toStdString(), store = store_, cancel = cancel_] {
    const Result<int> found = history::locate(store, id, folder, cancel);
    return [this, found] {
      if (!found.ok()) show_error(found.error());
      if (found.ok() && found.value() == 0)
        QMessageBox::information(this, tr("Not found"), tr("None of the files lies in that folder."));
      refresh();
    };
  });
}

void HistoryPage::delete_selected() {
  const std::vector<int64_t> ids = selected_ids();
  if (ids.empty()) return;
  in_background([this, ids, store = store_] {
    const Result<history::DeletionPlan> plan = history::plan_deletion(store, ids);
    return [this, ids, plan] {
      if (plan.ok()) {
        ask_and_delete(ids, plan.value());
      } else {
        show_error(plan.error());
      }
    };
  });
}

void HistoryPage::ask_and_delete(const std::vector<int64_t>& ids, const history::DeletionPlan& plan) {
  QMessageBox box(QMessageBox::NoIcon, tr("Delete"),
                  ids.size() == 1 ? tr("Delete this entry?") : tr("Delete %1 entries?").arg(ids.size()),
                  QMessageBox::NoButton, this);
  QStringList details;
  for (const auto& file : plan.files) details << QString::fromStdString(file.string());
  for (const auto& [file, why] : plan.not_deleted)
    details << tr("%1 stays: %2").arg(QString::fromStdString(file.string()), QString::fromStdString(why));
  constexpr qsizetype most_lines = 12;
  if (details.size() > most_lines) {
    const qsizetype more = details.size() - most_lines;
    details = details.mid(0, most_lines) << tr("and %1 more").arg(more);
  }
  box.setInformativeText(details.join(QLatin1Char('\n')));
  QPushButton* with_files = plan.files.empty()
                                ? nullptr
                                : box.addButton(tr("Also delete files, which frees %1").arg(bytes_text(plan.bytes)),
                                                QMessageBox::DestructiveRole);
  QPushButton* entries = box.addButton(tr("Delete from the history only"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  const bool erases = with_files != nullptr && box.clickedButton() == with_files;
  if (!erases && box.clickedButton() != entries) return;
  in_background([this, ids, erases, store = store_] {
    std::optional<Error> error;
    if (erases) {
      if (const auto erased = history::delete_entries_with_files(store, ids); !erased.ok()) error = erased.error();
    } else if (const auto removed = store.remove(ids); !removed.ok()) {
      error = removed.error();
    }
    return [this, error] {
      if (error) show_error(*error);
      refresh();
    };
  });
}

}  // namespace tl::ui
