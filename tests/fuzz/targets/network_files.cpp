// Fuzzer target: any bytes as a file of a network, and its sizes.
#include "core/io/model/safetensors.h"
#include "core/net/files/network_file.h"
#include "core/net/footprint.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  const auto model = io::model_from_safetensors({reinterpret_cast<const char*>(bytes), size}, "n.safetensors");
  if (!model.ok()) {
    fuzz::must_say_what_and_where(model.error());
    return 0;
  }
  const auto network = net::network_of(model.value(), "n.safetensors");
  if (!network.ok()) {
    fuzz::must_say_what_and_where(network.error());
    return 0;
  }
  if (const auto footprint = net::footprint_of(network.value()); !footprint.ok())
    fuzz::must_say_what_and_where(footprint.error());
  return 0;
}
