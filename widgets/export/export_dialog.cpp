// ExportDialog: formats on the left, a scrolling form, and a fixed area with buttons below.
#include "widgets/export/export_dialog.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStorageInfo>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/export/file_row.h"
#include "widgets/export/format_list.h"
#include "widgets/export/range_form.h"
#include "widgets/export/region_form.h"
#include "widgets/language/translated.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/text/forecast_text.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"
#include "widgets/views/volume/movie_form.h"

namespace tl::ui {
namespace {

constexpr QSize export_dialog_size{900, 640}, least_dialog_size{640, 400};  // px
constexpr int bar_steps = 1000;

QString source_text(LiveSession& session, const exports::Source& source) {
  const QString node = QString::fromStdString(source.node);
  QString text = session.document().card_title(node);
  if (const Info* info = session.info(node, QString::fromStdString(source.port)))
    text += QStringLiteral(" · ") + translated(live::summary_of(*info));
  return text;
}

QString time_text(const live::Forecast* forecast) {
  if (forecast == nullptr || !forecast->known) return {};
  if (!forecast->fits) return ExportDialog::tr("does not fit into memory");
  return forecast->seconds < 0 ? ExportDialog::tr("time not measured yet") : forecast_time(*forecast);
}

QFrame* dividing_line() {
  auto* line = new QFrame;
  line->setFrameShape(QFrame::HLine);
  line->setFixedHeight(1);
  return line;
}

}  // namespace

ExportDialog::ExportDialog(LiveSession& session, ViewState& views, const Start& start, QWidget* parent)
    : QDialog(parent), movie_(start.movie) {
  setWindowTitle(tr("Export"));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumSize(least_dialog_size);
  resize(parent == nullptr ? export_dialog_size : export_dialog_size.boundedTo(parent->window()->size()));
  exports::Settings first = start.last;
  first.file = QDir(start.folder).filePath(first_name(start)).toStdString();
  session_ = new ExportSession(session, views, start.source, first, start.view_exports, this);
  auto* title = new QLabel(start.source.empty() ? QString() : source_text(session, start.source));
  title->setTextFormat(Qt::PlainText);
  title->setAccessibleName(tr("What is exported"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(Theme::space(4), Theme::space(3), Theme::space(4), Theme::space(3));
  head->addWidget(title, 1);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  list_ = new FormatList(*session_);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  form_ = build_form();
  scroll->setWidget(form_);
  middle->addWidget(list_);
  middle->addWidget(scroll, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(dividing_line());
  column->addLayout(middle, 1);
  column->addWidget(dividing_line());
  column->addWidget(build_foot());
  connect(session_, &ExportSession::edited, this, [this] { shows_result_ = false; });
  connect(session_, &ExportSession::changed, this, &ExportDialog::show_session);
  connect(session_, &ExportSession::forecast_changed, this, [this] {
    if (!is_exporting()) show_session();
  });
  connect(&session, &LiveSession::run_changed, this, &ExportDialog::show_progress);
  connect(&session, &LiveSession::run_finished, this, &ExportDialog::end);
  show_session();
  if (start.begins_at == Start::InitialFocus::file)
    file_->take_keyboard();
  else
    list_->setFocus();
}

QString ExportDialog::first_name(const Start& start) const {
  if (!start.last.file.empty()) return QString::fromStdString(start.last.file);
  QString name = QFileInfo(QString::fromStdString(start.source.node)).fileName();
  return name.isEmpty() ? tr("export") : name;
}

QWidget* ExportDialog::build_form() {
  auto* form = new QWidget;
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(Theme::space(5), Theme::space(4), Theme::space(5), Theme::space(4));
  column->setSpacing(Theme::space(3));
  column->addWidget(new RangeForm(*session_));
  column->addWidget(new RegionForm(*session_));
  column->addWidget(build_alongside());
  if (movie_) column->addWidget(movie_form_ = new MovieForm(movie_->shown));
  column->addStretch(1);
  column->addWidget(file_ = new FileRow(*session_));
  align_row_labels(*form);
  return form;
}

QWidget* ExportDialog::build_alongside() {
  alongside_ = new QWidget;
  auto* line = framed(new QHBoxLayout(alongside_));
  auto* row = spaced(new FlowLayout, 4);
  line->addWidget(export_row_label(tr("Alongside")), 0, Qt::AlignTop);
  line->addLayout(row, 1);
  const auto add = [&](const QString& text, const QString& tip, bool exports::Settings::*member) {
    auto* box = new QCheckBox(text);
    box->setToolTip(tip);
    connect(box, &QCheckBox::toggled, this, [this, member](bool on) {
      if (session_->settings().*member != on) session_->change([&](exports::Settings& s) { s.*member = on; });
    });
    row->addWidget(box);
    return box;
  };
  labels_ = add(tr("Labels"), tr("In the same format, with the same region"), &exports::Settings::labels);
  mesh_ = add(tr("Mesh, STL"), tr("The surfaces of the labels"), &exports::Settings::mesh);
  parameters_ = add(tr("Parameters, CSV"), tr("All that were used and found, with units and verdicts"),
                    &exports::Settings::parameters);
  auto* record = new QLabel(tr("pipeline, JSON: always"));
  record->setProperty("role", "second");
  row->addWidget(record);
  return alongside_;
}

QWidget* ExportDialog::build_foot() {
  auto* foot = new QWidget;
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(Theme::space(4), Theme::space(3), Theme::space(5), Theme::space(3));
  row->setSpacing(Theme::space(2));
  auto* left = new QVBoxLayout;
  left->setSpacing(Theme::space(1));
  size_ = new QLabel;
  size_->setAccessibleName(tr("Size"));
  size_->setWordWrap(true);
  state_ = new QLabel;
  state_->setAccessibleName(tr("State of the export"));
  state_->setWordWrap(true);
  state_->setTextFormat(Qt::PlainText);
  bar_ = new QProgressBar;
  bar_->setTextVisible(false);
  bar_->setRange(0, bar_steps);
  left->addWidget(size_);
  left->addWidget(bar_);
  left->addWidget(state_);
  row->addLayout(left, 1);
  cancel_ = new QPushButton(tr("Cancel"));
  cancel_->setAutoDefault(false);
  export_ = new QPushButton(tr("Export"));
  export_->setProperty("role", "primary");
  export_->setDefault(true);
  row->addWidget(cancel_, 0, Qt::AlignBottom);
  row->addWidget(export_, 0, Qt::AlignBottom);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (!is_exporting()) return reject();
    if (is_filming()) {
      running_movie_->cancel();
    } else {
      session_->live().stop();
    }
    say(tr("Stopping…"), "");
  });
  connect(export_, &QPushButton::clicked, this, &ExportDialog::export_now);
  return foot;
}

void ExportDialog::say(const QString& text, const char* tone) {
  set_style_property(*state_, "tone", tone);
  state_->setText(text);
}

void ExportDialog::show_session() {
  const exports::Format* const format = session_->format();
  const exports::Settings& s = session_->settings();
  if (movie_form_ != nullptr)
    movie_form_->setVisible(session_->view_export() != nullptr && !session_->view_export()->write);
  alongside_->setVisible(format != nullptr && !format->sample_types.empty());
  labels_->setVisible(session_->has_labels());
  mesh_->setVisible(session_->has_labels());
  labels_->setChecked(s.labels);
  mesh_->setChecked(s.mesh);
  parameters_->setChecked(s.parameters);
  if (is_exporting()) return;
  const QString obstacle = session_->obstacle();
  export_->setEnabled(obstacle.isEmpty());
  if (!shows_result_) say(obstacle, "");
  show_size();
}

void ExportDialog::show_size() {
  const exports::Settings& s = session_->settings();
  const QStorageInfo disk(QFileInfo(QString::fromStdString(s.file)).path());
  const bool knows_size = session_->grid() != nullptr && !session_->format()->sample_types.empty();
  const qint64 bytes = knows_size ? exports::bytes_of(*session_->grid(), s, s.type) : 0;
  QString text = knows_size ? bytes_text(bytes) : QString();
  if (const QString time = time_text(session_->forecast()); !time.isEmpty())
    text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + time;
  if (knows_size && s.type != "float32")
    text += tr(" · %1 as float32").arg(bytes_text(exports::bytes_of(*session_->grid(), s, "float32")));
  const bool knows_disk = disk.isValid() && disk.bytesAvailable() >= 0;
  if (knows_disk)
    text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("%1 free").arg(bytes_text(disk.bytesAvailable()));
  const bool fits = !knows_disk || bytes <= disk.bytesAvailable();
  const live::Forecast* const forecast = session_->forecast();
  size_->setToolTip(forecast == nullptr || forecast->fits ? QString() : QString::fromStdString(forecast->why_not));
  if (!fits) {
    text += tr(" · too little");
    export_->setEnabled(false);
  }
  set_style_property(*size_, "tone", fits ? "" : "error");
  size_->setText(text);
  bar_->setVisible(knows_size && knows_disk);
  bar_->setAccessibleName(tr("Share of the free space"));
  const double share =
      knows_disk ? static_cast<double>(bytes) / static_cast<double>(std::max<qint64>(disk.bytesAvailable(), 1)) : 0;
  bar_->setValue(static_cast<int>(bar_steps * std::clamp(share, 0.0, 1.0)));
}

bool ExportDialog::may_replace_files(const std::vector<std::filesystem::path>& files) {
  return std::all_of(files.begin(), files.end(),
                     [this](const auto& file) { return may_replace(this, QString::fromStdString(file.string())); });
}

void ExportDialog::export_now() {
  if (is_exporting() || !session_->obstacle().isEmpty()) return;
  if (const ViewExportFormat* const view_export = session_->view_export()) return write_view_export(*view_export);
  const Result<exports::Plan> planned = session_->plan();
  if (!planned.ok()) return say(error_text(planned.error()), "error");
  const Result<void> writable = exports::check_files(planned.value(), session_->live().document().export_rules());
  if (!writable.ok()) return say(error_text(writable.error()), "error");
  if (!may_replace_files(exports::existing_files(planned.value()))) return;
  Q_EMIT settings_chosen(session_->settings());
  exporting_ = true;
  show_running(tr("Exporting…"));
  Q_EMIT export_wanted(planned.value());
}

void ExportDialog::show_running(const QString& text) {
  form_->setEnabled(false);
  list_->setEnabled(false);
  export_->setEnabled(false);
  cancel_->setText(tr("Stop"));
  cancel_->setFocus();
  bar_->setAccessibleName(tr("Progress of the export"));
  bar_->setVisible(true);
  bar_->setValue(0);
  say(text, "");
}

void ExportDialog::show_idle(const QString& cancel) {
  form_->setEnabled(true);
  list_->setEnabled(true);
  cancel_->setText(cancel);
  show_session();
  shows_result_ = true;
}

// A movie is made by this dialog, and would be lost with it.
void ExportDialog::reject() {
  if (is_filming()) return say(tr("Stop the movie first."), "warning");
  QDialog::reject();
}

void ExportDialog::write_view_export(const ViewExportFormat& view_export) {
  const QString path = QString::fromStdString(session_->settings().file);
  if (QFileInfo::exists(path) && !may_replace(this, path)) return;
  Q_EMIT settings_chosen(session_->settings());
  clock_.start();
  if (!view_export.write) return begin_movie(path);
  const Result<void> written = view_export.write(path);
  if (!written.ok()) return say(error_text(written.error()), "error");
  shows_result_ = true;
  say(tr("Wrote %1").arg(QDir::toNativeSeparators(path)), "good");
  Q_EMIT view_export_was_written(path, static_cast<double>(clock_.elapsed()) / 1000);
}

void ExportDialog::begin_movie(const QString& path) {
  const bool is_mp4 = session_->settings().format == movie_as_mp4;
  running_movie_ = movie_->begin(movie_form_->plan(is_mp4 ? MovieFormat::mp4 : MovieFormat::frames), path);
  if (running_movie_ == nullptr) return say(tr("There is no image of the volume yet."), "error");
  connect(running_movie_.get(), &VolumeMovie::progressed, this, [this](int done, int of) {
    bar_->setValue(bar_steps * done / std::max(of, 1));
    say(tr("Frame %1 of %2").arg(done).arg(of), "");
  });
  connect(running_movie_.get(), &VolumeMovie::ended, this,
          [this, path](const Result<void>& result) { end_movie(path, result); });
  show_running(tr("Exporting…"));
}

void ExportDialog::end_movie(const QString& path, const Result<void>& result) {
  running_movie_.release()->deleteLater();  // it is sending this signal
  show_idle(result.ok() ? tr("Close") : tr("Cancel"));
  if (!result.ok() && result.error().kind == ErrorKind::cancelled) return say(tr("Stopped: nothing was written."), "");
  if (!result.ok()) return say(error_text(result.error()), "error");
  say(tr("Wrote %1").arg(QDir::toNativeSeparators(path)), "good");
  Q_EMIT view_export_was_written(path, static_cast<double>(clock_.elapsed()) / 1000);
}

void ExportDialog::show_progress() {
  const live::RunProgress& run = session_->live().run_progress();
  if (!exporting_ || !run.running) return;
  bar_->setValue(static_cast<int>(bar_steps * std::clamp(run.fraction, 0.0, 1.0)));
  QString text = run.doing.empty() ? tr("Exporting…") : translated(run.doing);
  if (run.seconds_left >= 0) text += tr(" · %1 left").arg(duration_text(run.seconds_left));
  say(text, "");
}

void ExportDialog::end(const live::RunEnd& end) {
  if (!std::exchange(exporting_, false)) return show_session();
  show_idle(end.error ? tr("Cancel") : tr("Close"));
  if (!end.error) {
    const QString first =
        QString::fromStdString(end.files.empty() ? std::string() : end.files.front().filename().string());
    const QString took = duration_text(end.seconds);
    say(end.files.size() <= 1 ? tr("Wrote %1 in %2").arg(first, took)
                              : tr("Wrote %1 and %2 more in %3").arg(first).arg(end.files.size() - 1).arg(took),
        "good");
  } else if (end.error->kind == ErrorKind::cancelled) {
    say(tr("Stopped: nothing was written."), "");
  } else {
    say(error_text(*end.error), "error");
  }
}

}  // namespace tl::ui
