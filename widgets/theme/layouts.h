// Layouts and labels common to all windows: margins and spacing in steps of the theme, notes, headings.
#pragma once

#include <QLabel>
#include <QLayout>

#include "widgets/theme/theme.h"

namespace tl::ui {

// In steps of Theme::space().
struct MarginSteps {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// The layout with these margins, by default none; its spacing is that of the style.
template <class Layout>
Layout* framed(Layout* layout, MarginSteps margins = {}) {
  layout->setContentsMargins(Theme::space(margins.left), Theme::space(margins.top), Theme::space(margins.right),
                             Theme::space(margins.bottom));
  return layout;
}
// Like above, with so many steps between its items.
template <class Layout>
Layout* spaced(Layout* layout, int spacing, MarginSteps margins = {}) {
  layout->setSpacing(Theme::space(spacing));
  return framed(layout, margins);
}

// A wrapped text in the second colour.
inline QLabel* as_note(QLabel* label) {
  label->setProperty("role", "second");
  label->setWordWrap(true);
  return label;
}
inline QLabel* as_heading(QLabel* label) {
  label->setFont(Theme::heading_font());
  label->setProperty("role", "heading");
  return label;
}

}  // namespace tl::ui
