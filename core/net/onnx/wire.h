// The wire format of protobuf: messages as numbered fields of numbers and bytes, without a schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tl::net::onnx {

enum class WireType { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
  uint64_t number = 0;
  WireType type = WireType::varint;
  uint64_t value = 0;      // of numbers, the bits
  std::string_view bytes;  // part of what is read
};

// Reads the fields of one message. Allocates nothing.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : left_(message) {}
  // The next field; nothing at the end, or if the bytes are not a valid field: damaged() is then true.
  std::optional<WireField> next();
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  std::optional<uint64_t> varint();
  std::optional<uint64_t> fixed(std::size_t bytes);
  std::optional<WireField> field();

  std::string_view left_;
  bool damaged_ = false;
};

// Appends the numbers of a repeated field, packed or one at a time. False: the field contains no numbers.
bool append_varints(const WireField& field, std::vector<int64_t>& to);
// Appends numbers of four or eight bytes, as bytes.
bool append_fixed(const WireField& field, std::size_t width, std::string& to);

// Writes the fields of one message.
class WireWriter {
 public:
  void number(uint64_t field, uint64_t value);
  void real(uint64_t field, float value);
  void bytes(uint64_t field, std::string_view value);
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  void varint(uint64_t value);

  std::string message_;
};

}  // namespace tl::net::onnx
