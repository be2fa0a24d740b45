// Fuzzer target: any bytes as a model file, and as a pixel classifier that is applied.
#include <ATen/ATen.h>

#include "core/io/model/safetensors.h"
#include "core/nodes/segment/classifier_model.h"
#include "tests/fuzz/targets/target_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
  using namespace tl;
  const auto model = io::model_from_safetensors({reinterpret_cast<const char*>(bytes), size}, "m.safetensors");
  if (!model.ok()) {
    fuzz::must_say_what_and_where(model.error());
    return 0;
  }
  const auto classifier = classifier_of(model.value(), "m.safetensors");
  if (!classifier.ok()) {
    fuzz::must_say_what_and_where(classifier.error());
    return 0;
  }
  const ops::Forest& f = classifier.value().forest;
  (void)ops::forest_probabilities(f, at::zeros({f.features, 20})).or_throw();
  return 0;
}
