// QueuePage: builds the page and keeps buttons and counts up to date.
#include "widgets/queue/queue_page.h"

#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/session/save_dialog.h"
#include "widgets/text/amounts.h"
#include "widgets/text/forecast_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

struct Counts {
  int done = 0, failed = 0, running = 0, waiting = 0, paused = 0, sent = 0;
  [[nodiscard]] int all() const { return done + failed + running + waiting + paused + sent; }
};

Counts counts_of(const QueueSession& queue) {
  Counts counts;
  for (const tl::ScanRow& row : queue.rows()) {
    if (queue.is_running(row))
      ++counts.running;
    else if (queue.is_waiting(row))
      ++counts.waiting;
    else if (row.state == ScanState::sent)
      ++counts.sent;
    else
      ++(row.state == ScanState::done ? counts.done : row.state == ScanState::failed ? counts.failed : counts.paused);
  }
  return counts;
}

}  // namespace

QueuePage::QueuePage(QueueSession& queue, QWidget* parent)
    : QWidget(parent),
      queue_(queue),
      target_(new QComboBox(this)),
      bar_(new QProgressBar(this)),
      counts_(new QLabel(this)),
      left_(new QLabel(this)),
      note_(new QLabel(this)),
      empty_(new QLabel(this)),
      rows_(new QStackedWidget(this)),
      table_(new QueueTable(queue, this)) {
  setProperty("role", "page");
  setAttribute(Qt::WA_StyledBackground);
  setAcceptDrops(true);
  auto* title = as_heading(new QLabel(tr("Queue"), this));
  toggle_ =
      button(tr("Send to Slurm…"), tr("Runs the waiting scans one after the other (F5)"), [this] { start_or_pause(); });
  toggle_->setProperty("role", "primary");
  toggle_->setMinimumWidth(toggle_->sizeHint().width());  // the same for all texts of the button
  stop_ = button(tr("Stop"), tr("Stops the running scan: it waits again, and its results are deleted"),
                 [this] { queue_.cancel(); });
  retry_ = button(tr("Retry failed"), tr("All failed scans wait again"), [this] { queue_.retry_failed(); });
  auto* add =
      button(tr("Add scans…"), tr("Scans that run through the pipeline that is open now"), [this] { add_scans(); });
  auto* table_in = button(tr("Table in…"), tr("Adds the scans of a table (CSV), as the command line reads it"),
                          [this] { read_table(); });
  table_out_ = button(tr("Table out…"), tr("Writes the queue as a table (CSV) that the command line reads"),
                      [this] { write_table(); });
  auto* folder =
      button(tr("Folder…"), tr("Folder of the results and of the table of the queue"), [this] { choose_folder(); });
  watch_ = button(tr("Stop watching"),
                  tr("Scans of a folder are queued, and run, when nothing of them has changed for 10 s"),
                  [this] { toggle_watch(); });
  watch_->setMinimumWidth(watch_->sizeHint().width());
  target_->setAccessibleName(tr("Run on"));
  target_->addItems({tr("This computer"), tr("Slurm")});
  connect(target_, &QComboBox::activated, this, [this](int index) {
    queue_.set_target(index == 0 ? QueueSession::Target::computer : QueueSession::Target::slurm);
    show_all();
  });
  auto* head = spaced(new FlowLayout, 2);
  head->addWidget(title);
  for (QWidget* w : std::initializer_list<QWidget*>{toggle_, stop_, retry_}) head->addWidget(w);
  head->add_stretch();
  for (QWidget* w : std::initializer_list<QWidget*>{add, watch_, table_in, table_out_, folder}) head->addWidget(w);
  auto* progress = new QHBoxLayout;
  progress->setSpacing(Theme::space(3));
  bar_->setRange(0, 1000);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the queue"));
  progress->addWidget(bar_, 1);
  progress->addWidget(counts_);
  progress->addStretch(1);
  progress->addWidget(left_);
  progress->addWidget(new QLabel(tr("Run on"), this));
  progress->addWidget(target_);
  empty_->setAlignment(Qt::AlignCenter);
  as_note(empty_);
  empty_->setText(
      tr("Drop scans, folders of scans or a table here.\n"
         "They run through the pipeline that is open, one after the other."));
  rows_->addWidget(empty_);
  rows_->addWidget(table_);
  as_note(note_);
  auto* column = spaced(new QVBoxLayout(this), 2, {3, 2, 3, 2});
  column->addLayout(head);
  column->addLayout(progress);
  column->addWidget(rows_, 1);
  column->addWidget(note_);
  for (const auto signal :
       {&QueueSession::rows_changed, &QueueSession::forecasts_changed, &QueueSession::folder_changed})
    connect(&queue, signal, this, &QueuePage::show_all);
  connect(&queue, &JobSession::progressed, this, &QueuePage::show_all);
  connect(&queue, &JobSession::state_changed, this, &QueuePage::show_all);
  connect(&queue, &QueueSession::refused, this, [this](const QString& why) {
    note_->setText(why);
    set_style_property(*note_, "tone", "error");
  });
  show_all();
}

QPushButton* QueuePage::button(const QString& text, const QString& help, const std::function<void()>& press) {
  auto* made = new QPushButton(text, this);
  made->setToolTip(help);
  connect(made, &QPushButton::clicked, this, [this, press] {
    set_style_property(*note_, "tone", "second");  // an earlier error has been read
    press();
    show_all();
  });
  return made;
}

