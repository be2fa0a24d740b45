// MessagePanel: the list of messages above the status line; a click selects the node that a message is about.
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
  MessageModel& model_;
  QListView* list_;
};

}  // namespace tl::ui
