// Palette entries: node types to add, or ports to connect to.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/graph/edit.h"

namespace tl::ui {

struct PalettePort {
  QString name;
  PortType type = PortType::projections;
  enum class Side { input, output } side = Side::input;
};

struct PaletteEntry {
  QString key;  // identifies the choice: a type id, or "node.port"
  QString title, category, summary;
  QStringList synonyms;
  std::vector<PalettePort> ports;
};

// Entries for all node types, or for those of `fits`.
std::vector<PaletteEntry> node_entries(const Registry& registry);
std::vector<PaletteEntry> node_entries(const Registry& registry, const std::vector<edit::Fit>& fits);

// Keys of recently added node types, latest first; stored in the user's settings.
QStringList recent_nodes();
void remember_node(const QString& type);

}  // namespace tl::ui
