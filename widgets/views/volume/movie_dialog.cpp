// MovieDialog: a form above, progress below.
#include "widgets/views/volume/movie_dialog.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/session/loss_question.h"
#include "widgets/session/save_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/volume/movie_form.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {

constexpr int dialog_width = 420;  // px

const char* ending_of(MovieFormat format) { return format == MovieFormat::mp4 ? ".mp4" : ""; }

}  // namespace

MovieDialog::MovieDialog(VolumePane& pane, QWidget* parent)
    : QDialog(parent),
      pane_(&pane),
      form_(new MovieForm(pane.size() * pane.devicePixelRatioF(), this)),
      format_(new QComboBox(this)),
      progress_(new QProgressBar(this)),
      message_(new QLabel(this)),
      save_(new QPushButton(tr("Save…"), this)),
      cancel_(new QPushButton(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Movie of the 3D view"));
  setMinimumWidth(dialog_width);
  format_->addItem(tr("MP4 (H.264)"), static_cast<int>(MovieFormat::mp4));
  format_->addItem(tr("Numbered PNG frames in a folder"), static_cast<int>(MovieFormat::frames));
  if (ffmpeg_program().isEmpty()) {
    format_->setItemText(0, tr("MP4 (H.264): needs the program ffmpeg"));
    if (auto* items = qobject_cast<QStandardItemModel*>(format_->model())) items->item(0)->setEnabled(false);
    format_->setCurrentIndex(1);
  }
  form_->add_row(tr("Format"), format_);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Frames done"));
  as_note(message_);
  save_->setProperty("role", "primary");
  save_->setDefault(true);
  auto* foot = new QHBoxLayout;
  foot->addWidget(message_, 1);
  foot->addWidget(cancel_);
  foot->addWidget(save_);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Theme::space(3));
  column->addWidget(form_);
  column->addWidget(progress_);
  column->addLayout(foot);
  connect(save_, &QPushButton::clicked, this, &MovieDialog::ask_and_save);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (movie_ == nullptr) return reject();
    movie_->cancel();
    message_->setText(tr("Cancelling…"));
  });
  show_state();
}

MoviePlan MovieDialog::plan() const { return form_->plan(static_cast<MovieFormat>(format_->currentData().toInt())); }

void MovieDialog::ask_and_save() {
  const MovieFormat format = plan().shape.format;
  const QString ending = QString::fromLatin1(ending_of(format));
  const QString filter = format == MovieFormat::frames ? tr("Folders (*)") : tr("Movies (*%1)").arg(ending);
  const QString path = ask_for_file(this, {tr("Save the movie"), tr("movie") + ending, filter, {ending}});
  if (!path.isEmpty()) save(path);
}

void MovieDialog::save(const QString& path) {
  if (pane_ == nullptr || movie_ != nullptr) return;
  const MoviePlan wanted = plan();
  auto parts = pane_->movie_parts(wanted.shape.size);
  if (!parts) {
    message_->setText(tr("There is no image of the volume yet."));
    return;
  }
  file_ = path;
  timer_.start();
  movie_ = std::make_unique<VolumeMovie>(VolumeMovie::Source{parts->voxels, parts->scene, parts->overlay}, wanted, path,
                                         pane_->export_rules());
  connect(movie_.get(), &VolumeMovie::progressed, this, &MovieDialog::show_progress);
  connect(movie_.get(), &VolumeMovie::ended, this, &MovieDialog::end);
  show_progress(0, wanted.shape.frames);
  show_state();
}

void MovieDialog::show_progress(int done, int of) {
  progress_->setRange(0, of);
  progress_->setValue(done);
  QString text = tr("Frame %1 of %2").arg(done).arg(of);
  if (done > 0) {
    const double left = static_cast<double>(timer_.elapsed()) / 1000 * (of - done) / done;
    text += tr(" · %1 s left").arg(std::ceil(left));
  }
  message_->setText(text);
}

void MovieDialog::end(const Result<void>& result) {
  movie_.release()->deleteLater();  // it is sending this signal
  if (result.ok())
    message_->setText(tr("Saved %1").arg(QFileInfo(file_).fileName()));
  else if (result.error().kind == ErrorKind::cancelled)
    message_->setText(tr("Cancelled; nothing was written."));
  else
    message_->setText(error_text(result.error()));
  show_state();
  Q_EMIT finished_movie(result);
  if (closing_) QDialog::done(Rejected);
}

void MovieDialog::show_state() {
  const bool busy = is_busy();
  for (QWidget* field : std::initializer_list<QWidget*>{form_, save_}) field->setEnabled(!busy);
  progress_->setVisible(busy);
  cancel_->setText(busy ? tr("Cancel") : tr("Close"));
}

void MovieDialog::done(int result) {
  const LossQuestion question{windowTitle(), tr("Closing this window ends the movie."), tr("Nothing of it is kept."),
                              tr("End and close")};
  if (movie_ != nullptr && !confirm_loss(this, question)) return;
  // It may have ended while the question was open.
  if (movie_ == nullptr) return QDialog::done(result);
  // Its thread is not waited for here: a frame may take seconds.
  closing_ = true;
  movie_->cancel();
  hide();
}

void open_movie_dialog(VolumePane& pane) {
  auto* dialog = new MovieDialog(pane, pane.window());
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace tl::ui
