// Writes reports to files that the user names: HTML pages and PDF.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/history/report/report.h"
#include "widgets/session/exports.h"

class QWidget;

namespace tl::ui {

// Asks for the file; its ending (HTML or PDF) selects the format. Empty if the user cancels. `name`: the proposed name
// without ending.
QString ask_for_report_file(QWidget* parent, const QString& name);

// The page as PDF on A4, with drawings as images. GUI thread only; takes as long as painting the pages.
QByteArray report_pdf(const history::Report& report);
// The same of history::report_html().
QByteArray page_pdf(const QString& page, const QString& title);

// Writes the whole file or nothing. Errors: those of write_export().
Result<void> write_report_file(const history::Report& report, const QString& path, const ExportRules& rules);

}  // namespace tl::ui
