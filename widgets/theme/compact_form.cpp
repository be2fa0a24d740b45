// Sets the spacing of forms in docks, in one place.
#include "widgets/theme/compact_form.h"

#include <QFormLayout>

#include "widgets/theme/theme.h"

namespace tl::ui {

void set_up_compact_form(QFormLayout& form) {
  form.setContentsMargins(0, 0, 0, 0);
  form.setVerticalSpacing(Theme::space(1));
  form.setHorizontalSpacing(Theme::space(2));
  form.setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form.setRowWrapPolicy(QFormLayout::WrapLongRows);
}

}  // namespace tl::ui
