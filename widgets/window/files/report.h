// Report: a self-contained HTML page about a pipeline and its results: drawing, images, found values, parameters,
// timings, versions.
#pragma once

#include <QImage>
#include <QString>
#include <vector>

namespace tl::ui {

struct ReportPicture {
  QString caption;
  QImage image;
};
struct ReportParameter {
  QString name, value, origin;  // "set", "default", "driven by ..."
};
struct ReportNode {
  QString title, id, state, summary, time, error;
  std::vector<ReportParameter> found;  // origin: the verdict
  std::vector<ReportParameter> parameters;
};
struct Report {
  QString title, subtitle;
  QImage pipeline;
  std::vector<ReportPicture> pictures;
  std::vector<ReportNode> nodes;
  std::vector<ReportParameter> facts;  // device, versions, times, inputs
  QStringList messages;
};

// HTML 5 without external files: images are embedded as PNG. All text is escaped.
QString report_html(const Report& report);

}  // namespace tl::ui
