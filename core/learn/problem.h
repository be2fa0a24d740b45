// Problem: the objective of a graph as a function of the unknowns z, with gradients, on all data or a part of them.
// Internal to core/learn.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/learn/journal.h"
#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

using Vector = std::vector<double>;

constexpr double no_bound = 1e9;  // in natural steps

// One target as a contiguous range of the vector of unknowns z. z = 0 is the start; a step of 1 moves the image by
// about a pixel (a natural step).
struct ParameterBlock {
  Target target;
  const ParamDecl* decl = nullptr;
  std::size_t offset = 0, size = 1;
  bool list = false;           // has several elements, each with its own start
  std::vector<int64_t> shape;  // shape of an array; empty for numbers and lists
  Vector start;                // stored unit
  double step = 1;             // natural step in the stored unit; on a logarithmic scale, relative to the value
  Vector lows, highs;          // bounds of z, one per element; empty: no bounds
  double reach = 0;            // search range of the survey in z; 0 = no survey
  Derivative derivative = Derivative::backward;

  [[nodiscard]] double value(double z, std::size_t entry) const;  // stored unit
  [[nodiscard]] double slope(double z, std::size_t entry) const;  // d value / d z
  // Bounds of z: the bounds of the value relative to the start of that element.
  [[nodiscard]] double low(std::size_t entry) const { return lows.empty() ? -no_bound : lows[entry]; }
  [[nodiscard]] double high(std::size_t entry) const { return highs.empty() ? no_bound : highs[entry]; }
};

// The part of the data that an evaluation uses: views, rows and columns of the outputs that serve as data.
struct DataSubset {
  int64_t view_stride = 1, first_view = 0;
  std::optional<Range> rows;  // absent: all
  int64_t bin = 1;            // number of columns averaged to one; parameters in px are scaled accordingly
  [[nodiscard]] bool everything() const { return view_stride == 1 && !rows && bin == 1; }
  [[nodiscard]] std::string name() const;
};

struct Evaluation {
  double loss = 0;
  Vector gradient;                    // with respect to z
  Vector curvature = {};              // only for gradient_and_curvature, see there
  std::vector<at::Tensor> data = {};  // gradient with respect to the data, a tensor per cut; only gradient_and_data
};
// Squared displacements across the rotation axis and along it.
struct Doubt {
  double across = 0, along = 0;
};
// gradient_and_curvature: if the objective is a mean of squares of a residual r, and all unknowns are differentiated in
// forward mode, also 2 <dr/dz_i dr/dz_j> (Gauss-Newton), row by row; else empty.
enum class EvaluationKind { loss, gradient, gradient_and_data, gradient_and_curvature };

