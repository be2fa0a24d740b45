// ReportFlow: collects a Report from session, canvas and views, and writes it.
#include "widgets/window/files/report_flow.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QGraphicsScene>
#include <QPainter>

#include "core/run/record/versions.h"
#include "widgets/canvas/canvas.h"
#include "widgets/inspector/editors/drive_links.h"
#include "widgets/session/exports.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"
#include "widgets/views/views_area.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {
namespace {

// JSON without braces and quotes: "tomoloom: 0.1.0, torch: 2.11.0".
QString json_without_braces(QString json) {
  for (const char mark : {'{', '}', '"'}) json.remove(QChar(mark));
  return json.simplified();
}

QString verdict_text(Verdict verdict) {
  return verdict == Verdict::none ? QString() : QString::fromUtf8(to_string(verdict).data());
}

}  // namespace

ReportFlow::ReportFlow(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
  connect(&parts_.session, &LiveSession::run_finished, this, [this](const live::RunEnd& end) {
    last_run_ = end;
    has_run_ = true;
  });
  connect(&parts_.session.document(), &Document::was_reset, this, [this] { has_run_ = false; });
}

Result<void> ReportFlow::write(const QString& path) {
  return write_export(path, report_html(collect()).toUtf8(),
                      [this] { return parts_.session.document().export_rules(); });
}

Report ReportFlow::collect() const {
  const Document& document = parts_.session.document();
  Report report;
  report.title = document.graph().title.empty() ? document.title() : QString::fromStdString(document.graph().title);
  report.subtitle = tr("Tomoloom %1 · %2")
                        .arg(QString::fromStdString(version()),
                             QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")));
  report.pipeline = drawing();
  report.pictures = pictures();
  if (const auto order = topological_order(document.graph()); order.ok())
    for (const std::string& id : order.value()) report.nodes.push_back(node(id));
  report.facts = facts();
  for (int row = 0; row < parts_.messages.rowCount(); ++row)
    report.messages << parts_.messages.at(row).time.toString(QStringLiteral("HH:mm:ss ")) +
                           parts_.messages.at(row).text;
  return report;
}

// Draws the whole canvas, including what is scrolled out of view.
QImage ReportFlow::drawing() const {
  constexpr double margin = 24, most = 2400;  // px
  const QRectF area = parts_.canvas.scene().all_cards().adjusted(-margin, -margin, margin, margin);
  if (parts_.canvas.scene().nodes().isEmpty()) return {};
  const double scale = std::min(2.0, most / std::max(area.width(), 1.0));
  QImage image((area.size() * scale).toSize(), QImage::Format_RGB32);
  image.fill(Theme::instance().color(Token::background));
  QPainter painter(&image);
  parts_.canvas.scene().render(&painter, QRectF(image.rect()), area);
  return image;
}

// The images of all image panes: the live slice, the one before the last step, and the others.
std::vector<ReportPicture> ReportFlow::pictures() const {
  std::vector<ReportPicture> all;
  for (std::size_t i = 0; i < ViewsArea::cells; ++i) {
    const ImagePane* pane = parts_.views.cell(i).image_pane();
    if (pane == nullptr || !pane->picture()) continue;
    const QImage image = pane->exported(Annotation::annotated);
    if (!image.isNull()) all.push_back({pane->kind_text() + QStringLiteral(" · ") + pane->position_text(), image});
  }
  return all;
}

ReportNode ReportFlow::node(const std::string& id) const {
  const Document& document = parts_.session.document();
  const GraphNode& in_graph = document.graph().nodes.at(id);
  const NodeType* type = document.registry().find(in_graph.type);
  const live::NodeStatus status = parts_.session.status(QString::fromStdString(id));
  ReportNode node;
  node.id = QString::fromStdString(id);
  node.title = parts_.canvas.editor().title(node.id);
  node.state = Theme::state_word(shown_state(in_graph.use, status));
  node.summary = QString::fromStdString(status.summary);
  if (status.seconds >= 0) node.time = duration_text(status.seconds);
  if (status.error) node.error = error_text(*status.error);
  for (const auto& [name, value] : status.found)
    node.found.push_back({QString::fromStdString(name), QString::fromStdString(value), verdict_text(status.verdict)});
  if (type == nullptr) return node;
  for (const ParamDecl& decl : type->params) {
    const auto set = in_graph.params.find(decl.name);
    const QString driver = driver_title(document.graph(), document.registry(), id, decl.name);
    const bool is_set = set != in_graph.params.end();
    if (!is_set && driver.isEmpty() && decl.level == ParamLevel::advanced) continue;
    node.parameters.push_back({QString::fromStdString(decl.title),
                               shown_value(decl, is_set ? set->second : decl.initial),
                               !driver.isEmpty() ? tr("driven by %1").arg(driver)
                               : is_set          ? tr("set")
                                                 : tr("default")});
  }
  return node;
}

std::vector<ReportParameter> ReportFlow::facts() const {
  std::vector<ReportParameter> all = {
      {tr("Device"), parts_.session.device_name(), {}},
      {tr("Versions"), json_without_braces(QString::fromStdString(versions_json())), {}}};
  if (has_run_ && !last_run_.error) {
    all.push_back({tr("Last run"), duration_text(last_run_.seconds), {}});
    for (const auto& file : last_run_.files) all.push_back({tr("Written"), QString::fromStdString(file.string()), {}});
  } else {
    all.push_back({tr("Last run"), tr("none: the images are previews"), {}});
  }
  const live::Forecast& forecast = parts_.session.forecast();
  if (forecast.known && forecast.peak > 0) all.push_back({tr("Memory of a whole run"), bytes_text(forecast.peak), {}});
  return all;
}

}  // namespace tl::ui
