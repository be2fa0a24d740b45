// Palette entries: makes the entries of a palette from node declarations, and remembers recently used node types.
#include "widgets/canvas/palette/palette_entry.h"

#include <QSettings>
#include <algorithm>

#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

constexpr int max_recent = 8;
const QString recent_key = QStringLiteral("palette/recent");

// Whether a node's arrays (offsets, weights or changes) are not typed by users, and have no effect until they are
// learned.
bool is_learned_first(const NodeType& type) {
  return std::any_of(type.params.begin(), type.params.end(), [](const ParamDecl& d) {
    return d.kind == ParamKind::array && d.learnable && std::holds_alternative<std::monostate>(d.initial);
  });
}

PaletteEntry palette_entry(const NodeType& type) {
  PaletteEntry entry{QString::fromStdString(type.id),
                     translated(type.title),
                     QString::fromStdString(type.category),
                     translated(type.summary),
                     {},
                     {}};
  if (is_learned_first(type)) entry.offer = Offer::learned_first;
  for (const std::string& word : type.synonyms) entry.synonyms << QString::fromStdString(word);
  if (entry.title != QString::fromStdString(type.title)) entry.synonyms << QString::fromStdString(type.title);
  for (const PortDecl& p : type.inputs)
    entry.ports.push_back({QString::fromStdString(p.name), p.type, PalettePort::Side::input});
  for (const PortDecl& p : type.outputs)
    entry.ports.push_back({QString::fromStdString(p.name), p.type, PalettePort::Side::output});
  return entry;
}

}  // namespace

std::vector<PaletteEntry> node_entries(const Registry& registry) {
  std::vector<PaletteEntry> entries;
  for (const NodeType& type : registry.types()) entries.push_back(palette_entry(type));
  return entries;
}

std::vector<PaletteEntry> node_entries(const Registry& registry, const std::vector<edit::FittingPort>& fits) {
  std::vector<PaletteEntry> entries;
  for (const edit::FittingPort& fit : fits)
    if (const NodeType* type = registry.find(fit.type)) entries.push_back(palette_entry(*type));
  return entries;
}

std::vector<PaletteEntry> node_entries_after(const Graph& graph, const Registry& registry, const std::string& node) {
  std::vector<PaletteEntry> entries = node_entries(registry);
  for (PaletteEntry& entry : entries) {
    const NodeType* type = registry.find(entry.key.toStdString());
    if (type != nullptr && !edit::may_follow(graph, registry, *type, node)) entry.offer = Offer::not_linked;
  }
  return entries;
}

QStringList recent_nodes() { return QSettings().value(recent_key).toStringList(); }

void remember_node(const QString& type) {
  QStringList recent = recent_nodes();
  recent.removeAll(type);
  recent.prepend(type);
  QSettings().setValue(recent_key, QStringList(recent.mid(0, max_recent)));
}

}  // namespace tl::ui
