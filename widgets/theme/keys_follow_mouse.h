// Keyboard focus by mouse: a view gets the keyboard focus when the mouse moves over it, if another view has it.
#pragma once

class QWidget;

namespace tl::ui {

// `owner` gets the keyboard focus from another such widget of its window when the mouse moves without a button over
// `moved` (owner itself or its viewport). Text fields keep the focus, and a mouse at rest changes nothing. Both must
// have mouse tracking.
void let_keys_follow_mouse(QWidget& owner, QWidget& moved);

}  // namespace tl::ui
