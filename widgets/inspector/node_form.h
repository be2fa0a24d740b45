// NodeForm: the form of one node, generated from its declaration; each change is one undo step of the document.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/inspector/param_field.h"
#include "widgets/session/document.h"

class QToolButton;

namespace tl::ui {

class NodeForm final : public QWidget {
  Q_OBJECT
 public:
  NodeForm(Document& document, const QString& node, QWidget* parent);
  [[nodiscard]] const QString& node() const { return node_; }
  [[nodiscard]] const NodeType& type() const { return type_; }
  [[nodiscard]] ParamField* field(const QString& param) const;
  void show_advanced(bool open);

 Q_SIGNALS:
  void sweep_wanted(const QString& param);

 private:
  void add_fields(ParamLevel level, class QVBoxLayout& column);
  void wire(ParamField& field);
  void refresh();
  [[nodiscard]] FieldState state_of(const ParamDecl& decl, const GraphNode& node) const;
  void set_param(const ParamDecl& decl, const ParamValue& value, Change change);
  [[nodiscard]] QString step_name(const ParamDecl& decl) const;

  Document& document_;
  QString node_;
  const NodeType& type_;
  std::vector<ParamField*> fields_;
  QWidget* advanced_ = nullptr;
  QToolButton* fold_ = nullptr;
};

}  // namespace tl::ui
