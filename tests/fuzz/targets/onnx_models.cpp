// Fuzzer target: any bytes as an ONNX model; a network that comes out of it is written as one that is read again.
#include "core/net/onnx/read_onnx.h"
#include "core/net/onnx/write_onnx.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  const auto network = net::onnx::network_from_onnx({reinterpret_cast<const char*>(bytes), size}, "n.onnx");
  if (!network.ok()) {
    fuzz::must_say_what_and_where(network.error());
    return 0;
  }
  const auto written = net::onnx::to_onnx(network.value(), "n.onnx");
  if (!written.ok()) {
    fuzz::must_say_what_and_where(written.error());
    return 0;
  }
  TL_CHECK(net::onnx::network_from_onnx(written.value(), "n.onnx").ok(), "what was written is not read");
  return 0;
}
