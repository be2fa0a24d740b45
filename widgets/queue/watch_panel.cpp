// WatchPanel: builds the panel and keeps its texts up to date.
#include "widgets/queue/watch_panel.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/text/amounts.h"
#include "widgets/theme/layouts.h"

namespace tl::ui {
namespace {

constexpr int clock_ms = 30'000;
constexpr double just_now_s = 60;

}  // namespace

WatchPanel::WatchPanel(QueueSession& queue, QWidget* parent)
    : QWidget(parent),
      queue_(queue),
      folder_(new QLabel(this)),
      arrived_(as_note(new QLabel(this))),
      unfinished_(as_note(new QLabel(this))),
      note_(as_note(new QLabel(this))),
      by_themselves_(new QCheckBox(tr("Queue new scans automatically"), this)) {
  auto* title = as_heading(new QLabel(tr("Watched folder"), this));
  auto* change = new QPushButton(tr("Change…"), this);
  auto* stop = new QPushButton(tr("Stop watching"), this);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Theme::space(2));
  buttons->addWidget(change);
  buttons->addWidget(stop);
  buttons->addStretch(1);
  auto* column = spaced(new QVBoxLayout(this), 1, {3, 2, 2, 2});
  for (QWidget* w : std::initializer_list<QWidget*>{title, folder_, arrived_, unfinished_, by_themselves_, note_})
    column->addWidget(w);
  column->addLayout(buttons);
  folder_->setTextFormat(Qt::PlainText);
  arrived_->setTextFormat(Qt::PlainText);
  connect(change, &QPushButton::clicked, this, &WatchPanel::choose_folder);
  connect(stop, &QPushButton::clicked, this, [this] { queue_.watch({}); });
  connect(by_themselves_, &QCheckBox::toggled, this,
          [this](bool on) { queue_.use_found(on ? QueueSession::Found::run : QueueSession::Found::listed); });
  connect(&queue_.watched(), &QueueWatch::changed, this, &WatchPanel::show_all);
  connect(&queue_.watched(), &QueueWatch::finished, this, [this](const QStringList& scans) {
    count_ += static_cast<int>(scans.size());
    last_ = QFileInfo(scans.last()).fileName();
    last_time_ = QDateTime::currentDateTime();
    show_all();
  });
  clock_.setInterval(clock_ms);
  connect(&clock_, &QTimer::timeout, this, &WatchPanel::show_all);
  clock_.start();
  show_all();
}

void WatchPanel::choose_folder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder in which scans appear"), queue_.folder());
  if (folder.isEmpty()) return;
  count_ = 0;
  last_.clear();
  queue_.watch(folder);
}

void WatchPanel::show_all() {
  const QueueWatch& watch = queue_.watched();
  setVisible(!watch.folder().isEmpty());
  if (watch.folder().isEmpty()) {
    count_ = 0;
    last_.clear();
    return;
  }
  const QDir folder(watch.folder());
  const QString parent = QFileInfo(folder.absolutePath()).dir().dirName();
  folder_->setText(parent.isEmpty() ? folder.absolutePath() : parent + QStringLiteral(" / ") + folder.dirName());
  folder_->setToolTip(folder.absolutePath());
  const auto seconds = static_cast<double>(last_.isEmpty() ? 0 : last_time_.secsTo(QDateTime::currentDateTime()));
  arrived_->setText(last_.isEmpty() ? tr("no scan has arrived yet")
                    : seconds < just_now_s
                        ? tr("%1 scans · %2 arrived just now").arg(count_).arg(last_)
                        : tr("%1 scans · %2 arrived %3 ago").arg(count_).arg(last_, duration_text(seconds)));
  unfinished_->setVisible(watch.unfinished() > 0);
  unfinished_->setText(tr("still being written: %1").arg(watch.unfinished()));
  by_themselves_->setChecked(queue_.use_of_found() == QueueSession::Found::run);
  note_->setText(by_themselves_->isChecked()
                     ? tr("A scan that has not changed for 10 s runs through the pipeline that is open then.")
                     : tr("A scan that has not changed for 10 s is listed above."));
}

}  // namespace tl::ui
