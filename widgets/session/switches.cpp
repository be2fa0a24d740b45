// Switches of the studio: their keys, texts and shortcuts.
#include "widgets/session/switches.h"

#include <QCoreApplication>

namespace tl::ui {

std::vector<SwitchAction> switch_actions() {
  const auto tr = [](const char* text) { return QCoreApplication::translate("tl::ui::SwitchAction", text); };
  return {
      {&live::Switches::thumbnails, "thumbnails", tr("Pictures on the cards"), {Qt::ALT | Qt::Key_P}},
  };
}

}  // namespace tl::ui
