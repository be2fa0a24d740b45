// Notices: what must be seen at once, over the page where the user looks: an error as a banner at its upper edge, the
// end of a run as a note at its lower right.
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

// A box with a text, up to a few buttons and a cross. A button closes it before it does its work.
class Notice final : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { error, done };
  Notice(Kind kind, QWidget* page);
  void open(const QString& text, const std::vector<NoticeButton>& buttons);
  [[nodiscard]] QString text() const;
  void place(const QRect& area);  // within this part of the page

 Q_SIGNALS:
  void opened();

 protected:
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
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
  // They lie over `centre` while it is visible, otherwise over the whole `page`.
  Notices(QWidget& page, QWidget& centre);
  // The newest error replaces the one before. `node`: the one that it is of, if any.
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
