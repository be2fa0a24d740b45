// HistoryPage: lists the history in the background, and shows its cards, filters and the selected entry.
#include "widgets/history/history_page.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSet>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/voxels/volume_info.h"
#include "widgets/history/history_card.h"
#include "widgets/history/history_filters.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int follow_ms = 300;         // [ms] delay after a change of the history file
constexpr int64_t most_cards = 2'000;  // older entries are found by search

// First volume among the outputs that still exists; tables, meshes and learned values are not volumes.
QString volume_of(const history::Entry& entry) {
  static const std::vector<std::string> ends = io::volume_extensions();
  for (const history::File& file : entry.outputs) {
    const QFileInfo found(QString::fromStdString(file.path));
    const bool is_volume = found.isDir() || std::any_of(ends.begin(), ends.end(), [&](const std::string& end) {
                             return found.fileName().endsWith(QString::fromStdString(end), Qt::CaseInsensitive);
                           });
    if (is_volume && history::presence_of(file) != history::Presence::missing) return found.filePath();
  }
  return {};
}

int64_t bytes_of(const std::vector<ListedEntry>& listed) {
  int64_t bytes = 0;
  for (const ListedEntry& one : listed) bytes += history::bytes_of(one.entry);
  return bytes;
}

QStringList verdicts_of(const std::vector<ListedEntry>& listed) {
  QSet<QString> all;
  for (const ListedEntry& one : listed)
    for (const history::Value& value : one.entry.values)
      if (!value.verdict.empty()) all.insert(QString::fromStdString(value.verdict));
  QStringList sorted = all.values();
  sorted.sort();
  return sorted;
}

}  // namespace

HistoryPage::HistoryPage(history::Store store, QWidget* parent)
    : QWidget(parent),
      store_(std::move(store)),
      model_(new HistoryModel(this)),
      filters_(new HistoryFilters(this)),
      cards_(new QListView(this)),
      count_(new QLabel(this)),
      note_(new QLabel(this)),
      selection_(new QLabel(this)),
      above_(new QWidget(this)),
      below_(new QWidget(this)),
      watcher_(new QFileSystemWatcher(this)),
      later_(new QTimer(this)) {
  disk_.setMaxThreadCount(1);
  setAccessibleName(tr("History"));
  const auto button = [this](const QString& text, const QString& tip, void (HistoryPage::*does)()) {
    auto* made = new QPushButton(text, this);
    made->setToolTip(tip);
    connect(made, &QPushButton::clicked, this, does);
    return made;
  };
  open_ = button(tr("Open"), tr("Show the voxels that were computed (Enter)"), &HistoryPage::open_selected);
  repeat_ = button(tr("Repeat"), tr("Open the pipeline with its scan and parameters"), &HistoryPage::repeat_selected);
  report_ = button(tr("Report…"), tr("A report of the entry: pipeline, parameters, slices, plots, times, references"),
                   &HistoryPage::report_selected);
  compare_ = button(tr("Compare 2"), tr("Compare parameters and voxels of two entries (select two with Ctrl+click)"),
                    &HistoryPage::compare_selected);
  locate_ = button(tr("Locate…"), tr("Find files that were moved, by their content"), &HistoryPage::locate_selected);
  delete_ = button(tr("Delete…"), tr("Delete entries, and if wanted their files (Del)"), &HistoryPage::delete_selected);
  clear_ = new QPushButton(tr("Clear filters"), this);
  clear_->setToolTip(tr("Show everything"));
  connect(clear_, &QPushButton::clicked, filters_, &HistoryFilters::clear);

  auto* heading = new QLabel(tr("History"), this);
  heading->setFont(Theme::heading_font());
  heading->setProperty("role", "heading");
  count_->setProperty("role", "second");
  selection_->setProperty("role", "second");
  auto* top = new QHBoxLayout;
  top->setSpacing(Theme::space(2));
  top->addWidget(heading);
  top->addWidget(count_);
  top->addWidget(&filters_->search(), 1);
  top->addWidget(selection_);
  auto* buttons = spaced(new FlowLayout, 1);
  for (QPushButton* one : {open_, repeat_, report_, compare_, locate_, delete_}) buttons->addWidget(one);

  cards_->setModel(model_);
  cards_->setItemDelegate(new HistoryCard(cards_));
  cards_->setAccessibleName(tr("Entries of the history"));
  cards_->setViewMode(QListView::IconMode);
  cards_->setMovement(QListView::Static);
  cards_->setResizeMode(QListView::Adjust);
  cards_->setUniformItemSizes(true);
  cards_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  cards_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  cards_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  cards_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // else the scroll bar would change the columns
  cards_->setMouseTracking(true);
  cards_->installEventFilter(this);
  cards_->viewport()->installEventFilter(this);
  connect(cards_, &QListView::doubleClicked, this, &HistoryPage::open_selected);
  connect(cards_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::show_selection);

  note_->setAlignment(Qt::AlignCenter);
  note_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::space(3), Theme::space(3), Theme::space(3), Theme::space(3));
  column->setSpacing(Theme::space(2));
  column->addLayout(top);
  column->addWidget(filters_);
  column->addLayout(buttons);
  column->addWidget(above_, 1);
  column->addWidget(note_);
  column->addWidget(clear_, 0, Qt::AlignHCenter);
  column->addWidget(below_, 1);
  column->addWidget(cards_, 1);

  installEventFilter(this);
  for (QWidget* child : findChildren<QWidget*>())
    if (child != cards_ && child != cards_->viewport()) child->installEventFilter(this);
  connect(filters_, &HistoryFilters::changed, this, &HistoryPage::refresh);
  later_->setSingleShot(true);
  later_->setInterval(follow_ms);
  connect(later_, &QTimer::timeout, this, &HistoryPage::refresh);
  for (const auto signal : {&QFileSystemWatcher::directoryChanged, &QFileSystemWatcher::fileChanged})
    connect(watcher_, signal, later_, qOverload<>(&QTimer::start));
  connect(&Theme::instance(), &Theme::changed, cards_->viewport(), qOverload<>(&QWidget::update));
  show_selection();
  refresh();
  show_state();
}

