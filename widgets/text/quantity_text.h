// Quantity text: values and units as text; on screen "µm" and "°", in files "um" and "deg".
#pragma once

#include <QString>
#include <optional>

#include "core/node/params.h"

namespace tl::ui {

QString unit_text(Unit unit);
// Up to seven significant figures, for display outside of editing.
QString brief_number(double value);
QString shape_words(const std::vector<int64_t>& shape);  // "512 × 512"
// A limit of a declared range; "none" for limits that only catch typing errors, "> 0" for limits that only exclude 0.
QString bound_text(const std::optional<double>& bound);
// "1.1 µm" (as brief_number), "yes", "auto", "3 values"; choices by their titles.
QString shown_value(const ParamDecl& decl, const ParamValue& value);
// Help, unit, range and default of a parameter, for its tool tip.
QString tooltip_of(const ParamDecl& decl);
// The text of a number field, with a decimal point if the locale writes a decimal comma, and with an ASCII minus
// sign if a printed one was pasted. Users of other locales type commas too: parse_value accepts unambiguous
// ones.
std::string typed_number(const QString& text);
// Reads "12.5 um"; numbers without a unit are in `unit`. Invalid if it is not a number or not of this quantity.
Result<Number> read_number(const QString& text, Unit unit);

}  // namespace tl::ui
