// Switches of the studio: each is a checkable action of the graph and a key of the settings file.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <vector>

#include "core/live/switches.h"

namespace tl::ui {

struct SwitchAction {
  bool live::Switches::*value;
  const char* key;  // in the settings file; also the name of the action
  QString text;
  QList<QKeySequence> shortcuts;
};
// In the order of menus.
std::vector<SwitchAction> switch_actions();

}  // namespace tl::ui
