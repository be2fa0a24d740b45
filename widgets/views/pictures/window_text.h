// Window text: the limits of a grey window as text, and read from text.
#pragma once

#include <QString>
#include <optional>
#include <utility>

#include "core/picture/levels.h"

namespace tl::ui {

// Both limits with as many decimals as the larger one needs for three significant digits, or more if the window is
// narrow: "−0.00146", "0.00985".
std::pair<QString, QString> window_texts(picture::Levels levels);
// A limit typed by the user, with either minus sign and either decimal mark.
std::optional<double> typed_limit(const QString& text);

}  // namespace tl::ui
