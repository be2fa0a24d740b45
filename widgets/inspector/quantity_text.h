// How values and units are written for people: on screen "µm" and "°", in files "um" and "deg".
#pragma once

#include <QString>

#include "core/node/params.h"

namespace tl::ui {

QString unit_text(Unit unit);
// "1.1 µm", "yes", "auto", "3 values"; choices by their titles.
QString shown_value(const ParamDecl& decl, const ParamValue& value);
// Help, unit, range and default of a parameter, as a tooltip.
QString tooltip_of(const ParamDecl& decl);
// The sentence that a form shows under a field: what is wrong and what is allowed.
QString reason_text(const Error& error);

}  // namespace tl::ui
