// Space: a tuning problem as it stands in a file: parameters with their values, and what was measured for some of them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace tl::tune {

// A space has at most so many configurations: the product of the numbers of values.
inline constexpr int64_t most_configurations = 10'000'000;

using ParameterValue = std::variant<bool, int64_t, double, std::string>;
// As it stands in the key of a cache: 16, 0.5, True, row.
std::string value_text(const ParameterValue& value);

// Equal for values that are the same configuration: 16 and 16.0.
std::string value_key(const ParameterValue& value);

struct Parameter {
  std::string name;
  std::vector<ParameterValue> values;  // at least one, all different

  [[nodiscard]] std::optional<int64_t> index_of(const ParameterValue& value) const;
};

// The score of a configuration that could not be measured.
inline constexpr double failed_score = std::numeric_limits<double>::infinity();

// Why a configuration could not be measured; `unknown` where a file says only that it could not.
enum class FailureCause { none, constraints, compile, runtime, timeout, correctness, unknown };

// What is known of one configuration.
struct Measurement {
  int64_t cell = 0;             // which configuration: Space::cell_of()
  double score = failed_score;  // the objective, of which less is better: mean time [ms] unless the file names another
  FailureCause failure = FailureCause::none;
  std::vector<double> timings;  // single runs [ms]
  std::string timestamp;
  std::vector<std::pair<std::string, double>> others;  // other numbers by name: "nvml_power", "compile_time"
  [[nodiscard]] std::optional<double> other(const std::string& name) const;
};

struct Space {
  std::string name;  // the file's name without its ending
  std::string device, kernel;
  std::string objective = "time";
  std::vector<int64_t> problem_size;
  std::vector<Parameter> parameters;
  std::vector<Measurement> measurements;  // no two of the same cell
  std::vector<std::string> conditions;    // of a space without measurements, as they stand in the file

  // The number of combinations of values.
  [[nodiscard]] int64_t cells() const;
  // The cell of a combination, an index of each parameter's values; the last parameter runs fastest.
  [[nodiscard]] int64_t cell_of(const std::vector<int64_t>& indices) const;
  [[nodiscard]] std::vector<int64_t> indices_of(int64_t cell) const;
  // "16,16,2,2,1"
  [[nodiscard]] std::string key_of(int64_t cell) const;
};

// Invalid if there are no parameters, or more than most_configurations. `where` names the file.
Result<void> check_size(const std::vector<Parameter>& parameters, const std::string& where);

}  // namespace tl::tune
