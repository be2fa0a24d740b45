// Report: a self-contained HTML page about a pipeline and its results: drawing, images, parameters, plots, times,
// versions, references.
#pragma once

#include <string>
#include <vector>

namespace tl::history {

struct ReportImage {
  std::string caption;
  std::string png;  // bytes of a file
};
struct ReportPlot {
  std::string caption;
  std::string svg;  // an <svg> element
};
struct ReportParameter {
  std::string name, value;
  std::string note;  // for a found value its verdict, else its origin: "set", "default", "driven by ..."
  bool found = false;
};
struct ReportNode {
  std::string title, id, state, summary, time, error;  // empty: not known
  std::vector<ReportParameter> parameters;             // found ones first
};
// All members except the drawings are plain text; empty members are left out.
struct Report {
  std::string title, subtitle;
  std::string pipeline;  // an <svg> element
  std::vector<ReportImage> images;
  std::vector<ReportPlot> plots;
  std::vector<ReportNode> nodes;
  std::vector<ReportParameter> facts;  // device, versions, times, files
  std::vector<std::string> messages;
  std::string bibtex;
};

// HTML 5 without scripts and external files: images are embedded as PNG, drawings as SVG. All texts are escaped.
std::string report_html(const Report& report);

}  // namespace tl::history
