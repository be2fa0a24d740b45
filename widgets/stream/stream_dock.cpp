// StreamDock: the buttons allowed in the state of the stream, and rows that show it.
#include "widgets/stream/stream_dock.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "widgets/jobs/job_page.h"
#include "widgets/session/save_dialog.h"
#include "widgets/session/stream_session.h"
#include "widgets/stream/stream_form.h"
#include "widgets/stream/stream_picture.h"
#include "widgets/stream/stream_plots.h"
#include "widgets/stream/stream_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

StreamDock::StreamDock(StreamSession& session, QWidget* parent)
    : QScrollArea(parent),
      session_(session),
      form_(new StreamForm(session, this)),
      connect_(new QPushButton(this)),
      record_(new QPushButton(this)),
      pin_(new QPushButton(this)),
      keep_(new QPushButton(tr("Keep the values"), this)),
      measure_(new QPushButton(tr("Measure again"), this)),
      follows_(new QCheckBox(tr("Follow marked parameters"), this)),
      state_(new QLabel(this)),
      alarms_(new QLabel(this)),
      rows_(new QWidget(this)),
      views_(new QWidget(this)),
      picture_(new StreamPicture(session, this)),
      plots_(new StreamPlots(session, this)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Live scan"));
  setFocusPolicy(Qt::NoFocus);
  auto* whole = new QWidget(this);
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(3));
  column->setSpacing(Theme::space(2));
  column->addWidget(form_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Theme::space(2));
  buttons->addWidget(connect_);
  buttons->addWidget(record_);
  buttons->addStretch(1);
  column->addLayout(buttons);
  state_->setAccessibleName(tr("State of the stream"));
  alarms_->setAccessibleName(tr("Alarms"));
  alarms_->setProperty("tone", "error");
  alarms_->setWordWrap(true);
  state_->setWordWrap(true);
  column->addWidget(state_);
  column->addWidget(alarms_);
  build_rows(*column);
  column->addWidget(follows_);
  // A row of their own: next to the buttons above they would be wider than the dock.
  auto* results = new QHBoxLayout;
  results->setSpacing(Theme::space(2));
  results->addWidget(pin_);
  results->addWidget(keep_);
  results->addStretch(1);
  column->addLayout(results);
  column->addWidget(measure_, 0, Qt::AlignLeft);
  follows_->setToolTip(
      tr("Learns the parameters that are marked with ∇, again and again as windows come, each time from the last "
         "value, for at most a fifth of the time."));
  keep_->setToolTip(tr("Sets the newest values in the pipeline, as a step that can be undone."));
  measure_->setToolTip(
      tr("What nodes have measured in the first window, such as the axis, a threshold or a classifier's model, is "
         "measured in the newest window, and holds from now on."));
  auto* views = new QVBoxLayout(views_);
  views->setContentsMargins(0, 0, 0, 0);
  add_fold(*views, tr("Last view"), picture_)->setChecked(true);
  add_fold(*views, tr("Values over time"), plots_)->setChecked(true);
  column->addWidget(views_);
  column->addStretch(1);
  setWidget(whole);
  connect(connect_, &QPushButton::clicked, this, &StreamDock::toggle_connection);
  connect(form_, &StreamForm::open_wanted, this, &StreamDock::toggle_connection);
  connect(record_, &QPushButton::clicked, this, &StreamDock::toggle_record);
  connect(pin_, &QPushButton::clicked, this, &StreamDock::pin_wanted);
  connect(keep_, &QPushButton::clicked, &session_, &StreamSession::keep_followed);
  connect(measure_, &QPushButton::clicked, &session_, &StreamSession::measure_again);
  connect(follows_, &QCheckBox::clicked, &session_, &StreamSession::set_follows);
  show_pinned(false);
  connect(&session_, &StreamSession::state_changed, this, &StreamDock::refresh);
  connect(&session_, &StreamSession::changed, this, &StreamDock::show_status);
  refresh();
}

