// ReportFlow: collects a Report from session, canvas and views, and writes it.
#include "widgets/window/files/report_flow.h"

#include <QBuffer>
#include <QDateTime>

#include "core/history/report/bibtex.h"
#include "core/history/report/entry_report.h"
#include "core/run/record/versions.h"
#include "widgets/canvas/canvas.h"
#include "widgets/history/report_file.h"
#include "widgets/inspector/editors/drive_links.h"
#include "widgets/plot/plot_panel.h"
#include "widgets/text/amounts.h"
#include "widgets/text/error_text.h"
#include "widgets/text/found_text.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/panes/earlier_pictures.h"
#include "widgets/views/views_area.h"
#include "widgets/window/state/message_model.h"

namespace tl::ui {
namespace {

// JSON without braces and quotes: "tomoloom: 0.1.0, torch: 2.11.0".
QString json_without_braces(QString json) {
  for (const char mark : {'{', '}', '"'}) json.remove(QChar(mark));
  return json.simplified();
}

std::string verdict_word(Verdict verdict) {
  return verdict == Verdict::none ? std::string() : std::string(to_string(verdict));
}

std::string png_bytes(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toStdString();
}

history::DrawnCard drawn_card(const NodeItem& item) {
  const Card& card = item.card();
  history::DrawnCard drawn;
  drawn.x = item.pos().x(), drawn.y = item.pos().y();
  drawn.width = card.size.width(), drawn.height = card.size.height();
  drawn.title_height = card.title_height;
  drawn.row_height = card_size::row;
  for (const QString& line : card.title_lines) drawn.title.push_back(line.toStdString());
  drawn.category = card.category.toStdString();
  drawn.state = card.state_text.toStdString();
  drawn.foot = card.foot.toStdString();
  drawn.is_used = !card.is_unused();
  if (!card.collapsed) {
    drawn.picture_height = card.picture_area().height();
    if (!card.picture.isNull()) drawn.png = png_bytes(card.picture);
    for (const CardRow& row : card.rows)
      drawn.rows.push_back({row.label.toStdString(), row.value.toStdString(), row.found});
  }
  for (const CardPort& port : card.ports) drawn.ports.push_back({port.at.x(), port.at.y(), port.type});
  return drawn;
}

}  // namespace

ReportFlow::ReportFlow(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
  connect(&parts_.session, &LiveSession::run_finished, this, [this](const live::RunEnd& end) {
    last_run_ = end;
    has_run_ = true;
  });
  connect(&parts_.session.document(), &Document::was_reset, this, [this] { has_run_ = false; });
}

void ReportFlow::ask_and_write(QWidget* window) {
  QString name = parts_.session.document().title();
  if (name.endsWith(QStringLiteral(".json"))) name.chop(5);
  const QString path = ask_for_report_file(window, name);
  if (path.isEmpty()) return;
  const Result<void> written = write(path);
  if (written.ok()) {
    Q_EMIT wrote(path);
  } else {
    parts_.messages.add(LogLevel::error, {}, error_text(written.error()));
  }
}

Result<void> ReportFlow::write(const QString& path) {
  return write_report_file(collect(), path, [this] { return parts_.session.document().export_rules(); });
}

history::Report ReportFlow::collect() const {
  const Document& document = parts_.session.document();
  history::Report report;
  report.title = document.graph().title.empty() ? document.title().toStdString() : document.graph().title;
  report.subtitle = "Tomoloom " + version() + " · " +
                    QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString();
  report.pipeline = history::pipeline_svg(drawing());
  report.images = images();
  report.plots = plots();
  if (const auto order = topological_order(document.graph()); order.ok())
    for (const std::string& id : order.value()) report.nodes.push_back(node(id));
  report.facts = facts();
  for (int row = 0; row < parts_.messages.rowCount(); ++row)
    report.messages.push_back(
        (parts_.messages.at(row).time.toString(QStringLiteral("HH:mm:ss ")) + parts_.messages.at(row).text)
            .toStdString());
  report.bibtex = history::bibtex_of(document.graph(), document.registry());
  return report;
}

// All cards as they are on the canvas, including those scrolled out of view.
history::PipelineDrawing ReportFlow::drawing() const {
  history::PipelineDrawing drawing;
  const CanvasScene& scene = parts_.canvas.scene();
  for (const NodeItem* item : scene.nodes()) drawing.cards.push_back(drawn_card(*item));
  for (const Link& link : parts_.session.document().graph().links) {
    const NodeItem* const from = scene.node(QString::fromStdString(link.from_node));
    const NodeItem* const to = scene.node(QString::fromStdString(link.to_node));
    if (from == nullptr || to == nullptr) continue;
    const CardPort* const out = from->card().port(QString::fromStdString(link.from_port), Side::output);
    const CardPort* const in = to->card().port(QString::fromStdString(link.to_port), Side::input);
    if (out == nullptr || in == nullptr) continue;
    const QPointF begin = from->port_at_scene(*out), end = to->port_at_scene(*in);
    drawing.links.push_back({begin.x(), begin.y(), end.x(), end.y(), out->type});
  }
  for (const FrameItem* frame : scene.frames()) {
    const QRectF area = frame->frame().area;
    drawing.frames.push_back({area.x(), area.y(), area.width(), area.height(), frame->frame().comment.toStdString()});
  }
  return drawing;
}

// The slice before the last step, and the images of all panes.
std::vector<history::ReportImage> ReportFlow::images() const {
  std::vector<history::ReportImage> all;
  if (const auto& before = parts_.views.earlier(); before && before->picture.image) {
    const QString caption = before->step.isEmpty() ? tr("Before learning") : tr("Before · %1").arg(before->step);
    all.push_back({caption.toStdString(), history::png_of(*before->picture.image)});
  }
  for (std::size_t i = 0; i < ViewsArea::cells; ++i) {
    const ImagePane* pane = parts_.views.cell(i).image_pane();
    if (pane == nullptr || !pane->picture() || dynamic_cast<const BeforePane*>(pane) != nullptr) continue;
    const QImage image = pane->exported(Annotation::annotated);
    if (image.isNull()) continue;
    all.push_back(
        {(pane->kind_text() + QStringLiteral(" · ") + pane->position_text()).toStdString(), png_bytes(image)});
  }
  return all;
}

// All plots of the window that are not empty.
std::vector<history::ReportPlot> ReportFlow::plots() const {
  std::vector<history::ReportPlot> all;
  for (const PlotPanel* panel : parent()->findChildren<PlotPanel*>()) {
    if (panel->content().empty()) continue;
    const auto svg = panel->svg(PlotPanel::SvgWords::none);
    if (!svg.ok()) continue;
    // Without the XML declaration before it.
    const qsizetype begin = svg.value().indexOf("<svg");
    if (begin >= 0) all.push_back({panel->accessibleName().toStdString(), svg.value().mid(begin).toStdString()});
  }
  return all;
}

history::ReportNode ReportFlow::node(const std::string& id) const {
  const Document& document = parts_.session.document();
  const Graph& graph = document.graph();
  const GraphNode& in_graph = graph.nodes.at(id);
  const NodeType* type = document.registry().find(in_graph.type);
  const live::NodeStatus status = parts_.session.status(QString::fromStdString(id));
  history::ReportNode node;
  node.id = id;
  node.title = parts_.canvas.editor().title(QString::fromStdString(id)).toStdString();
  node.state = Theme::state_word(shown_state(in_graph.use, status)).toStdString();
  node.summary = status.summary;
  if (status.seconds >= 0) node.time = duration_text(status.seconds).toStdString();
  if (status.error) node.error = error_text(*status.error).toStdString();
  for (const auto& [name, value] : status.found)
    node.parameters.push_back({name, value, verdict_word(status.verdict), true});
  if (type == nullptr) return node;
  const std::vector<learn::RunRecord> records = learn::records_of(graph);
  for (const ParamDecl& decl : type->params) {
    if (const auto learned = learn::found_of(records, graph, id, decl.name)) {
      node.parameters.push_back(
          {decl.title, found_text(*learned).toStdString(), trust_word(learned->trust).toStdString(), true});
      continue;
    }
    const auto set = in_graph.params.find(decl.name);
    const bool is_set = set != in_graph.params.end();
    const QString driver = driver_title(graph, document.registry(), id, decl.name);
    const QString origin = !driver.isEmpty() ? tr("driven by %1").arg(driver) : is_set ? tr("set") : tr("default");
    node.parameters.push_back(
        {decl.title, shown_value(decl, is_set ? set->second : decl.initial).toStdString(), origin.toStdString()});
  }
  return node;
}

std::vector<history::ReportParameter> ReportFlow::facts() const {
  std::vector<history::ReportParameter> all;
  const auto add = [&all](const QString& name, const QString& value) {
    all.push_back({name.toStdString(), value.toStdString(), {}});
  };
  add(tr("Device"), parts_.session.device_name());
  add(tr("Versions"), json_without_braces(QString::fromStdString(versions_json())));
  if (has_run_ && !last_run_.error) {
    add(tr("Last run"), duration_text(last_run_.seconds));
    for (const auto& file : last_run_.files) add(tr("Written"), QString::fromStdString(file.string()));
  } else {
    add(tr("Last run"), tr("none: the images are previews"));
  }
  const live::Forecast& forecast = parts_.session.forecast();
  if (forecast.known && forecast.peak > 0) add(tr("Memory of a whole run"), bytes_text(forecast.peak));
  return all;
}

}  // namespace tl::ui
