// ThresholdHandles: values are those of the parameters, or those found by the node; a drag sets the parameters as one
// undo step.
#include "widgets/views/histogram/threshold_handles.h"

#include <algorithm>
#include <cmath>

#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/pictures/output_finder.h"

namespace tl::ui {
namespace {

NodeRole role_of(const GraphNode& node) {
  const NodeType* type = Registry::all().find(node.type);
  return type == nullptr ? NodeRole::none : type->role;
}
bool has_two_thresholds(const GraphNode& node) { return role_of(node) == NodeRole::hysteresis; }

const ParamValue* set_value(const GraphNode& node, const char* name) {
  const auto found = node.params.find(name);
  return found == node.params.end() ? nullptr : &found->second;
}
double number_of_param(const GraphNode& node, const char* name) {
  const ParamValue* value = set_value(node, name);
  const auto* number = value == nullptr ? nullptr : std::get_if<Number>(value);
  return number == nullptr ? 0 : number->value;
}
bool is_given(const GraphNode& node) {
  const ParamValue* method = set_value(node, "method");
  const auto* name = method == nullptr ? nullptr : std::get_if<std::string>(method);
  return name != nullptr && *name == "manual";
}
bool is_driven(const Graph& graph, const std::string& node) {
  return std::any_of(graph.links.begin(), graph.links.end(), [&](const Link& link) {
    return link.to_node == node && (link.to_port == "value" || link.to_port == "low" || link.to_port == "high");
  });
}

// Rounded to a thousandth of the shown range, so that no parameter has seventeen digits.
double rounded(double value, double range) {
  if (!(range > 0)) return value;
  const double step = std::pow(10.0, std::floor(std::log10(range)) - 3);
  return std::round(value / step) * step;
}

}  // namespace

std::string thresholding_node(const Graph& graph, const Registry&, const Output& labels, const Output& volume) {
  if (labels.empty() || volume.empty()) return {};
  for (const std::string& id : upstream_nodes(graph, labels.node.toStdString())) {
    const auto node = graph.nodes.find(id);
    if (node == graph.nodes.end()) continue;
    if (role_of(node->second) != NodeRole::threshold && !has_two_thresholds(node->second)) continue;
    const bool reads_it = std::any_of(graph.links.begin(), graph.links.end(), [&](const Link& link) {
      return link.to_node == id && link.to_port == "volume" && link.from_node == volume.node.toStdString() &&
             link.from_port == volume.port.toStdString();
    });
    if (reads_it) return id;
  }
  return {};
}

std::optional<std::vector<double>> stated_thresholds(const Graph& graph, const std::string& id) {
  const auto found = graph.nodes.find(id);
  if (found == graph.nodes.end() || is_driven(graph, id)) return std::nullopt;
  const GraphNode& node = found->second;
  if (has_two_thresholds(node)) return std::vector<double>{number_of_param(node, "low"), number_of_param(node, "high")};
  if (!is_given(node)) return std::nullopt;
  if (const ParamValue* value = set_value(node, "values"))
    if (const auto* list = std::get_if<NumberList>(value); list != nullptr && !list->values.empty()) {
      std::vector<double> sorted = list->values;
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    }
  return std::vector<double>{number_of_param(node, "value")};
}

QString why_thresholds_stay(const Graph& graph, const std::string& node) {
  return is_driven(graph, node) ? ThresholdHandles::tr("A link drives this threshold: remove the link to move it")
                                : QString();
}

void state_thresholds(Graph& graph, const std::string& id, const std::vector<double>& values) {
  const auto found = graph.nodes.find(id);
  if (found == graph.nodes.end() || values.empty()) return;
  GraphNode& node = found->second;
  if (has_two_thresholds(node)) {
    node.params["low"] = Number{values.front(), Unit::none};
    node.params["high"] = Number{values.back(), Unit::none};
    return;
  }
  node.params["method"] = std::string("manual");
  if (values.size() > 1) {
    node.params["values"] = NumberList{values, Unit::none};
    return;
  }
  node.params["value"] = Number{values.front(), Unit::none};
  node.params.erase("values");
}

ThresholdHandles::ThresholdHandles(PictureSource& source, ViewState& state, HistogramPlot& plot, QObject* parent)
    : QObject(parent), source_(source), state_(state), plot_(plot) {
  connect(&state_, &ViewState::outputs_changed, this, &ThresholdHandles::refresh);
  connect(&source_, &PictureSource::graph_changed, this, &ThresholdHandles::refresh);
  connect(&source_, &PictureSource::value_ready, this, &ThresholdHandles::take);
  connect(&source_, &PictureSource::status_changed, this, [this](const QString& node) {
    if (node.toStdString() == node_) refresh();
  });
  connect(&plot_, &HistogramPlot::line_moved, this, &ThresholdHandles::move);
}

void ThresholdHandles::follow(const Output& volume) {
  if (volume == volume_) return;
  volume_ = volume;
  refresh();
}

void ThresholdHandles::refresh() {
  const std::string node = thresholding_node(source_.graph(), source_.registry(), state_.labels(), volume_);
  if (node != node_) found_.reset();
  node_ = node;
  const bool is_found = !node_.empty() && !stated_thresholds(source_.graph(), node_) &&
                        role_of(source_.graph().nodes.at(node_)) == NodeRole::threshold;
  if (is_found) source_.ask(QString::fromStdString(node_), QStringLiteral("thresholds"), live::Effort::cached_only);
  show_lines();
}

void ThresholdHandles::take(const live::PlainValue& value) {
  if (node_.empty() || value.node != node_ || value.port != "thresholds") return;
  if (value.known && !value.columns.empty()) found_ = value.columns.front().values;
  show_lines();
}

std::vector<double> ThresholdHandles::shown() const {
  if (node_.empty()) return {};
  if (const auto stated = stated_thresholds(source_.graph(), node_)) return *stated;
  return found_.value_or(std::vector<double>{});
}

void ThresholdHandles::show_lines() {
  plot_.set_lines(shown(), node_.empty() ? QString() : why_thresholds_stay(source_.graph(), node_));
}

// A line does not pass its neighbours.
void ThresholdHandles::move(std::size_t line, double value) {
  std::vector<double> values = shown();
  if (line >= values.size()) return;
  const picture::Levels range = plot_.counts().range;
  value = rounded(value, range.high - range.low);
  if (line > 0) value = std::max(value, values[line - 1]);
  if (line + 1 < values.size()) value = std::min(value, values[line + 1]);
  if (values[line] == value) return;
  values[line] = value;
  source_.edit_graph(tr("Move a threshold"), [&](Graph& graph) { state_thresholds(graph, node_, values); },
                     {QStringLiteral("threshold/%1/%2").arg(QString::fromStdString(node_)).arg(line)});
}

}  // namespace tl::ui
