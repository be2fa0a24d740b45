// Translated: the one way of texts of core onto the screen: titles, summaries, help, choices, errors, hints.
#pragma once

#include <QString>
#include <string_view>

#include "core/base/error.h"

namespace tl::ui {

// The context of all texts of core in files of translations. Their list is made by installer/translations.py.
inline constexpr const char* core_context = "core";

// A text of core in the language of the window; if it has two wordings, that of the window (core/base/wording.h). Not
// for names of nodes, ports and parameters in files, for paths, and for the user's texts. Returns the text itself if
// there is no translation.
QString translated(std::string_view text);
// "what (where). hint"
QString translated(const Error& error);

}  // namespace tl::ui