HistoryPage::~HistoryPage() {
  cancel_.cancel();
  disk_.waitForDone();
}

void HistoryPage::in_background(std::function<std::function<void()>()> work) {
  ++tasks_;
  disk_.start([this, work = std::move(work)] {
    const std::function<void()> after = work();
    QMetaObject::invokeMethod(
        this,
        [this, after] {
          --tasks_;
          after();
        },
        Qt::QueuedConnection);
  });
}

void HistoryPage::refresh() {
  watch();
  history::Filter wanted = filters_->filter();
  wanted.kind.clear();  // the kind is filtered here, so that the chips can count the entries of all kinds
  wanted.limit = most_cards;
  in_background([this, number = ++number_, wanted, store = store_] {
    Result<history::Listing> listing = store.list(wanted);
    std::vector<ListedEntry> listed;
    if (listing.ok())
      for (const history::Entry& entry : listing.value().entries)
        listed.push_back({entry, history::presence_of_outputs(entry)});
    return [this, number, listing = std::move(listing), listed = std::move(listed)] { take(listing, number, listed); };
  });
}

void HistoryPage::take(Result<history::Listing> listing, uint64_t number, std::vector<ListedEntry> listed) {
  if (number != number_) return;  // filters have changed since then
  error_.reset();
  if (!listing.ok()) error_ = listing.error();
  all_ = listing.ok() ? listing.value().all : 0;
  listed_ = std::move(listed);
  std::array<int, 4> counts{};
  for (const ListedEntry& one : listed_) ++counts.at(static_cast<std::size_t>(one.entry.kind));
  filters_->show_counts(counts, verdicts_of(listed_));
  const auto kind = history::kind_of(filters_->filter().kind);
  std::vector<ListedEntry> shown;
  for (const ListedEntry& one : listed_)
    if (!kind || one.entry.kind == *kind) shown.push_back(one);
  const std::vector<int64_t> before = selected_ids();
  model_->set(std::move(shown));
  QItemSelection kept;
  for (int row = 0; row < model_->rowCount(); ++row)
    if (std::find(before.begin(), before.end(), model_->at(row).entry.id) != before.end())
      kept.select(model_->index(row), model_->index(row));
  cards_->selectionModel()->select(kept, QItemSelectionModel::ClearAndSelect);
  if (!kept.isEmpty()) cards_->selectionModel()->setCurrentIndex(kept.indexes().front(), QItemSelectionModel::NoUpdate);
  show_selection();
  show_state();
}