void StreamDock::build_rows(QVBoxLayout& column) {
  // Not a QFormLayout: in Qt 6.4 it writes beyond its own memory when wrapped texts are hidden and shown.
  auto* rows = new QGridLayout(rows_);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setVerticalSpacing(Theme::space(1));
  rows->setHorizontalSpacing(Theme::space(2));
  rows->setColumnStretch(1, 1);
  const auto add = [&](const QString& title) {
    auto* value = new QLabel(rows_);
    value->setWordWrap(true);
    value->setFont(Theme::number_font());
    value->setAccessibleName(title);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* name = new QLabel(title, rows_);
    name->setBuddy(value);
    const int row = rows->rowCount();
    rows->addWidget(name, row, 0, Qt::AlignTop);
    rows->addWidget(value, row, 1);
    titles_[value] = name;
    return value;
  };
  scan_ = add(tr("Scan"));
  frames_ = add(tr("Frames"));
  gaps_ = add(tr("Missing"));
  faults_ = add(tr("Faults"));
  windows_ = add(tr("Windows"));
  planes_ = add(tr("Slices"));
  followed_ = add(tr("Followed"));
  file_ = add(tr("Record"));
  column.addWidget(rows_);
}

void StreamDock::toggle_connection() {
  if (session_.is_open()) return session_.close();
  if (!form_->is_valid()) return;
  session_.open(form_->choice());
  if (session_.is_open()) Q_EMIT opened();
}

void StreamDock::toggle_record() {
  if (session_.is_recording()) return session_.end_record();
  if (!session_.is_open() || session_.is_ending() || !form_->is_valid()) return;
  const QString path = ask_for_file(
      this, {tr("Record the scan"), QStringLiteral("scan.nx"), tr("NXtomo (*.nx *.nxs *.h5)"), {".nx", ".nxs", ".h5"}});
  if (!path.isEmpty()) session_.begin_record(path, form_->record_start());
}

QString StreamDock::unsaved() const {
  if (!session_.is_recording()) return {};
  return tr("A scan is being recorded (%1). The record ends here; frames that come later are lost.")
      .arg(record_text(session_).replace(QLatin1Char('\n'), QStringLiteral(", ")));
}

QString StreamDock::status_text() const { return state_->text(); }

void StreamDock::refresh() {
  const bool open = session_.is_open(), recording = session_.is_recording();
  connect_->setText(open ? tr("Disconnect") : tr("Connect"));
  connect_->setToolTip(open ? tr("Stops receiving frames. A recording in progress is ended.")
                            : tr("Receives frames from this address."));
  connect_->setEnabled(!session_.is_ending());
  set_style_property(*connect_, "role", open ? "" : "primary");
  record_->setText(recording ? tr("End the record") : tr("Record…"));
  record_->setIcon(glyph_icon(recording ? Glyph::stop : Glyph::ball, Token::error));
  record_->setToolTip(recording ? tr("The file is complete, and has its name, once its last frames are written.")
                                : tr("Writes all frames from now on, or from when the trigger holds, into an NXtomo "
                                     "file, one for each scan (Ctrl+Shift+R)."));
  record_->setEnabled(open && !session_.is_ending());
  follows_->setChecked(session_.follows());
  follows_->setVisible(open && session_.obstacle().isEmpty());
  keep_->setVisible(session_.followed().has_value());
  measure_->setVisible(open && session_.has_measured());
  pin_->setVisible(open && session_.obstacle().isEmpty());
  show_status();
}

void StreamDock::show_pinned(bool pinned) {
  pin_->setText(pinned ? tr("Unpin") : tr("Pin window"));
  pin_->setToolTip(pinned ? tr("Removes the pinned window (Ctrl+Shift+P).")
                          : tr("Keeps the present slice next to the windows that follow (Ctrl+Shift+P)."));
}

void StreamDock::show_status() {
  state_->setText(stream_state_text(session_));
  set_style_property(*state_, "tone", stream_tone(session_));
  const QStringList alarms = alarm_texts(session_);
  alarms_->setText(alarms.join(QLatin1Char('\n')));
  alarms_->setVisible(!alarms.isEmpty());
  const stream::StreamStatus& status = session_.status();
  const bool came = status.counts.taken() > 0;
  rows_->setVisible(came || session_.is_recording());
  views_->setVisible(came || session_.is_open());
  frames_->setText(frames_text(status.counts));
  gaps_->setText(gaps_text(status));
  set_style_property(*gaps_, "tone", status.missing.empty() ? "" : "warning");
  windows_->setText(windows_text(session_));
  const std::initializer_list<std::pair<QLabel*, QString>> where_any = {{scan_, scan_text(session_)},
                                                                        {faults_, faults_text(status)},
                                                                        {planes_, planes_text(session_)},
                                                                        {followed_, followed_text(session_)},
                                                                        {file_, record_text(session_)}};
  for (const auto& [label, text] : where_any) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
    titles_.at(label)->setVisible(!text.isEmpty());
  }
}

}  // namespace tl::ui
