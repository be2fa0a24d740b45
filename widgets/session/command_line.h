// The command line program, which continues to run when no window is open.
#pragma once

#include <QString>

namespace tl::ui {

// Environment variable that names another program, for tests.
inline constexpr const char* command_line_variable = "TL_COMMAND_LINE";
// Absolute path of `tomoloom`: next to this program, else in PATH; empty: it is not installed.
QString command_line_program();

}  // namespace tl::ui
