// Found text: found values, uncertainties and verdicts as text.
#pragma once

#include <QString>

#include "core/learn/history.h"

namespace tl::ui {

QString trust_word(learn::Trust trust);
QString trust_meaning(learn::Trust trust);
QString trust_tone(learn::Trust trust);  // tone of a badge: "good", "warning", "error"
QString method_name(learn::Method method);
QString decision_word(learn::Decision decision);

// "−23.24 ± 0.04 px", with as many digits as the standard deviation justifies (measured_text()); sigma 0 = not known.
QString found_text(double value, double sigma, Unit unit);
QString iterations_text(int64_t count);  // "1 iteration", "6 iterations"
// For lists: "90 values, −2.9 to 2.8 px". "not known" if the data do not determine it.
QString found_text(const learn::Found& found);

}  // namespace tl::ui
