// StreamDock: a scan that arrives while the sample turns: connect, record, counts, alarms, last view, values over time.
#pragma once

#include <QScrollArea>
#include <map>

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class StreamForm;
class StreamPicture;
class StreamPlots;
class StreamSession;

class StreamDock final : public QScrollArea {
  Q_OBJECT
 public:
  explicit StreamDock(StreamSession& session, QWidget* parent = nullptr);
  [[nodiscard]] StreamForm& form() { return *form_; }
  [[nodiscard]] StreamPlots& plots() { return *plots_; }
  [[nodiscard]] StreamPicture& picture() { return *picture_; }
  [[nodiscard]] QString status_text() const;
  void toggle_connection();
  void toggle_record();  // asks for a name
  void show_pinned(bool pinned);
  // What would be lost by leaving; empty: nothing.
  [[nodiscard]] QString unsaved() const;

 Q_SIGNALS:
  void opened();  // the address is to be remembered
  void pin_wanted();

 private:
  void build_rows(QVBoxLayout& column);
  void refresh();
  void show_status();
  StreamSession& session_;
  StreamForm* form_;
  QPushButton *connect_, *record_, *pin_, *keep_, *measure_;
  QCheckBox* follows_;
  std::map<const QLabel*, QLabel*> titles_;  // by value
  QLabel *state_, *alarms_, *frames_, *gaps_, *faults_, *scan_, *file_, *windows_, *planes_, *followed_;
  QWidget *rows_, *views_;
  StreamPicture* picture_;
  StreamPlots* plots_;
};

}  // namespace tl::ui
