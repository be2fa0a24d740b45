// Fuzzer target: any bytes as a pipeline of each other program that is read. What opens is a pipeline of ours.
#include "core/graph/foreign/foreign.h"
#include "core/graph/graph_json.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const foreign::ScanFacts scan{1801, 2560, 1.5, 53.0, 1000.0};
  for (const foreign::PipelineFormat& format : foreign::pipeline_formats()) {
    const auto read = format.read(text, "input", Registry::all(), scan);
    if (!read.ok()) {
      fuzz::must_say_what_and_where(read.error());
      continue;
    }
    if (!graph_from_json(to_json(read.value().graph), Registry::all(), "read.json", Completeness::draft).ok())
      std::abort();
    for (const foreign::PipelineFormat& other : foreign::pipeline_formats())
      (void)other.write(read.value().graph, Registry::all(), scan);
  }
  return 0;
}
