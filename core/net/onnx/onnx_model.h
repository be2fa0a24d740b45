// An ONNX model as its file has it: nodes, initializers, inputs and outputs by name.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::net::onnx {

// Texts and raw numbers are parts of the file's bytes, which must stay.
struct OnnxTensor {
  std::string_view name;
  std::vector<int64_t> dims;
  int64_t type = 0;
  std::string_view raw;           // numbers as bytes
  std::string reals;              // numbers of four or eight bytes that were not stored as raw bytes
  std::vector<int64_t> integers;  // other numbers
  bool external = false;          // the numbers are in another file
};

struct OnnxAttribute {
  std::string_view name;
  float real = 0;
  int64_t integer = 0;
  std::string_view text;
  std::vector<int64_t> integers;
  std::string reals;               // a list of them, as their bytes
  std::vector<OnnxTensor> tensor;  // none or one
};

struct OnnxNode {
  std::string_view name, op, domain;
  std::vector<std::string_view> inputs, outputs;
  std::vector<OnnxAttribute> attributes;

  [[nodiscard]] const OnnxAttribute* attribute(std::string_view name) const;
  [[nodiscard]] int64_t integer(std::string_view name, int64_t usual) const;
  [[nodiscard]] double real(std::string_view name, double usual) const;
  [[nodiscard]] std::string_view text(std::string_view name, std::string_view usual) const;
  // An input that is left out has an empty name.
  [[nodiscard]] std::string_view input(std::size_t i) const {
    return i < inputs.size() ? inputs[i] : std::string_view();
  }
};

// An input or output of the graph.
struct OnnxValue {
  std::string_view name;
  std::vector<int64_t> dims;  // -1: not said; empty: of no shape
};

struct OnnxModel {
  int64_t opset = 0;  // of the operators of ONNX itself
  std::string_view producer;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxValue> inputs, outputs;
  std::vector<std::pair<std::string_view, std::string_view>> metadata;
};

// Nothing is allocated that the bytes do not hold, but for a small multiple of their number. Errors: invalid, with
// `where`: bytes that are not such a model, more nodes than networks have.
Result<OnnxModel> onnx_model(std::string_view bytes, const std::string& where);

// The numbers, as float32, float64 or int64. Errors: invalid, with the tensor: numbers in another file, of a type that
// networks do not have, more or fewer than the shape says.
Result<at::Tensor> numbers_of(const OnnxTensor& tensor, const std::string& where);

// For people: "64 x 1 x 3 x 3".

}  // namespace tl::net::onnx
