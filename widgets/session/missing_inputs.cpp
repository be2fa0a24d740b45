// Lists input files that are missing at the paths in a pipeline, and sets their new paths.
#include "widgets/session/missing_inputs.h"

#include <QDir>
#include <QFileInfo>

namespace tl::ui {

std::optional<std::string> input_to_choose(const Graph& graph, const Registry& registry) {
  for (const auto& [id, node] : graph.nodes) {
    const bool loads =
        registry.has_role(node.type, NodeRole::load_scan) || registry.has_role(node.type, NodeRole::load_volume);
    if (!loads || node.use != NodeUse::active) continue;
    const auto set = node.params.find("file");
    const auto* file = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
    if (file == nullptr || file->empty()) return id;
  }
  return std::nullopt;
}

std::vector<MissingInput> missing_inputs(const Document& document, const QString& node) {
  std::vector<MissingInput> missing;
  for (const auto& [id, one] : document.graph().nodes) {
    const NodeType* type = document.registry().find(one.type);
    if (type == nullptr || (!node.isEmpty() && node.toStdString() != id)) continue;
    for (const ParamDecl& decl : type->params) {
      const auto set = one.params.find(decl.name);
      if (decl.path != PathRole::input || set == one.params.end()) continue;
      const auto* text = std::get_if<std::string>(&set->second);
      if (text == nullptr || text->empty()) continue;
      const QString file = QString::fromStdString(*text);
      if (!QFileInfo::exists(file)) missing.push_back({id, decl.name, file});
    }
  }
  return missing;
}

MovedFolder MovedFolder::between(const QString& earlier, const QString& now) {
  QStringList from = QDir::cleanPath(earlier).split(QChar('/')), to = QDir::cleanPath(now).split(QChar('/'));
  while (from.size() > 1 && to.size() > 1 && from.constLast() == to.constLast()) {
    from.removeLast();
    to.removeLast();
  }
  return {from.join(QChar('/')), to.join(QChar('/'))};
}

QString MovedFolder::place_of(const QString& file) const {
  const QString clean = QDir::cleanPath(file);
  if (clean != from && !clean.startsWith(from + QChar('/'))) return {};
  const QString now = to + clean.mid(from.size());
  return QFileInfo::exists(now) ? now : QString();
}

void relocate(Document& document, const MissingInput& missing, const QString& now) {
  const MovedFolder moved = MovedFolder::between(missing.file, now);
  const std::vector<MissingInput> all = missing_inputs(document);
  document.edit(Document::tr("Locate %1").arg(QFileInfo(missing.file).fileName()), [&](Graph& graph) {
    for (const MissingInput& other : all) {
      const QString place = moved.place_of(other.file);
      if (!place.isEmpty()) graph.nodes.at(other.node).params[other.parameter] = place.toStdString();
    }
    graph.nodes.at(missing.node).params[missing.parameter] = now.toStdString();
  });
}

}  // namespace tl::ui
