// Learning marks: marks and unmarks parameters to be learned, as targets in Graph::learning.
#include "widgets/inspector/learning_targets.h"

#include <algorithm>

#include "core/learn/learning.h"

namespace tl::ui {
namespace {

learn::Settings settings_in(const Graph& graph) {
  Result<learn::Settings> read = learn::settings_of(graph);
  return read.ok() ? std::move(read).value() : learn::Settings{};
}
auto is_this(const std::string& node, const std::string& param) {
  return [&](const learn::Target& t) { return t.node == node && t.name == param; };
}

}  // namespace

bool is_learned(const Graph& graph, const std::string& node, const std::string& param) {
  if (graph.learning.empty()) return false;
  const learn::Settings settings = settings_in(graph);
  return std::any_of(settings.targets.begin(), settings.targets.end(), is_this(node, param));
}

Graph with_learned(Graph graph, const std::string& node, const std::string& param) {
  if (is_learned(graph, node, param)) return graph;
  learn::Settings settings = settings_in(graph);
  learn::Target target;
  target.node = node;
  target.name = param;
  settings.targets.push_back(target);
  return learn::with_settings(std::move(graph), settings);
}

Graph without_learned(Graph graph, const std::string& node, const std::string& param) {
  learn::Settings settings = settings_in(graph);
  std::erase_if(settings.targets, is_this(node, param));
  graph = learn::with_settings(std::move(graph), settings);
  // Nothing but defaults is left.
  if (settings == learn::Settings{} && learn::runs_of(graph).empty()) graph.learning.clear();
  return graph;
}

}  // namespace tl::ui
