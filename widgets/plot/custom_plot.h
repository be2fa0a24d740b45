// QCustomPlot's header, which is written with Qt's short keywords; nothing else of ours includes it.
#pragma once

#define signals Q_SIGNALS
#define foreach(variable, container) for (variable : container)  // NOLINT(bugprone-macro-parentheses): a declaration
#include <qcustomplot.h>
#undef foreach
#undef signals
