// Report: writes a pipeline and its results as one HTML page.
#include "widgets/window/files/report.h"

#include <QBuffer>
#include <QCoreApplication>

#include "widgets/theme/tokens.h"

namespace tl::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("tl::ui::Report", text); }
QString html_escaped(const QString& text) { return text.toHtmlEscaped(); }

// Colours of the light theme, whatever the theme of the window: reports are printed on white.
QString paper_color(Token token) {
  const TokenSet& light = token_sets()[1];
  return QStringLiteral("#%1").arg(light.colors.at(static_cast<std::size_t>(token)) & 0xffffff, 6, 16, QChar('0'));
}

QString style() {
  return QStringLiteral(
             "body{font:14px/1.45 Inter,system-ui,sans-serif;color:%1;max-width:1080px;margin:32px auto;padding:0 24px}"
             "h1{font-size:26px;margin:0}h2{font-size:17px;margin:32px 0 8px;border-bottom:1px solid %2}"
             "h3{font-size:14px;margin:20px 0 4px}p.second,td.second,span.second,figcaption{color:%3}"
             "img{max-width:100%;height:auto;border-radius:6px}table{border-collapse:collapse;width:100%}"
             "td,th{text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid %2;vertical-align:top;"
             "font-variant-numeric:tabular-nums}.error{color:%4}.found{color:%5;font-weight:600}"
             "div.pictures{display:flex;flex-wrap:wrap;gap:16px}figure{margin:0;flex:1 1 320px}"
             "@media print{body{margin:0}}")
      .arg(paper_color(Token::text), paper_color(Token::line), paper_color(Token::text_second),
           paper_color(Token::error), paper_color(Token::accent));
}

QString picture(const QImage& image, const QString& words) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\">")
      .arg(html_escaped(words), QString::fromLatin1(bytes.toBase64()));
}

QString rows(const std::vector<ReportParameter>& parameters, const QString& value_class) {
  QString html;
  for (const ReportParameter& p : parameters)
    html += QStringLiteral("<tr><td>%1</td><td class=\"%2\">%3</td><td class=\"second\">%4</td></tr>")
                .arg(html_escaped(p.name), value_class, html_escaped(p.value), html_escaped(p.origin));
  return html;
}

QString node_html(const ReportNode& node) {
  QString html = QStringLiteral("<h3>%1 <span class=\"second\">%2 · %3%4%5</span></h3>")
                     .arg(html_escaped(node.title), html_escaped(node.id), html_escaped(node.state),
                          node.summary.isEmpty() ? QString() : QStringLiteral(" · ") + html_escaped(node.summary),
                          node.time.isEmpty() ? QString() : QStringLiteral(" · ") + html_escaped(node.time));
  if (!node.error.isEmpty()) html += QStringLiteral("<p class=\"error\">%1</p>").arg(html_escaped(node.error));
  if (node.found.empty() && node.parameters.empty()) return html;
  return html + QStringLiteral("<table>") + rows(node.found, QStringLiteral("found")) + rows(node.parameters, {}) +
         QStringLiteral("</table>");
}

}  // namespace

QString report_html(const Report& report) {
  QString html = QStringLiteral(
                     "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title><style>%2"
                     "</style></head><body><h1>%1</h1><p class=\"second\">%3</p>")
                     .arg(html_escaped(report.title), style(), html_escaped(report.subtitle));
  const auto section = [&html](const QString& title) {
    html += QStringLiteral("<h2>%1</h2>").arg(html_escaped(title));
  };
  if (!report.pipeline.isNull()) {
    section(tr("Pipeline"));
    html += picture(report.pipeline, tr("Drawing of the pipeline"));
  }
  if (!report.pictures.empty()) {
    section(tr("Images"));
    html += QStringLiteral("<div class=\"pictures\">");
    for (const ReportPicture& p : report.pictures)
      html += QStringLiteral("<figure>%1<figcaption>%2</figcaption></figure>")
                  .arg(picture(p.image, p.caption), html_escaped(p.caption));
    html += QStringLiteral("</div>");
  }
  section(tr("Nodes and parameters"));
  for (const ReportNode& node : report.nodes) html += node_html(node);
  section(tr("How it was made"));
  html += QStringLiteral("<table>") + rows(report.facts, {}) + QStringLiteral("</table>");
  if (!report.messages.isEmpty()) {
    section(tr("Messages"));
    for (const QString& line : report.messages)
      html += QStringLiteral("<p class=\"second\">%1</p>").arg(html_escaped(line));
  }
  return html + QStringLiteral("</body></html>\n");
}

}  // namespace tl::ui
