// MessageModel: list of the program's messages, oldest first; at most the last thousand.
#pragma once

#include <QAbstractListModel>
#include <QTime>
#include <deque>

#include "core/live/notification.h"

namespace tl::ui {

struct Message {
  live::MessageLevel level = LogLevel::info;
  QString node;  // empty: about no node
  QString text;
  QTime time;
};

class MessageModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  // The last information once more only gets the new time: every image of a plane that is turned says the same.
  void add(live::MessageLevel level, const QString& node, const QString& text);
  void clear();
  // Another pipeline was loaded. Older messages stay in the list, but are not about it: last() and count() leave them
  // out.
  void begin_pipeline();
  [[nodiscard]] const Message* last() const;  // nullptr when there is none
  [[nodiscard]] const Message& at(int row) const { return messages_.at(static_cast<std::size_t>(row)); }
  [[nodiscard]] int count(live::MessageLevel level) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  void pipeline_begun();

 private:
  std::deque<Message> messages_;
  std::size_t first_ = 0;  // of this pipeline
};

}  // namespace tl::ui
