// Palette entries: node types to add, or ports to connect to.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/graph/edit.h"

namespace tl::ui {

struct PalettePort {
  QString name;
  PortType type{};
  enum class Side { input, output } side = Side::input;
};

// not_linked: the node does not fit where it would be added; learned_first: it has no effect before one of its arrays
// is learned. Both come after nodes with an immediate effect.
enum class Offer { effective, learned_first, not_linked };

struct PaletteEntry {
  QString key;                       // identifies the choice: a type id, or "node.port"
  QString title, category, summary;  // the category in English
  QStringList synonyms;
  std::vector<PalettePort> ports;
  Offer offer = Offer::effective;
};

// Entries for all node types, or for those of `fits`.
std::vector<PaletteEntry> node_entries(const Registry& registry);
std::vector<PaletteEntry> node_entries(const Registry& registry, const std::vector<edit::FittingPort>& fits);

// Entries for all node types, to be added after a node; those that cannot follow it are not_linked.
std::vector<PaletteEntry> node_entries_after(const Graph& graph, const Registry& registry, const std::string& node);

// Keys of recently added node types, latest first; stored in the user's settings.
QStringList recent_nodes();
void remember_node(const QString& type);

}  // namespace tl::ui
