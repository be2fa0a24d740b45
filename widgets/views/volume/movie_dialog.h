// MovieDialog: what a movie of the 3D view shows, its length, size and format; saves it with progress and cancel.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QPointer>

#include "widgets/views/volume/volume_movie.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

class MovieForm;
class VolumePane;

// Opens the dialog for a pane.
void open_movie_dialog(VolumePane& pane);

// GUI thread only. Modeless; closing it cancels, once the user has agreed.
class MovieDialog final : public QDialog {
  Q_OBJECT
 public:
  MovieDialog(VolumePane& pane, QWidget* parent);
  [[nodiscard]] MoviePlan plan() const;
  void save(const QString& path);  // asks nothing
  [[nodiscard]] bool is_busy() const { return movie_ != nullptr; }

 Q_SIGNALS:
  void finished_movie(const tl::Result<void>& result);

 protected:
  void done(int result) override;

 private:
  void ask_and_save();
  void show_progress(int done, int of);
  void end(const Result<void>& result);
  void show_state();
  QPointer<VolumePane> pane_;
  MovieForm* form_;
  QComboBox* format_;
  QProgressBar* progress_;
  QLabel* message_;
  QPushButton *save_, *cancel_;
  QElapsedTimer timer_;
  QString file_;
  bool closing_ = false;  // closes when the movie has ended
  std::unique_ptr<VolumeMovie> movie_;
};

}  // namespace tl::ui
