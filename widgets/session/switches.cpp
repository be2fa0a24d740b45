// Switches of the studio: defines their keys, texts and shortcuts in one table.
#include "widgets/session/switches.h"

#include <QCoreApplication>

namespace tl::ui {

std::vector<SwitchAction> switch_actions() {
  const auto tr = [](const char* text) { return QCoreApplication::translate("tl::ui::SwitchAction", text); };
  return {
      {&live::Switches::thumbnails, "thumbnails", tr("Images on the cards"), {Qt::ALT | Qt::Key_P}},
  };
}

}  // namespace tl::ui
