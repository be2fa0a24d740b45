// Reads the messages of ONNX models: field numbers are those of onnx.proto (IR versions 3 to 13).
#include "core/net/onnx/onnx_model.h"

#include <ATen/ATen.h>

#include <bit>
#include <cstring>

#include "core/base/text.h"
#include "core/net/onnx/wire.h"

namespace tl::net::onnx {
namespace {

// A node without inputs takes two bytes in the file, but hundreds in memory.
constexpr std::size_t max_nodes = 1 << 16, max_attributes = 64, max_dims = 16;

Error no_model(const std::string& what, const std::string& where) {
  return invalid("this is not an ONNX model: " + what, where, "Copy or export the file again");
}

class ModelReader {
 public:
  explicit ModelReader(const std::string& where) : where_(where) {}

  Result<OnnxModel> model(std::string_view bytes) {
    OnnxModel m;
    bool has_graph = false;
    TL_TRY(each(bytes, "the model", [&](const WireField& f) -> Result<void> {
      if (f.number == 2) return text(f, m.producer);
      if (f.number == 8) return opset(f, m);
      if (f.number == 14) return metadata(f, m);
      if (f.number != 7) return ok();
      if (has_graph) return damaged("a second graph");
      has_graph = true;
      TL_TRY(const std::string_view message, bytes_of(f));
      return graph(message, m);
    }));
    if (!has_graph) return damaged("it has no graph");
    return m;
  }

 private:
  [[nodiscard]] Error damaged(const std::string& what) const { return no_model(what, where_); }

  // Calls read(field) for all fields of a message.
  template <class Read>
  Result<void> each(std::string_view message, const char* what, const Read& read) const {
    WireReader reader(message);
    while (const auto f = reader.next()) TL_TRY(read(*f));
    if (reader.damaged()) return damaged(std::string("the bytes of ") + what + " are cut off or damaged");
    return ok();
  }

  [[nodiscard]] Result<std::string_view> bytes_of(const WireField& f) const {
    if (f.type != WireType::bytes) return damaged("a number instead of a text");
    return f.bytes;
  }
  Result<void> text(const WireField& f, std::string_view& to) const {
    TL_TRY(to, bytes_of(f));
    return ok();
  }
  Result<void> number(const WireField& f, int64_t& to) const {
    if (f.type != WireType::varint) return damaged("a text instead of a number");
    to = static_cast<int64_t>(f.value);
    return ok();
  }
  // Adds an element to a list that may have `most`.
  template <class T, class Read>
  Result<void> append(const WireField& f, std::vector<T>& to, std::size_t most, const Read& read) const {
    if (to.size() >= most) return damaged("more than " + std::to_string(most) + " parts of one kind");
    TL_TRY(const std::string_view message, bytes_of(f));
    to.emplace_back();
    return read(message, to.back());
  }

  Result<void> opset(const WireField& field, OnnxModel& m) const {
    TL_TRY(const std::string_view message, bytes_of(field));
    std::string_view domain;
    int64_t version = 0;
    TL_TRY(each(message, "the version of the operators", [&](const WireField& f) -> Result<void> {
      return f.number == 1 ? text(f, domain) : f.number == 2 ? number(f, version) : ok();
    }));
    if (domain.empty() || domain == "ai.onnx") m.opset = version;
    return ok();
  }

  Result<void> metadata(const WireField& field, OnnxModel& m) const {
    return append(field, m.metadata, max_nodes, [&](std::string_view message, auto& entry) {
      return each(message, "the metadata", [&](const WireField& f) -> Result<void> {
        return f.number == 1 ? text(f, entry.first) : f.number == 2 ? text(f, entry.second) : ok();
      });
    });
  }