QString QueuePage::toggle_text() const {
  switch (queue_.state()) {
    case JobState::idle:
    case JobState::ended:
      return queue_.target() == QueueSession::Target::slurm ? tr("Send to Slurm…") : tr("Start queue");
    case JobState::paused:
    case JobState::pausing: return tr("Go on");
    default: return tr("Pause queue");
  }
}

void QueuePage::start_or_pause() {
  if (queue_.is_busy() || queue_.target() == QueueSession::Target::computer) return queue_.toggle();
  const std::vector<std::string> rows = queue_.waiting();
  if (rows.empty()) return;
  if (const auto resources = ask_for_resources(this, queue_.request_for(rows)); resources)
    queue_.send_to_cluster(rows, *resources);
}

// If Slurm is missing, its entry exists but is disabled, and says why.
void QueuePage::show_target() {
  const QString why = queue_.cluster().obstacle();
  auto* items = qobject_cast<QStandardItemModel*>(target_->model());
  QStandardItem* slurm = items->item(static_cast<int>(QueueSession::Target::slurm));
  slurm->setEnabled(why.isEmpty());
  slurm->setToolTip(why);
  target_->setToolTip(why.isEmpty() ? tr("Computer on which the waiting scans run") : why);
  const QSignalBlocker quiet(target_);
  target_->setCurrentIndex(static_cast<int>(queue_.target()));
}

void QueuePage::show_all() {
  show_target();
  const Counts counts = counts_of(queue_);
  toggle_->setText(toggle_text());
  toggle_->setEnabled(queue_.is_busy() || queue_.obstacle().isEmpty());
  if (!queue_.is_busy())
    toggle_->setToolTip(queue_.obstacle().isEmpty() ? tr("Runs the waiting scans (F5)") : queue_.obstacle());
  stop_->setEnabled(queue_.is_busy() && queue_.state() != JobState::stopping);
  retry_->setEnabled(counts.failed > 0 && queue_.foreign().isEmpty());
  table_out_->setEnabled(counts.all() > 0);
  const QString watched = queue_.watched().folder();
  watch_->setText(watched.isEmpty() ? tr("Watch…") : tr("Stop watching"));
  rows_->setCurrentWidget(counts.all() > 0 ? static_cast<QWidget*>(table_) : empty_);
  bar_->setVisible(counts.all() > 0);
  const double running = counts.running > 0 ? std::max(queue_.progress().scan_done, 0.0) : 0;
  if (counts.all() > 0) bar_->setValue(static_cast<int>(1000 * (counts.done + counts.failed + running) / counts.all()));
  QStringList words;
  if (counts.done > 0) words << tr("✓ %1 done").arg(counts.done);
  if (counts.failed > 0) words << tr("✕ %1 failed").arg(counts.failed);
  if (counts.running > 0) words << tr("◐ %1 running").arg(counts.running);
  if (counts.waiting > 0) words << tr("◷ %1 waiting").arg(counts.waiting);
  if (counts.sent > 0) words << tr("◷ %1 on Slurm").arg(counts.sent);
  if (counts.paused > 0) words << tr("❙❙ %1 paused").arg(counts.paused);
  counts_->setText(words.join(QStringLiteral("   ")));
  const QueueSession::Whole whole = queue_.whole();
  QStringList left;
  if (whole.scans > 0 && whole.seconds >= 0) {
    left << tr("%1 left").arg(about_duration(whole.seconds));
    if (queue_.state() == JobState::running)
      left << tr("ready %1")
                  .arg(QDateTime::currentDateTime().addSecs(qRound64(whole.seconds)).toString(QStringLiteral("HH:mm")));
  }
  if (queue_.progress().bytes_per_second > 0)
    left << tr("%1/s").arg(bytes_text(static_cast<qint64>(queue_.progress().bytes_per_second)));
  left_->setText(left.join(QStringLiteral(" · ")));
  if (note_->property("tone").toString() == QStringLiteral("error")) return;
  note_->setText(!queue_.foreign().isEmpty()   ? tr("Only shown: %1").arg(queue_.foreign())
                 : !queue_.failure().isEmpty() ? queue_.failure()
                 : !watched.isEmpty()
                     ? tr("Watching %1: %2 scans are not finished yet").arg(watched).arg(queue_.watched().unfinished())
                 : counts.all() == 0 ? QString()
                                     : tr("Drag rows to order them · a double click under Changed changes this "
                                          "scan alone · Space pauses a row · Enter shows the result"));
}

void QueuePage::add_scans() { queue_.add(QFileDialog::getOpenFileNames(this, tr("Add scans"), queue_.folder(), {})); }

void QueuePage::read_table() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Add the scans of a table"), {}, tr("Tables (*.csv)"));
  if (!file.isEmpty()) queue_.add({file});
}

void QueuePage::write_table() {
  const QString name = queue_.folder() + QStringLiteral("/queue.csv");
  const QString file =
      ask_for_file(this, {tr("Write the table of the queue"), name, tr("Tables (*.csv)"), {QStringLiteral(".csv")}});
  if (!file.isEmpty()) queue_.write_table(file);
}

void QueuePage::choose_folder() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Folder of the queue and its results"), queue_.folder());
  if (!folder.isEmpty()) queue_.open(folder);
}

void QueuePage::toggle_watch() {
  if (!queue_.watched().folder().isEmpty()) return queue_.watch({});
  queue_.watch(QFileDialog::getExistingDirectory(this, tr("Folder in which scans appear"), queue_.folder()));
}

void QueuePage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void QueuePage::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  table_->queue_model().dropMimeData(event->mimeData(), Qt::CopyAction, -1, -1, {});
}

}  // namespace tl::ui