// Shows the text of a page without cards: an error, an empty history, or a filter that nothing matches.
void HistoryPage::show_state() {
  const bool filtered = !filters_->is_empty();
  const int shown = model_->rowCount();
  count_->setText(number_ == 0 || error_ ? QString()
                                         : tr("%1 of %2 · %3").arg(shown).arg(all_).arg(bytes_text(bytes_of(listed_))));
  QString note;
  if (error_) {
    note = error_text(*error_);
  } else if (store_.is_off()) {
    note = tr("The history is off.");
  } else if (shown == 0 && filtered) {
    note = tr("Nothing fits.");
  } else if (all_ == 0 && !is_busy()) {
    note = tr("Runs appear here.");
  }
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  clear_->setVisible(!error_ && shown == 0 && filtered);
  const bool has_cards = shown > 0 || note.isEmpty();
  cards_->setVisible(has_cards);
  for (QWidget* room : {above_, below_}) room->setVisible(!has_cards);
}

std::vector<int> HistoryPage::selected_rows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : cards_->selectionModel()->selectedIndexes()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<int64_t> HistoryPage::selected_ids() const {
  std::vector<int64_t> ids;
  for (const int row : selected_rows()) ids.push_back(model_->at(row).entry.id);
  return ids;
}

const ListedEntry* HistoryPage::single() const {
  const std::vector<int> rows = selected_rows();
  return rows.size() == 1 ? &model_->at(rows.front()) : nullptr;
}

void HistoryPage::show_selection() {
  const std::vector<int> rows = selected_rows();
  int64_t bytes = 0;
  for (const int row : rows) bytes += history::bytes_of(model_->at(row).entry);
  const ListedEntry* const one = single();
  open_->setEnabled(one != nullptr && !volume_of(one->entry).isEmpty());
  repeat_->setEnabled(one != nullptr && !one->entry.digest.empty());
  report_->setEnabled(one != nullptr);
  compare_->setEnabled(rows.size() == 2);
  locate_->setVisible(one != nullptr && one->outputs != history::Presence::there);
  delete_->setEnabled(!rows.empty());
  delete_->setText(bytes > 0 ? tr("Delete, frees %1…").arg(bytes_text(bytes)) : tr("Delete…"));
  selection_->setText(rows.size() > 1 ? tr("%1 selected").arg(rows.size()) : QString());
}

void HistoryPage::open_selected() {
  const ListedEntry* const one = single();
  if (one == nullptr) return;
  if (const QString file = volume_of(one->entry); !file.isEmpty()) Q_EMIT open_wanted(file);
}

void HistoryPage::show_error(const Error& error) {
  note_->setText(error_text(error));
  note_->show();
  Q_EMIT failed(error_text(error));
}

// Watches the folder as well: while SQLite writes, a journal appears in it, and the file may be created later.
void HistoryPage::watch() {
  if (store_.is_off()) return;
  const QString file = QString::fromStdString(store_.file().string());
  for (const QString& path : {file, QFileInfo(file).path()})
    if (QFileInfo::exists(path) && !watcher_->files().contains(path) && !watcher_->directories().contains(path))
      watcher_->addPath(path);
}

bool HistoryPage::eventFilter(QObject* watched, QEvent* event) {
  // The cards get their width only when they are shown, possibly long after the page was resized.
  if (watched == cards_->viewport() && event->type() == QEvent::Resize)
    cards_->setGridSize(HistoryCard::size_in(static_cast<QResizeEvent*>(event)->size().width() - 1));
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Find)) {
      filters_->search().setFocus(Qt::ShortcutFocusReason);
      filters_->search().selectAll();
      return true;
    }
    if (watched == cards_ && key->matches(QKeySequence::Delete)) {
      delete_selected();
      return true;
    }
    if (watched == cards_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
      open_selected();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tl::ui
