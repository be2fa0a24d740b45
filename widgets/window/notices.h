// Notices: urgent messages: an error as a banner over the upper edge of the page; the end of a run as a line below the
// page, which becomes smaller, so that no image and no card is covered.
#pragma once

#include <QFrame>
#include <QObject>
#include <QTimer>
#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace tl::ui {

struct NoticeButton {
  QString text;
  std::function<void()> does;
};

// A text, up to a few buttons and a cross. A button closes the notice before it calls its function.
class Notice final : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { error, done };
  Notice(Kind kind, QWidget* parent);
  void open(const QString& text, const std::vector<NoticeButton>& buttons);
  [[nodiscard]] QString text() const;
  void place(const QRect& area);  // position of an error: within this part of the page

 Q_SIGNALS:
  void opened();

 protected:
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void lay_out_banner(QWidget* close);
  void lay_out_line(QWidget* close);
  void clear_buttons();
  Kind kind_;
  QLabel *icon_, *text_;
  QHBoxLayout* buttons_;
  QTimer timer_;  // closes what needs no answer
};

// GUI thread only.
class Notices final : public QObject {
  Q_OBJECT
 public:
  // Errors lie over `centre` while it is visible, otherwise over the whole `page`.
  Notices(QWidget& page, QWidget& centre);
  [[nodiscard]] QWidget* end_of_run() { return done_; }  // the line that the window lays out below the page
  // The newest error replaces the previous one. `node`: the node of the error, if any.
  void show_error(const QString& text, const std::vector<NoticeButton>& buttons = {}, const QString& node = {});
  void show_done(const QString& text, const std::vector<NoticeButton>& buttons);
  void close_error();
  [[nodiscard]] const QString& node() const { return node_; }  // of the open error
  [[nodiscard]] const Notice& error() const { return *error_; }
  [[nodiscard]] const Notice& done() const { return *done_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  QWidget &page_, &centre_;
  Notice *error_, *done_;
  QString node_;
};

}  // namespace tl::ui
