// Report: writes a pipeline and its results as one HTML page.
#include "core/history/report/report.h"

#include "core/base/markup.h"
#include "core/graph/base64.h"
#include "core/history/report/paper.h"

namespace tl::history {
namespace {

std::string css() {
  using std::string;
  return string("body{font:14px/1.45 Inter,system-ui,sans-serif;color:") + paper::ink +
         ";background:#fff;max-width:1080px;margin:32px auto;padding:0 24px}h1{font-size:26px;margin:0}"
         "h2{font-size:17px;margin:32px 0 8px;border-bottom:1px solid " +
         paper::line + "}h3{font-size:14px;margin:20px 0 4px}.second,figcaption{color:" + paper::second +
         "}img,svg{max-width:100%;height:auto;border-radius:6px}table{border-collapse:collapse;width:100%}"
         "td{text-align:left;padding:3px 12px 3px 0;vertical-align:top;border-bottom:1px solid " +
         paper::line +
         ";font-variant-numeric:tabular-nums;overflow-wrap:anywhere}td:first-child{width:32%}.error{color:" +
         paper::error + "}.found{color:" + paper::accent + ";font-weight:600}.good{color:" + paper::good +
         "}.warning{color:" + paper::warning +
         "}pre{white-space:pre-wrap;font-size:12px}.images{display:flex;flex-wrap:wrap;gap:16px}"
         "figure{margin:0;flex:1 1 320px}@media print{body{margin:0}figure,h2,h3,tr{break-inside:avoid}}";
}

std::string heading(const char* text) { return std::string("<h2>") + text + "</h2>\n"; }

std::string figure(const std::string& content, const std::string& caption) {
  return "<figure>" + content + "<figcaption>" + html_escaped(caption) + "</figcaption></figure>\n";
}

std::string parameter_rows(const std::vector<ReportParameter>& parameters) {
  std::string html = "<table>\n";
  for (const ReportParameter& p : parameters) {
    const char* const note_class = !p.found || p.note.empty() ? "second" : p.note == "resolved" ? "good" : "warning";
    html += "<tr><td>" + html_escaped(p.name) + "</td><td" + (p.found ? " class=\"found\"" : "") + ">" +
            html_escaped(p.value) + "</td><td class=\"" + note_class + "\">" + html_escaped(p.note) + "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string node_part(const ReportNode& node) {
  std::string second = html_escaped(node.id);
  for (const std::string& part : {node.state, node.summary, node.time})
    if (!part.empty()) second += " · " + html_escaped(part);
  std::string html = "<h3>" + html_escaped(node.title) + " <span class=\"second\">" + second + "</span></h3>\n";
  if (!node.error.empty()) html += "<p class=\"error\">" + html_escaped(node.error) + "</p>\n";
  return node.parameters.empty() ? html : html + parameter_rows(node.parameters);
}

}  // namespace

std::string report_html(const Report& report) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>" +
      html_escaped(report.title) + "</title><style>" + css() + "</style></head><body>\n<h1>" +
      html_escaped(report.title) + "</h1><p class=\"second\">" + html_escaped(report.subtitle) + "</p>\n";
  if (!report.pipeline.empty()) html += heading("Pipeline") + report.pipeline;
  if (!report.images.empty()) {
    html += heading("Images") + "<div class=\"images\">\n";
    for (const ReportImage& image : report.images)
      html += figure("<img alt=\"" + html_escaped(image.caption) + "\" src=\"data:image/png;base64," +
                         encode_base64(image.png.data(), image.png.size()) + "\">",
                     image.caption);
    html += "</div>\n";
  }
  if (!report.nodes.empty()) html += heading("Nodes and parameters");
  for (const ReportNode& node : report.nodes) html += node_part(node);
  if (!report.plots.empty()) {
    html += heading("Plots") + "<div class=\"images\">\n";
    for (const ReportPlot& plot : report.plots) html += figure(plot.svg, plot.caption);
    html += "</div>\n";
  }
  if (!report.facts.empty()) html += heading("How it was made") + parameter_rows(report.facts);
  if (!report.messages.empty()) html += heading("Messages");
  for (const std::string& line : report.messages) html += "<p class=\"second\">" + html_escaped(line) + "</p>\n";
  if (!report.bibtex.empty())
    html += heading("References (BibTeX)") + "<pre>" + html_escaped(report.bibtex) + "</pre>\n";
  return html + "</body></html>\n";
}

}  // namespace tl::history