  Result<void> graph(std::string_view bytes, OnnxModel& m) const {
    return each(bytes, "the graph", [&](const WireField& f) -> Result<void> {
      const auto value_of = [this](std::string_view message, OnnxValue& v) { return value(message, v); };
      switch (f.number) {
        case 1: return append(f, m.nodes, max_nodes, [this](std::string_view b, OnnxNode& n) { return node(b, n); });
        case 5:
          return append(f, m.initializers, max_nodes,
                        [this](std::string_view b, OnnxTensor& t) { return tensor(b, t); });
        case 11: return append(f, m.inputs, max_nodes, value_of);
        case 12: return append(f, m.outputs, max_nodes, value_of);
        default: return ok();
      }
    });
  }

  Result<void> node(std::string_view bytes, OnnxNode& n) const {
    return each(bytes, "a node", [&](const WireField& f) -> Result<void> {
      const auto name = [&](std::vector<std::string_view>& to) -> Result<void> {
        TL_TRY(const std::string_view one, bytes_of(f));
        to.push_back(one);
        return ok();
      };
      switch (f.number) {
        case 1: return name(n.inputs);
        case 2: return name(n.outputs);
        case 3: return text(f, n.name);
        case 4: return text(f, n.op);
        case 5:
          return append(f, n.attributes, max_attributes,
                        [this](std::string_view b, OnnxAttribute& a) { return attribute(b, a); });
        case 7: return text(f, n.domain);
        default: return ok();
      }
    });
  }

  Result<void> attribute(std::string_view bytes, OnnxAttribute& a) const {
    return each(bytes, "an attribute", [&](const WireField& f) -> Result<void> {
      switch (f.number) {
        case 1: return text(f, a.name);
        case 2:
          if (f.type != WireType::fixed32) return damaged("an attribute that is not a number");
          a.real = std::bit_cast<float>(static_cast<uint32_t>(f.value));
          return ok();
        case 3: return number(f, a.integer);
        case 4: return text(f, a.text);
        case 5: return append(f, a.tensor, 1, [this](std::string_view b, OnnxTensor& t) { return tensor(b, t); });
        case 7: return append_fixed(f, 4, a.reals) ? ok() : damaged("an attribute that is not a list of numbers");
        case 8: return append_varints(f, a.integers) ? ok() : damaged("an attribute that is not a list of numbers");
        default: return ok();
      }
    });
  }

  Result<void> tensor(std::string_view bytes, OnnxTensor& t) const {
    return each(bytes, "a tensor", [&](const WireField& f) -> Result<void> {
      const auto listed = [&](bool right) { return right ? ok() : damaged("a tensor with invalid values"); };
      switch (f.number) {
        case 1: return listed(append_varints(f, t.dims) && t.dims.size() <= max_dims);
        case 2: return number(f, t.type);
        case 4: return listed(append_fixed(f, 4, t.reals));
        case 5:
        case 7: return listed(append_varints(f, t.integers));
        case 8: return text(f, t.name);
        case 9: return text(f, t.raw);
        case 10: return listed(append_fixed(f, 8, t.reals));
        case 13: t.external = true; return ok();
        case 14: t.external = t.external || f.value != 0; return ok();
        default: return ok();
      }
    });
  }

  // From the type only the shape of the tensor is used.
  Result<void> value(std::string_view bytes, OnnxValue& v) const {
    return each(bytes, "an input or output", [&](const WireField& f) -> Result<void> {
      if (f.number == 1) return text(f, v.name);
      if (f.number != 2) return ok();
      return inside(f, 1, [&](const WireField& tensor) {
        return inside(tensor, 2, [&](const WireField& shape) {
          return inside(shape, 1, [&](const WireField& dim) { return one_dim(dim, v); });
        });
      });
    });
  }
  Result<void> one_dim(const WireField& field, OnnxValue& v) const {
    if (v.dims.size() >= max_dims) return damaged("a shape of too many axes");
    TL_TRY(const std::string_view message, bytes_of(field));
    v.dims.push_back(-1);
    return each(message, "a shape",
                [&](const WireField& f) -> Result<void> { return f.number == 1 ? number(f, v.dims.back()) : ok(); });
  }
  template <class Read>
  Result<void> inside(const WireField& field, uint64_t wanted, const Read& read) const {
    TL_TRY(const std::string_view message, bytes_of(field));
    return each(message, "a type",
                [&](const WireField& f) -> Result<void> { return f.number == wanted ? read(f) : ok(); });
  }

