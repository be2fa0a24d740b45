// Walk: moves the selection between cards with the arrow keys: along links, otherwise to the nearest card in that
// direction.
#pragma once

#include <QString>

#include "widgets/canvas/canvas_scene.h"

namespace tl::ui {

// Left goes to the card's source, right to its first target from the top, up and down to the neighbours above and
// below. Returns "" if there is none. Without a current card: the first one.
QString next_card(const CanvasScene& scene, const QString& current, int key);

}  // namespace tl::ui
