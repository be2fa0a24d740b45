// Palette entries: makes the entries of a palette from node declarations, and remembers recently used node types.
#include "widgets/canvas/palette/palette_entry.h"

#include <QSettings>
#include <algorithm>

namespace tl::ui {
namespace {

constexpr int most_recent = 8;
const QString recent_key = QStringLiteral("palette/recent");

PaletteEntry entry_of(const NodeType& type) {
  PaletteEntry entry{QString::fromStdString(type.id),
                     QString::fromStdString(type.title),
                     QString::fromStdString(type.category),
                     QString::fromStdString(type.summary),
                     {},
                     {}};
  for (const std::string& word : type.synonyms) entry.synonyms << QString::fromStdString(word);
  for (const PortDecl& p : type.inputs)
    entry.ports.push_back({QString::fromStdString(p.name), p.type, PalettePort::Side::input});
  for (const PortDecl& p : type.outputs)
    entry.ports.push_back({QString::fromStdString(p.name), p.type, PalettePort::Side::output});
  return entry;
}

}  // namespace

std::vector<PaletteEntry> node_entries(const Registry& registry) {
  std::vector<PaletteEntry> entries;
  for (const NodeType& type : registry.types()) entries.push_back(entry_of(type));
  return entries;
}

std::vector<PaletteEntry> node_entries(const Registry& registry, const std::vector<edit::Fit>& fits) {
  std::vector<PaletteEntry> entries;
  for (const edit::Fit& fit : fits)
    if (const NodeType* type = registry.find(fit.type)) entries.push_back(entry_of(*type));
  return entries;
}

QStringList recent_nodes() { return QSettings().value(recent_key).toStringList(); }

void remember_node(const QString& type) {
  QStringList recent = recent_nodes();
  recent.removeAll(type);
  recent.prepend(type);
  QSettings().setValue(recent_key, QStringList(recent.mid(0, most_recent)));
}

}  // namespace tl::ui
