// Problem: a graph with its objective as a function of a few numbers: evaluation with gradients, in natural steps, on
// all of the data or on parts of it. Internal to core/learn.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/learn/journal.h"
#include "core/learn/learning.h"
#include "core/run/executor.h"

namespace tl::learn {

using Vector = std::vector<double>;

// One target as a range of the vector of unknowns z. z = 0 is the start; a step of 1 is a natural one.
struct Block {
  Target target;
  const ParamDecl* decl = nullptr;
  std::size_t offset = 0, size = 1;
  bool list = false;           // one start for every entry
  std::vector<int64_t> shape;  // of an array; empty for numbers and lists
  Vector start;                // stored unit
  double step = 1;             // natural step, stored unit; share of the value where the scale is logarithmic
  double low = 0, high = 0;    // of z
  double reach = 0;            // of z; 0 = other optima are not looked for
  Derivative derivative = Derivative::backward;

  [[nodiscard]] double value(double z, std::size_t entry) const;  // stored unit
  [[nodiscard]] double slope(double z, std::size_t entry) const;  // d value / d z
};

// Which part of the data an evaluation sees. All numbers count in what the graph hands to its learning part.
struct Batch {
  int64_t view_stride = 1, first_view = 0;
  std::optional<Range> rows;  // absent: all
  int64_t bin = 1;            // columns joined; parameters in px follow
  [[nodiscard]] bool everything() const { return view_stride == 1 && !rows && bin == 1; }
  [[nodiscard]] std::string name() const;
};

struct Evaluation {
  double loss = 0;
  Vector gradient;               // to z
  std::vector<at::Tensor> data;  // to the data, one per cut, where it was asked for
};
enum class Want { loss, gradient, gradient_and_data };

class Problem {
 public:
  static Result<Problem> make(Executor& executor, const Registry& registry, const Graph& graph,
                              const Settings& settings);
  void use_journal(Journal* journal) { journal_ = journal; }  // must outlive the problem

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const Block& block_of(std::size_t unknown) const;
  [[nodiscard]] bool has_arrays() const;
  // What is a step of an array depends on how the objective answers to it: sets its natural step to the largest entry
  // of the step that would take the objective, if it were a parabola, to its minimum along the first gradient. Gives,
  // for every unknown, the natural steps over which the objective bends alike; nothing where there are no arrays.
  Result<Vector> scale_arrays();
  [[nodiscard]] std::vector<Standing> standing(const Vector& z) const;
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] int64_t evaluations() const { return evaluations_; }

  Result<Evaluation> evaluate(const Vector& z, Want want, const Batch& batch = {});
  // The same with something added to the data (one tensor per cut).
  Result<Evaluation> evaluate_disturbed(const Vector& z, const std::vector<at::Tensor>& disturbance,
                                        Want want = Want::gradient);
  // How far the best values may be displaced because the data are not what the objective assumes: the sum over the
  // outputs named "doubt" on the way to it, in squares of natural steps (which are squares of pixels there). Nothing
  // where no node says so. A disturbance is added to the data.
  Result<std::optional<double>> doubt(const Vector& z, const std::vector<at::Tensor>& disturbance = {});
  // The data behind the cuts: where what depends on no target meets what does.
  Result<const std::vector<Value>*> data();
  // The largest detector among the cuts, for choosing batches; nothing where a cut is no scan.
  [[nodiscard]] std::optional<DetectorShape> detector() const;
  [[nodiscard]] int64_t views() const;

 private:
  // Where the data enter: an output that depends on no target, and what is needed of it.
  struct Cut {
    OutputId output;
    Region region;
    Info info;
  };

  Problem(Executor& executor, const Registry& registry, Settings settings);
  Result<void> find_part(const Graph& graph);
  Result<void> find_needs();
  Result<void> find_cuts();
  Result<void> add_block(const Target& target);
  Result<Vector> start_of(const Target& target, const ParamDecl& decl) const;
  Result<NumberArray> array_of(const Target& target, const ParamDecl& decl) const;
  Result<void> choose_step(Block& block) const;
  Result<Evaluation> compute(const Vector& z, Want want, const Batch& batch,
                             const std::vector<at::Tensor>* disturbance);
  Result<Evaluation> derive(const Vector& z, const Batch& batch, const Given& given);
  [[nodiscard]] bool goes_forward() const;
  [[nodiscard]] at::Tensor number(const Block& block, const Vector& z, const Batch& batch) const;
  Result<at::Tensor> loss(const Graph& graph, const Outside& outside);
  [[nodiscard]] Outside plainly(const Vector& z, const Batch& batch, const Given& given) const;
  Result<Evaluation> forward(const Vector& z, const Batch& batch, const Given& given, const Graph& graph);
  void add_data_gradient(const Given& given, Evaluation& out) const;
  [[nodiscard]] int64_t data_size() const;  // numbers at the cuts
  Result<Evaluation> backward(const Vector& z, const Batch& batch, const Given& given, const Graph& graph);
  Result<void> add_differences(const Vector& z, const Batch& batch, const Given& given, Evaluation& out);
  Result<Given> given_for(const Batch& batch, Want want, const std::vector<at::Tensor>* disturbance);
  Result<double> loss_at(const Vector& z, const Batch& batch, const Given& given);
  [[nodiscard]] Graph graph_for(const Vector& z, const Batch& batch) const;

  Executor* executor_;
  const Registry* registry_;
  Settings settings_;
  Journal* journal_ = nullptr;
  Graph graph_;  // what the objective depends on, with starts in place
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  std::vector<Cut> cuts_;
  std::optional<std::vector<Value>> data_;
  int64_t evaluations_ = 0;
};

}  // namespace tl::learn
