// MessagePanel: the messages about this pipeline, above the status line, scrolled to the newest; a click selects the
// node of a message.
#pragma once

#include <QFrame>

class QListView;

namespace tl::ui {

class MessageModel;

class MessagePanel final : public QFrame {
  Q_OBJECT
 public:
  MessagePanel(MessageModel& model, QWidget* parent);
  void open();

 Q_SIGNALS:
  void node_wanted(const QString& node);

 private:
  void hide_earlier();
  MessageModel& model_;
  QListView* list_;
  bool is_at_end_ = true;  // the newest message is in sight
};

}  // namespace tl::ui
