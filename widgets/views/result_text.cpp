// Result text: writes names of nodes and values of parameters as text.
#include "widgets/views/result_text.h"

#include <algorithm>

#include "widgets/language/translated.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui {
namespace {

const NodeType* find_node_type(const PictureSource& source, const QString& id) {
  return tl::find_node_type(source.graph(), source.registry(), id.toStdString());
}

}  // namespace

const ParamDecl* declaration_of(const PictureSource& source, const Output& param) {
  const NodeType* type = find_node_type(source, param.node);
  return type == nullptr ? nullptr : type->param(param.port.toStdString());
}

QString node_name(const PictureSource& source, const QString& id) {
  const NodeType* type = find_node_type(source, id);
  if (type == nullptr) return id;
  const auto& nodes = source.graph().nodes;
  const QString title = translated(type->title);
  const auto same = [type](const auto& other) { return other.second.type == type->id; };
  return std::count_if(nodes.begin(), nodes.end(), same) > 1 ? QStringLiteral("%1 (%2)").arg(title, id) : title;
}
QString value_in(const PictureSource& source, const Output& param) {
  const ParamDecl* decl = declaration_of(source, param);
  if (decl == nullptr) return {};
  const auto& params = source.graph().nodes.at(param.node.toStdString()).params;
  const auto set = params.find(decl->name);
  const ParamValue& value = set == params.end() ? decl->initial : set->second;
  QString text = shown_value(*decl, value);
  if (!std::holds_alternative<std::monostate>(value)) return text;
  const auto found = source.status(param.node).found;
  const auto measured = found.find(decl->name);
  return measured == found.end() ? text : QStringLiteral("%1: %2").arg(text, QString::fromStdString(measured->second));
}

QString setting_text(const PictureSource& source, const Output& shown, const Output& param) {
  const ParamDecl* decl = declaration_of(source, param);
  if (decl == nullptr) return {};
  const QString where = param.node == shown.node ? QString() : node_name(source, param.node) + QStringLiteral(", ");
  return where + translated(decl->title) + QLatin1Char(' ') + value_in(source, param);
}

}  // namespace tl::ui
