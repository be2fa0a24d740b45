// What a palette offers: node types, or ports to connect to.
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
  QString key;  // what is chosen: a type id, "node.port"
  QString title, category, summary;
  QStringList synonyms;
  std::vector<PalettePort> ports;
};

// All node types, or those of the fits.
std::vector<PaletteEntry> node_entries(const Registry& registry);
std::vector<PaletteEntry> node_entries(const Registry& registry, const std::vector<edit::Fit>& fits);

// The keys that were chosen last, latest first; kept in the user's settings.
QStringList recent_nodes();
void remember_node(const QString& type);

}  // namespace tl::ui
