// GraphWriter: writes down nodes and initializers of an ONNX graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/net/onnx/wire.h"

namespace tl::net::onnx {

using Integers = std::vector<int64_t>;

// An attribute with one of: an integer, integers, a real number, a text.
struct NamedAttribute {
  enum class Kind { integer, integers, real, text };
  std::string name;
  Kind kind = Kind::integer;
  Integers integers = {};
  float real = 0;
  std::string text = {};
};
NamedAttribute integer_attribute(std::string name, int64_t value);
NamedAttribute integers_attribute(std::string name, Integers values);
NamedAttribute real_attribute(std::string name, float value);
NamedAttribute text_attribute(std::string name, std::string value);

class GraphWriter {
 public:
  // Returns the name for a value or an initializer; a longer one if it is already used.
  std::string unused(std::string name);

  void initializer(const std::string& name, const at::Tensor& numbers);
  // Adds integers as an initializer of one axis; returns its name.
  std::string constant(const Integers& values);
  // Returns the name of the output: the name of the node unless another value has it.
  std::string node(const std::string& op, const std::string& name, const std::vector<std::string>& inputs,
                   const std::vector<NamedAttribute>& attributes = {});

  // A float32 input [n, channels, (z,) y, x] with any n and size.
  void input(const std::string& name, int64_t channels, int64_t dims);
  void output(const std::string& name, int64_t channels, int64_t dims);
  // The graph's message.
  [[nodiscard]] std::string message() const;

 private:
  void value(WireWriter& to, uint64_t field, const std::string& name, int64_t channels, int64_t dims) const;

  std::set<std::string> taken_;
  std::vector<std::pair<Integers, std::string>> constants_;
  WireWriter nodes_, initializers_, inputs_, outputs_;
};

}  // namespace tl::net::onnx
