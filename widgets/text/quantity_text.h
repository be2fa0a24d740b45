// How values and units are written for people: on screen "µm" and "°", in files "um" and "deg".
#pragma once

#include <QString>
#include <optional>

#include "core/node/params.h"

namespace tl::ui {

QString unit_text(Unit unit);
// Seven significant figures at most: what a number is shown with where nobody edits it.
QString brief_number(double value);
QString shape_words(const std::vector<int64_t>& shape);  // "512 × 512"
// The end of a declared range; "none" where it only guards against slips, "> 0" where it only forbids zero.
QString bound_text(const std::optional<double>& bound);
// "1.1 µm" (as brief_number), "yes", "auto", "3 values"; choices by their titles.
QString shown_value(const ParamDecl& decl, const ParamValue& value);
// Help, unit, range and default of a parameter, as a tooltip.
QString tooltip_of(const ParamDecl& decl);
// The sentence that a form shows under a field: what is wrong and what is allowed.
QString reason_text(const Error& error);

}  // namespace tl::ui
