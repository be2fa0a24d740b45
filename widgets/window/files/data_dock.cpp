// DataDock: builds the dock, keeps the list, and shows the state of each scan in the queue.
#include "widgets/window/files/data_dock.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/many/scan_list.h"
#include "widgets/queue/queue_text.h"
#include "widgets/queue/watch_panel.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/window/state/settings.h"

namespace tl::ui {
namespace {

QString absolute(const QString& path) { return QDir::cleanPath(QFileInfo(path).absoluteFilePath()); }
QString decoded(const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); }

// A folder of scans, or a table of them.
bool stands_for_scans(const QString& path) {
  const QFileInfo file(path);
  return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ||
         (file.isDir() && !looks_like_scan(QFile::encodeName(path).toStdString()));
}

}  // namespace

DataDock::DataDock(const Parts& parts, QWidget* parent)
    : QWidget(parent),
      parts_(parts),
      tree_(new DataTree(parts.model, parts.selection, this)),
      watch_(new WatchPanel(parts.queue, this)),
      counts_(new QLabel(this)),
      note_(as_note(new QLabel(this))),
      queue_button_(new QPushButton(tr("Queue"), this)),
      listed_(parts.settings.listed_data()) {
  setAcceptDrops(true);
  auto* add = new QPushButton(tr("Add…"), this);
  add->setToolTip(tr("Lists scans and volumes; they may also be dropped here"));
  auto* menu = new QMenu(add);
  menu->addAction(tr("Files…"), this, &DataDock::choose_files);
  menu->addAction(tr("Folder of scans…"), this, &DataDock::choose_folder);
  menu->addAction(tr("Watch a folder…"), watch_, &WatchPanel::choose_folder);
  add->setMenu(menu);
  queue_button_->setToolTip(tr("The selected scans run through the pipeline that is open (Q)"));
  counts_->setProperty("role", "second");
  note_->setTextFormat(Qt::PlainText);
  note_->setContentsMargins(Theme::space(3), 0, Theme::space(2), 0);
  note_->hide();
  auto* head = framed(new QHBoxLayout, {3, 0, 2, 1});
  head->setSpacing(Theme::space(2));
  head->addWidget(add);
  head->addWidget(queue_button_);
  head->addStretch(1);
  head->addWidget(counts_);
  auto* column = spaced(new QVBoxLayout(this), 0);
  column->addLayout(head);
  column->addWidget(tree_, 1);
  column->addWidget(note_);
  column->addWidget(watch_);
  setFocusProxy(tree_);
  connect(queue_button_, &QPushButton::clicked, this, &DataDock::queue_selected);
  connect(tree_, &DataTree::queue_wanted, this, &DataDock::queue_selected);
  connect(tree_, &DataTree::open_wanted, this, &DataDock::open_wanted);
  connect(tree_, &DataTree::remove_wanted, this, &DataDock::remove);
  const auto show_selected = [this] { queue_button_->setEnabled(!tree_->selected_paths().isEmpty()); };
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, show_selected);
  connect(&parts_.model, &QAbstractItemModel::modelReset, this, [this, show_selected] {
    show_counts();
    show_selected();
  });
  connect(&parts_.queue, &QueueSession::rows_changed, this, &DataDock::show_states);
  connect(&parts_.queue, &QueueSession::forecasts_changed, this, &DataDock::show_states);
  connect(&parts_.queue, &JobSession::progressed, this, &DataDock::show_states);
  connect(&parts_.queue, &JobSession::state_changed, this, &DataDock::show_states);
  connect(&parts_.queue.watched(), &QueueWatch::finished, this, [this](const QStringList& scans) { list(scans); });
  parts_.watcher.set_listed(listed_);
  show_states();
  show_counts();
  show_selected();
}

int DataDock::list(const QStringList& paths) {
  QStringList now = listed_;
  say({});
  for (const QString& path : paths) {
    QStringList found = {absolute(path)};
    if (stands_for_scans(path)) {
      found.clear();
      const auto scans = scan_list({QFile::encodeName(absolute(path)).toStdString()});
      if (scans.ok())
        for (const ScanTask& task : scans.value()) found << absolute(decoded(task.scan));
      else if (QFileInfo(path).isDir())
        found << absolute(path);  // folder of slices, or a volume of another format
      else
        say(error_text(scans.error()));
    }
    for (const QString& one : found)
      if (!now.contains(one)) now << one;
  }
  const auto added = static_cast<int>(now.size() - listed_.size());
  keep(now);
  return added;
}

void DataDock::keep(const QStringList& paths) {
  listed_ = paths;
  parts_.settings.set_listed_data(listed_);
  parts_.watcher.set_listed(listed_);
}

void DataDock::remove(const QStringList& paths) {
  QStringList now = listed_;
  now.removeIf([&](const QString& one) { return paths.contains(one); });
  if (now != listed_) keep(now);
}

void DataDock::queue_selected() {
  const QStringList paths = tree_->selected_paths();
  if (paths.isEmpty()) return say(tr("Select scans first"));
  const auto is_volume = [&](const QString& path) {
    return std::any_of(parts_.model.scans().begin(), parts_.model.scans().end(),
                       [&](const ScanEntry& one) { return one.path == path && one.is_volume; });
  };
  QStringList scans = paths;
  scans.removeIf(is_volume);
  say(scans.size() < paths.size() ? tr("Volumes are not reconstructed: only scans go to the queue") : QString());
  if (!scans.isEmpty()) parts_.queue.add(scans);
}

void DataDock::choose_files() { list(QFileDialog::getOpenFileNames(this, tr("Scans and volumes"))); }

void DataDock::choose_folder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of scans"));
  if (!folder.isEmpty()) list({folder});
}

// The newest row of a scan determines its state.
void DataDock::show_states() {
  QHash<QString, EntryState> states;
  for (const tl::ScanRow& row : parts_.queue.rows()) {
    const RowText state = row_state_text(parts_.queue, row);
    states[decoded(row.scan)] = {state.first, state.first_color};
  }
  parts_.model.set_states(states);
}

void DataDock::show_counts() {
  const auto& all = parts_.model.scans();
  const auto volumes = std::count_if(all.begin(), all.end(), [](const ScanEntry& one) { return one.is_volume; });
  const auto scans = static_cast<qsizetype>(all.size()) - volumes;
  QStringList words;
  if (scans > 0) words << (scans == 1 ? tr("1 scan") : tr("%1 scans").arg(scans));
  if (volumes > 0) words << (volumes == 1 ? tr("1 volume") : tr("%1 volumes").arg(volumes));
  counts_->setText(words.join(QStringLiteral(" · ")));
}

void DataDock::say(const QString& text) {
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}

void DataDock::dragEnterEvent(QDragEnterEvent* event) {
  // Items dragged from the list itself are already in it.
  if (event->mimeData()->hasUrls() && event->source() != tree_) event->acceptProposedAction();
}

void DataDock::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  list(paths);
}

}  // namespace tl::ui
