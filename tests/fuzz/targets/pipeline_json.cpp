// Fuzzer target: any bytes as the text of a pipeline. What opens is written back and opens as the same.
#include "core/graph/graph_json.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto graph = graph_from_json(text, Registry::all(), "input.json", Completeness::draft);
  if (!graph.ok()) {
    fuzz::must_say_what_and_where(graph.error());
    return 0;
  }
  const std::string written = to_json(graph.value());
  const auto again = graph_from_json(written, Registry::all(), "written.json", Completeness::draft);
  if (!again.ok() || to_json(again.value()) != written) std::abort();
  return 0;
}