class Problem {
 public:
  static Result<Problem> make(Executor& executor, const Registry& registry, const Graph& graph,
                              const Settings& settings);
  void use_journal(Journal* journal) { journal_ = journal; }  // must outlive the problem
  // Called after every successful evaluate().
  using Observer = std::function<void(const Vector& z, double loss, const DataSubset& subset)>;
  void use_observer(Observer observer) { observer_ = std::move(observer); }
  // An error if the objective cannot depend on an unknown: it refuses every other value, or it uses too few detector
  // rows. Reads no pixels.
  Result<void> sees_unknowns();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<ParameterBlock>& parameter_blocks() const { return blocks_; }
  [[nodiscard]] const ParameterBlock& parameter_block_of(std::size_t unknown) const;
  // Bounds of one unknown.
  [[nodiscard]] double low(std::size_t unknown) const;
  [[nodiscard]] double high(std::size_t unknown) const;
  [[nodiscard]] bool has_arrays() const;
  // Sets the natural step of every array to the largest element of the step that would minimise the objective along its
  // first gradient if the objective were a parabola. Returns, per unknown, the step over which the objective has unit
  // curvature, in natural steps; empty if there are no arrays. subset: the part of the data to use. Steps stated by
  // targets are kept.
  Result<Vector> scale_arrays(const DataSubset& subset);
  [[nodiscard]] std::vector<TargetValue> values_at(const Vector& z) const;
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] int64_t evaluations() const { return evaluations_; }
  // Adds the number of evaluations of the run that this one continues.
  void count_evaluations_from(int64_t earlier) { evaluations_ = earlier; }

  Result<Evaluation> evaluate(const Vector& z, EvaluationKind kind, const DataSubset& subset = {});
  // Evaluates with `disturbance` (one tensor per cut) added to the data.
  Result<Evaluation> evaluate_disturbed(const Vector& z, const std::vector<at::Tensor>& disturbance,
                                        EvaluationKind kind = EvaluationKind::gradient);
  // Squared systematic errors of the best values, caused by data that violate the objective's assumptions: the sums
  // over all outputs "doubt_across" and "doubt_along" upstream of the objective, in squared natural steps (pixels).
  // Empty if no node has such outputs. `disturbance` is added to the data.
  Result<std::optional<Doubt>> doubt(const Vector& z, const std::vector<at::Tensor>& disturbance = {});
  // How the objective's error is distributed over bands of views, rows and columns; each list adds up to the loss. Also
  // its excess over the error due to noise, as a fraction of the latter, and the fraction of the measured contrast that
  // the model predicts. Empty if the objective does not report it.
  Result<std::optional<std::vector<Vector>>> error_by_band(const Vector& z);
  Result<std::optional<double>> unexplained(const Vector& z);
  Result<std::optional<double>> explained(const Vector& z);
  // The objective of smoother data; empty if the objective does not report it.
  Result<std::optional<double>> wider_loss(const Vector& z);
  // Whether the objective compares pairs of views: such objectives report it, and make no volume (with a scale).
  [[nodiscard]] bool compares_pairs_of_views() const;
  // The geometry that nodes with targets output; if they are in sequence, that of the last one. Reads no pixels. Empty
  // if none outputs a scan, they lie on different branches, or the geometry is not known before a run.
  [[nodiscard]] std::optional<ScanGeometry> geometry_at(const Vector& z) const;
  // A known limit of a model on the path that these data exceed; empty if there is none.
  [[nodiscard]] std::string exceeded_limit() const;
  // The nodes upstream of the objective, with all targets at their start.
  [[nodiscard]] const Graph& graph() const { return graph_; }
  // The values at the cuts: outputs that do not depend on targets and feed nodes that do.
  Result<const std::vector<Value>*> data();
  // The largest detector among the cuts, for choosing subsets; empty if a cut is not a scan.
  [[nodiscard]] std::optional<DetectorShape> detector() const;
  [[nodiscard]] int64_t views() const;
  // Number of detector rows of the data, or of slices if there are only volumes; 0 without either.
  [[nodiscard]] int64_t rows() const;

 private:
  // A cut, where data enter: an output that does not depend on targets, and the region of it that is needed.
  struct Cut {
    OutputId output;
    Region region;
    Info info;
  };

  Problem(Executor& executor, const Registry& registry, Settings settings);
  Result<void> find_part(const Graph& graph);
  Result<void> find_needed_regions();
  Result<void> find_cuts();
  Result<void> add_block(const Target& target);
  [[nodiscard]] Result<void> accepts_others(const ParameterBlock& block) const;
  Result<Vector> start_of(const Target& target, const ParamDecl& decl) const;
  Result<NumberArray> array_of(const Target& target, const ParamDecl& decl) const;
  Result<void> choose_step(ParameterBlock& block) const;
  Result<Evaluation> compute(const Vector& z, EvaluationKind kind, const DataSubset& subset,
                             const std::vector<at::Tensor>* disturbance);
  Result<Evaluation> compute_there(const Vector& z, EvaluationKind kind, const DataSubset& subset,
                                   const std::vector<at::Tensor>* disturbance);
  Result<Evaluation> derive(const Vector& z, const DataSubset& subset, const GivenOutputs& given, EvaluationKind kind);
  [[nodiscard]] bool goes_forward() const;
  [[nodiscard]] at::Tensor parameter_tensor(const ParameterBlock& block, const Vector& z,
                                            const DataSubset& subset) const;
  // d parameter / d z.
  [[nodiscard]] double slope_of(const ParameterBlock& block, const Vector& z, const DataSubset& subset) const;
  // Numbers of which one has a tangent, of 1.
  [[nodiscard]] ExternalValues along(const ParameterBlock& moving, const Vector& z, const DataSubset& subset,
                                     const GivenOutputs& given) const;
  Result<at::Tensor> loss(const Graph& graph, const ExternalValues& outside);
  Result<std::optional<Value>> reported_by_objective(const Vector& z, const char* port);
  Result<std::optional<double>> number_reported_by_objective(const Vector& z, const char* port);
  [[nodiscard]] ExternalValues without_derivatives(const Vector& z, const DataSubset& subset,
                                                   const GivenOutputs& given) const;
  Result<Evaluation> forward(const Vector& z, const DataSubset& subset, const GivenOutputs& given, const Graph& graph);
  // Evaluates with the curvature, if the objective is the mean square of its node's residual.
  [[nodiscard]] bool has_residual() const;
  Result<Evaluation> by_residual(const Vector& z, const DataSubset& subset, const GivenOutputs& given,
                                 const Graph& graph);
  void add_data_gradient(const GivenOutputs& given, Evaluation& out) const;
  [[nodiscard]] int64_t data_size() const;  // numbers at the cuts
  Result<Evaluation> backward(const Vector& z, const DataSubset& subset, const GivenOutputs& given, const Graph& graph);
  Result<void> add_differences(const Vector& z, const DataSubset& subset, const GivenOutputs& given, Evaluation& out);
  Result<GivenOutputs> given_for(const DataSubset& subset, EvaluationKind kind,
                                 const std::vector<at::Tensor>* disturbance);
  Result<void> require_finite(double value, const Vector& z, const DataSubset& subset, const GivenOutputs& given);
  Result<double> loss_at(const Vector& z, const DataSubset& subset, const GivenOutputs& given);
  [[nodiscard]] Graph graph_for(const Vector& z, const DataSubset& subset) const;

  Executor* executor_;
  const Registry* registry_;
  Settings settings_;
  Journal* journal_ = nullptr;
  Observer observer_;
  Graph graph_;  // the nodes upstream of the objective, with all targets at their start
  std::vector<ParameterBlock> blocks_;
  std::size_t size_ = 0;
  std::vector<Cut> cuts_;
  std::optional<std::vector<Value>> data_;
  int64_t evaluations_ = 0;
};

}  // namespace tl::learn
