// CustomPlot: includes QCustomPlot's header, which uses Qt's short keywords. Other files include it only through this
// one.
#pragma once

#define signals Q_SIGNALS
#define foreach(variable, container) for (variable : container)  // NOLINT(bugprone-macro-parentheses): a declaration
#include <qcustomplot.h>
#undef foreach
#undef signals
