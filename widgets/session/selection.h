// Selection: the selected nodes, shared by canvas, outline, inspector and views.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace tl::ui {

// GUI thread only. Nodes are named by their ids. The current node is the last one selected; the inspector shows its
// form.
class Selection final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  [[nodiscard]] const QStringList& nodes() const { return nodes_; }
  [[nodiscard]] const QString& current() const { return current_; }  // empty: none
  void set(const QStringList& nodes, const QString& current);
  void set_one(const QString& node) { set({node}, node); }
  void clear() { set({}, {}); }

 Q_SIGNALS:
  void changed();

 private:
  QStringList nodes_;
  QString current_;
};

}  // namespace tl::ui
