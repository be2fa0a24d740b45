// Chains of nodes: builds a chain from the steps of another program's file, and finds the chain of a graph that such a
// file can represent. Internal to core/graph/foreign.
#pragma once

#include <string>
#include <vector>

#include "core/graph/foreign/parameter_map.h"

namespace tl::foreign {

// Builds a graph in which each node is fed by the one added before.
class ChainBuilder {
 public:
  ChainBuilder(const Registry& registry, std::vector<Loss>& lost) : registry_(registry), lost_(lost) {}

  // Adds a node after the last one. False, with a loss at `where`, if it does not accept the output of the last node.
  bool add(const std::string& type, const std::string& where, const std::string& id = {});
  // Sets a parameter of the newest node, or of `node`, from the text of another program; if that is impossible, adds a
  // loss. A value that equals the default is left out.
  void set(const ParameterMap& map, const std::string& theirs, const std::string& where, const std::string& node = {});
  // Sets a parameter from a value in our own form.
  void set(const std::string& param, const ParamValue& value, const std::string& node = {});
  void lose(const std::string& where, const std::string& value, const std::string& reason);

  [[nodiscard]] const std::string& last() const { return last_; }  // id of the newest node
  [[nodiscard]] std::string last_type() const;
  [[nodiscard]] bool has_volume() const;  // whether the last node outputs a volume
  [[nodiscard]] Graph& graph() { return graph_; }

 private:
  std::string free_id(const std::string& type);

  const Registry& registry_;
  std::vector<Loss>& lost_;
  Graph graph_;
  std::string last_;
  std::map<std::string, int64_t> names_;  // number of ids already made from each name
};

// A node on the path from the source to the volume that is saved.
struct ChainStep {
  std::string id;
  const GraphNode* node = nullptr;
  const NodeType* type = nullptr;
};

// The path from a source to the first node that saves a volume, or to the last volume, in order. All else in the graph
// is reported as lost: other branches, links that drive parameters, learning settings, bypassed and muted nodes.
struct Chain {
  Graph graph;  // as it is computed
  std::vector<ChainStep> steps;
};
Result<Chain> chain_of(const Graph& drawn, const Registry& registry, std::vector<Loss>& lost);

// Adds a loss for each parameter of a step that is not in `known` and differs from its default.
void note_loss_of_other_parameters(const ChainStep& step, const std::vector<std::string_view>& known,
                                   const std::string& program, std::vector<Loss>& lost);

// Numbers of detector columns after crops and bins, which the other program counts in the same way.
class ColumnNumbering {
 public:
  explicit ColumnNumbering(const ScanFacts& facts) : count_(facts.columns) {}
  // From here on the column numbers of the two programs differ: a crop, bin or stitching was lost, or its width is
  // unknown. Column positions can no longer be converted.
  void lose();
  [[nodiscard]] bool is_lost() const { return is_lost_; }
  // Keeps columns first to last (both included; no last: to the end), then bins `bin` of them at a time.
  void crop(int64_t first, std::optional<int64_t> last, int64_t bin);
  [[nodiscard]] std::optional<int64_t> count() const { return count_; }
  // A position counted from the middle of column 0, in pixels from the detector centre, and back. Nothing if the
  // number of columns is not known.
  [[nodiscard]] std::optional<double> from_centre(double position) const;
  [[nodiscard]] std::optional<double> from_first(double axis) const;
  // Why the number of columns is not known, as the reason for a loss.
  [[nodiscard]] std::string why_unknown() const;

 private:
  std::optional<int64_t> count_;
  bool is_lost_ = false;
};
// Whether nodes of a type change the number of columns.
bool changes_columns(const std::string& type);

}  // namespace tl::foreign
