// CacheRow: what the cache keeps of a node, with buttons to free it and to pin it.
#pragma once

#include <QWidget>

#include "widgets/session/live_session.h"

class QLabel;
class QToolButton;

namespace tl::ui {

class CacheRow final : public QWidget {
  Q_OBJECT
 public:
  explicit CacheRow(LiveSession& session, QWidget* parent = nullptr);
  void show_node(const QString& node);

 private:
  void refresh();
  LiveSession& session_;
  QString node_;
  QLabel* amount_;
  QToolButton *free_, *pin_;
};

}  // namespace tl::ui
