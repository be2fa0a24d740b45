// The content of an ONNX file: nodes, initializers, inputs and outputs by name.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::net::onnx {

// Texts and raw numbers point into the file's bytes, which must outlive them.
struct OnnxTensor {
  std::string_view name;
  std::vector<int64_t> dims;
  int64_t type = 0;
  std::string_view raw;           // numbers as bytes
  std::string reals;              // bytes of numbers of four or eight bytes that were not stored as raw data
  std::vector<int64_t> integers;  // other numbers
  bool external = false;          // the numbers are stored in another file
};

struct OnnxAttribute {
  std::string_view name;
  float real = 0;
  int64_t integer = 0;
  std::string_view text;
  std::vector<int64_t> integers;
  std::string reals;               // the bytes of a list of floats
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
  // An omitted input has an empty name.
  [[nodiscard]] std::string_view input(std::size_t i) const {
    return i < inputs.size() ? inputs[i] : std::string_view();
  }
};

// An input or output of the graph.
struct OnnxValue {
  std::string_view name;
  std::vector<int64_t> dims;  // -1: unknown; empty: unknown shape
};

struct OnnxModel {
  int64_t opset = 0;  // version of ONNX's own operators
  std::string_view producer;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxValue> inputs, outputs;
  std::vector<std::pair<std::string_view, std::string_view>> metadata;
};

// Allocates at most a small multiple of the number of bytes. Errors: invalid, with `where`: bytes that are not an ONNX
// model, more nodes than networks can have.
Result<OnnxModel> onnx_model(std::string_view bytes, const std::string& where);

// The numbers, as float32, float64 or int64. Errors: invalid, with the tensor: numbers in another file, of an
// unsupported type, more or fewer than in the shape.
Result<at::Tensor> numbers_of(const OnnxTensor& tensor, const std::string& where);

// A shape for display: "64 x 1 x 3 x 3".

}  // namespace tl::net::onnx
