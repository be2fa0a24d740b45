// Walking from card to card with the arrow keys: along links, else to the nearest card that way.
#pragma once

#include <QString>

#include "widgets/canvas/canvas_scene.h"

namespace tl::ui {

// Left goes to what feeds the card, right to what it feeds (the first of them from the top), up and down to the
// neighbour above and below. "" = nothing there. Without a current card: the first one.
QString next_card(const CanvasScene& scene, const QString& current, int key);

}  // namespace tl::ui
