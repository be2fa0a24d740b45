// Chains of nodes: builds one from the steps of another program's file, and finds the one in a graph that such a file
// can hold. Internal to core/graph/foreign.
#pragma once

#include <string>
#include <vector>

#include "core/graph/foreign/parameter_map.h"

namespace tl::foreign {

// Builds a graph in which each node is fed by the one before.
class ChainBuilder {
 public:
  ChainBuilder(const Registry& registry, std::vector<Loss>& lost) : registry_(registry), lost_(lost) {}

  // Adds a node behind the last one. False, with a loss at `where`, if it does not take what the last one gives.
  bool add(const std::string& type, const std::string& where, const std::string& id = {});
  // Sets a parameter of the newest node, or of `node`, from the text of another program; a loss if it cannot be.
  // A value that is the default is left out.
  void set(const ParameterMap& map, const std::string& theirs, const std::string& where, const std::string& node = {});
  // The same with a value of our parameter.
  void set(const std::string& param, const ParamValue& value, const std::string& node = {});
  void lose(const std::string& where, const std::string& value, const std::string& reason);

  [[nodiscard]] const std::string& last() const { return last_; }  // id of the newest node
  [[nodiscard]] std::string last_type() const;
  [[nodiscard]] bool has_volume() const;  // whether the last node gives a volume
  [[nodiscard]] Graph& graph() { return graph_; }

 private:
  std::string free_id(const std::string& type);

  const Registry& registry_;
  std::vector<Loss>& lost_;
  Graph graph_;
  std::string last_;
  std::map<std::string, int64_t> names_;  // how many ids were made of each name
};

// A node on the path from the source to the volume that is saved.
struct ChainStep {
  std::string id;
  const GraphNode* node = nullptr;
  const NodeType* type = nullptr;
};

// The path from a source to the first node that saves a volume, or to the last volume, in order. Everything else of the
// graph is a loss: other branches, links that drive parameters, settings of learning, bypassed and muted nodes.
struct Chain {
  Graph graph;  // as it is computed
  std::vector<ChainStep> steps;
};
Result<Chain> chain_of(const Graph& drawn, const Registry& registry, std::vector<Loss>& lost);

// Losses of all parameters of a step that are set to other than their default and not in `known`.
void note_loss_of_other_parameters(const ChainStep& step, const std::vector<std::string_view>& known,
                                   const std::string& program, std::vector<Loss>& lost);

// The columns of the detector after crops and bins, which the other program numbers in the same way.
class ColumnNumbering {
 public:
  explicit ColumnNumbering(const ScanFacts& facts) : count_(facts.columns) {}
  // From here on the columns of both programs differ: a crop, bin or stitching is lost, or gives an unknown
  // width. Positions in columns can no longer be converted.
  void lose();
  [[nodiscard]] bool is_lost() const { return is_lost_; }
  // Columns first to last (both kept; nothing: to the end), then joined `bin` at a time.
  void crop(int64_t first, std::optional<int64_t> last, int64_t bin);
  [[nodiscard]] std::optional<int64_t> count() const { return count_; }
  // A position counted from the middle of column 0, in pixels from the detector centre, and back. Nothing if the
  // number of columns is not known.
  [[nodiscard]] std::optional<double> from_centre(double position) const;
  [[nodiscard]] std::optional<double> from_first(double axis) const;
  // The reason for a loss where the number of columns is not known.
  [[nodiscard]] std::string why_unknown() const;

 private:
  std::optional<int64_t> count_;
  bool is_lost_ = false;
};
// Whether nodes of a type change the number of columns.
bool changes_columns(const std::string& type);

}  // namespace tl::foreign
