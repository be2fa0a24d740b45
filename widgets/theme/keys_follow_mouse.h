// Keys that follow the mouse: a view gets the keyboard when the mouse moves over it, where another view has it.
#pragma once

class QWidget;

namespace tl::ui {

// `owner` takes the keyboard from another such widget of its window once the mouse moves, without a button, over
// `moved` (owner itself, or the viewport of it). Fields that are typed into keep it, and so does a view under a mouse
// that rests. Both must have mouse tracking.
void let_keys_follow_mouse(QWidget& owner, QWidget& moved);

}  // namespace tl::ui
