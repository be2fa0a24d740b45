// Field numbers are those in onnx.proto.
#include "core/net/onnx/graph_writer.h"

#include <ATen/ATen.h>

namespace tl::net::onnx {
namespace {

constexpr uint64_t float_type = 1, integer_type = 7;

std::string attribute_message(const NamedAttribute& a) {
  constexpr uint64_t type_real = 1, type_integer = 2, type_text = 3, type_integers = 7;
  WireWriter w;
  w.bytes(1, a.name);
  switch (a.kind) {
    case NamedAttribute::Kind::integer:
      w.number(3, static_cast<uint64_t>(a.integers.at(0)));
      w.number(20, type_integer);
      break;
    case NamedAttribute::Kind::integers:
      for (const int64_t n : a.integers) w.number(8, static_cast<uint64_t>(n));
      w.number(20, type_integers);
      break;
    case NamedAttribute::Kind::real:
      w.real(2, a.real);
      w.number(20, type_real);
      break;
    case NamedAttribute::Kind::text:
      w.bytes(4, a.text);
      w.number(20, type_text);
      break;
  }
  return w.message();
}

}  // namespace

NamedAttribute integer_attribute(std::string name, int64_t value) {
  return {std::move(name), NamedAttribute::Kind::integer, {value}};
}
NamedAttribute integers_attribute(std::string name, Integers values) {
  return {std::move(name), NamedAttribute::Kind::integers, std::move(values)};
}
NamedAttribute real_attribute(std::string name, float value) {
  return {std::move(name), NamedAttribute::Kind::real, {}, value};
}
NamedAttribute text_attribute(std::string name, std::string value) {
  return {std::move(name), NamedAttribute::Kind::text, {}, 0, std::move(value)};
}

std::string GraphWriter::unused(std::string name) {
  while (!taken_.insert(name).second) name += "_";
  return name;
}

void GraphWriter::initializer(const std::string& name, const at::Tensor& numbers) {
  const bool whole = numbers.scalar_type() == at::kLong;
  const at::Tensor plain = (whole ? numbers : numbers.detach().to(at::kFloat)).to(at::kCPU).contiguous();
  WireWriter w;
  for (const int64_t n : plain.sizes()) w.number(1, static_cast<uint64_t>(n));
  w.number(2, whole ? integer_type : float_type);
  w.bytes(8, name);
  w.bytes(9, {static_cast<const char*>(plain.const_data_ptr()), plain.nbytes()});
  initializers_.bytes(5, w.message());
}

std::string GraphWriter::constant(const Integers& values) {
  for (const auto& [known, name] : constants_)
    if (known == values) return name;
  std::string name = "integers";
  for (const int64_t n : values) name += "." + std::to_string(n);
  name = unused(name);
  initializer(name, at::tensor(values, at::kLong));
  constants_.emplace_back(values, name);
  return name;
}

std::string GraphWriter::node(const std::string& op, const std::string& name, const std::vector<std::string>& inputs,
                              const std::vector<NamedAttribute>& attributes) {
  WireWriter w;
  for (const std::string& i : inputs) w.bytes(1, i);
  std::string output = unused(name);
  w.bytes(2, output);
  w.bytes(3, name);
  w.bytes(4, op);
  for (const NamedAttribute& a : attributes) w.bytes(5, attribute_message(a));
  nodes_.bytes(1, w.message());
  return output;
}

void GraphWriter::value(WireWriter& to, uint64_t field, const std::string& name, int64_t channels, int64_t dims) const {
  WireWriter shape;
  const auto axis = [&](std::string_view label) {
    WireWriter w;
    w.bytes(2, label);
    shape.bytes(1, w.message());
  };
  axis("n");
  WireWriter of_channels;
  of_channels.number(1, static_cast<uint64_t>(channels));
  shape.bytes(1, of_channels.message());
  // Outputs may be smaller.
  const std::string prefix = field == 11 ? "" : name + "/";
  for (const char* label : {"z", "y", "x"})
    if (dims == 3 || *label != 'z') axis(prefix + label);
  WireWriter tensor, type, whole;
  tensor.number(1, float_type);
  tensor.bytes(2, shape.message());
  type.bytes(1, tensor.message());
  whole.bytes(1, name);
  whole.bytes(2, type.message());
  to.bytes(field, whole.message());
}

void GraphWriter::input(const std::string& name, int64_t channels, int64_t dims) {
  value(inputs_, 11, name, channels, dims);
}
void GraphWriter::output(const std::string& name, int64_t channels, int64_t dims) {
  value(outputs_, 12, name, channels, dims);
}

std::string GraphWriter::message() const {
  WireWriter name;
  name.bytes(2, "network");
  return nodes_.message() + name.message() + initializers_.message() + inputs_.message() + outputs_.message();
}

}  // namespace tl::net::onnx
