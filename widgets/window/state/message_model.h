// MessageModel: list of the program's messages with their times, oldest first; at most the last thousand.
#pragma once

#include <QAbstractListModel>
#include <QTime>
#include <deque>
#include <functional>

#include "core/live/notification.h"

namespace tl::ui {

struct Message {
  live::MessageLevel level = LogLevel::info;
  QString node;   // empty: about no node
  QString title;  // title of the node's card when the message arrived
  QString text;
  QTime time;
};

class MessageModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  // Sets a function that returns titles of nodes; without it, their ids are shown.
  void set_titles(std::function<QString(const QString& node)> title_of) { title_of_ = std::move(title_of); }
  // If this pipeline had the same information or warning before, it moves to the end with the new time: otherwise every
  // image of a rotated plane would repeat it. Errors are each listed.
  void add(live::MessageLevel level, const QString& node, const QString& text);
  void clear();
  // Another pipeline was loaded. Older messages stay in the list, but belong to an earlier pipeline: last() and count()
  // ignore them, and is_earlier() is true for their rows.
  void begin_pipeline();
  [[nodiscard]] bool is_earlier(int row) const { return static_cast<std::size_t>(row) < first_; }
  [[nodiscard]] const Message* last() const;  // nullptr when there is none
  [[nodiscard]] const Message& at(int row) const { return messages_.at(static_cast<std::size_t>(row)); }
  [[nodiscard]] int count(live::MessageLevel level) const;
  [[nodiscard]] int count() const { return static_cast<int>(messages_.size() - first_); }  // about this pipeline

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  void pipeline_begun();

 private:
  void take_back_repeated(const Message& message);
  std::function<QString(const QString&)> title_of_;
  std::deque<Message> messages_;
  std::size_t first_ = 0;  // of this pipeline
};

}  // namespace tl::ui