  const std::string& where_;
};

struct StoredNumbers {
  int64_t type;
  at::ScalarType stored, used;
};
constexpr StoredNumbers number_types[] = {{1, at::kFloat, at::kFloat}, {11, at::kDouble, at::kDouble},
                                          {10, at::kHalf, at::kFloat}, {16, at::kBFloat16, at::kFloat},
                                          {7, at::kLong, at::kLong},   {6, at::kInt, at::kLong}};

}  // namespace

const OnnxAttribute* OnnxNode::attribute(std::string_view wanted) const {
  for (const OnnxAttribute& a : attributes)
    if (a.name == wanted) return &a;
  return nullptr;
}
int64_t OnnxNode::integer(std::string_view wanted, int64_t usual) const {
  const OnnxAttribute* a = attribute(wanted);
  return a == nullptr ? usual : a->integer;
}
double OnnxNode::real(std::string_view wanted, double usual) const {
  const OnnxAttribute* a = attribute(wanted);
  return a == nullptr ? usual : a->real;
}
std::string_view OnnxNode::text(std::string_view wanted, std::string_view usual) const {
  const OnnxAttribute* a = attribute(wanted);
  return a == nullptr ? usual : a->text;
}

Result<OnnxModel> onnx_model(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) return no_model("it is empty", where);
  return ModelReader(where).model(bytes);
}

Result<at::Tensor> numbers_of(const OnnxTensor& t, const std::string& where) {
  const auto wrong = [&](const std::string& what, const std::string& hint) {
    return invalid("tensor \"" + std::string(t.name) + "\" " + what, where, hint);
  };
  if (t.external)
    return wrong("has its numbers in another file",
                 "Join them in Python: onnx.save(onnx.load(\"NAME.onnx\"), \"one.onnx\"), and choose that file");
  const StoredNumbers* type = nullptr;
  for (const StoredNumbers& n : number_types)
    if (n.type == t.type) type = &n;
  if (type == nullptr)
    return wrong("has numbers of the type " + std::to_string(t.type),
                 "Export the network with float32, float64 or float16, not quantised");
  const std::size_t width = c10::elementSize(type->stored);
  const bool listed = t.raw.empty() && t.reals.empty();  // also 16-bit floats, stored as bits
  const std::string_view bytes = t.raw.empty() ? std::string_view(t.reals) : t.raw;
  const std::size_t given = listed ? t.integers.size() : bytes.size() / width;
  std::size_t count = 1;
  bool fits = bytes.size() % width == 0, empty = false;
  for (const int64_t n : t.dims) {
    fits = fits && n >= 0;
    empty = empty || n == 0;
    // The size of the file limits these counts: no product overflows.
    if (!fits || empty) continue;
    fits = count <= given / static_cast<std::size_t>(n);
    if (fits) count *= static_cast<std::size_t>(n);
  }
  if (empty) count = 0;
  if (!fits || count != given)
    return wrong("has " + std::to_string(given) + " numbers, not " + shape_text(t.dims),
                 "Copy or export the file again");
  if (empty) return at::empty({0}, type->used);
  if (!listed) {
    at::Tensor numbers = at::empty(t.dims, type->stored);
    std::memcpy(numbers.mutable_data_ptr(), bytes.data(), bytes.size());
    return numbers.to(type->used);
  }
  at::Tensor numbers = at::empty(t.dims, at::kLong);
  std::memcpy(numbers.mutable_data_ptr(), t.integers.data(), count * sizeof(int64_t));
  if (width == 2) return numbers.to(at::kShort).view(type->stored).to(type->used);
  if (type->used != at::kLong)
    return wrong("has integers instead of floating point numbers", "Copy or export the file again");
  return numbers;
}

}  // namespace tl::net::onnx
