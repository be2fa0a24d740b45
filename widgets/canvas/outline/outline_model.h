// OutlineModel: the pipeline as a tree: nodes in order of execution, and below each its inputs with their sources.
#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "widgets/canvas/graph_editor.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

class OutlineModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  OutlineModel(GraphEditor& editor, LiveSession& session, QObject* parent = nullptr);

  // The node of a row, or the node to which an input row belongs; "" if none.
  [[nodiscard]] QString node(const QModelIndex& index) const;
  [[nodiscard]] QString port(const QModelIndex& index) const;  // of input rows; "" for nodes
  [[nodiscard]] QModelIndex index_of(const QString& node) const;
  static constexpr int state_role = Qt::UserRole;  // live::State of a node as int

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;  // renames the node
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Input {
    QString port, text;
  };
  struct Line {
    QString id, title;
    std::vector<Input> inputs;
    friend bool operator==(const Line& a, const Line& b) { return a.id == b.id && a.title == b.title; }
  };
  void rebuild();
  void update_state(const QString& node);
  [[nodiscard]] std::vector<Line> lines() const;
  [[nodiscard]] QString state_label(const QString& node) const;
  [[nodiscard]] QString state_and_cache_text(const QString& node) const;
  [[nodiscard]] live::State state(const QString& node) const;
  GraphEditor& editor_;
  LiveSession& session_;
  std::vector<Line> lines_;
};

}  // namespace tl::ui
