// Computes a digest of everything that influences the result of a learning run.
#include "core/learn/verdict/identity.h"

#include <ATen/ATen.h>

#include "core/graph/graph_json.h"
#include "core/learn/learning.h"
#include "core/run/record/provenance.h"
#include "core/values/hash.h"
#include "gpu/device/threads.h"

namespace tl::learn {

Result<std::string> identity_of(Problem& problem, Executor& executor, const Graph& graph) {
  Graph plain = graph;
  plain.ui.clear();
  plain.learning.clear();
  Hasher hasher;
  hasher.add(tl::to_json(plain)).add(to_json(problem.settings())).add(versions_json());
  hasher.add(executor.options().device).add(static_cast<int64_t>(executor.options().dtype));
  hasher.add(static_cast<int64_t>(thread_limit()));
  TL_TRY(const std::vector<Value>* data, problem.data());
  for (const Value& value : *data) {
    at::Tensor numbers;
    if (const auto* p = std::get_if<Projections>(&value)) numbers = p->data;
    if (const auto* v = std::get_if<Volume>(&value)) numbers = v->data;
    if (!numbers.defined()) continue;
    numbers = numbers.contiguous();
    hasher.add(std::string_view(static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes()));
  }
  return hasher.digest().text();
}

}  // namespace tl::learn
