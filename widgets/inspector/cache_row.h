// CacheRow: size of a node's cached results, with buttons to free and to pin them.
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
