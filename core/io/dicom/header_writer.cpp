// Writes elements of DICOM in explicit little endian.
#include "core/io/dicom/header_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <random>

#include "core/io/dicom/header.h"

namespace tl::io {
namespace {

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // on a little-endian machine: see samples.cpp
}

void make_even(std::string& value, char filling) {
  if (value.size() % 2 != 0) value += filling;
}

constexpr const char *explicit_little_endian = "1.2.840.10008.1.2.1", *writer_uid = "2.25.311478622714823947501";

}  // namespace

void DicomElements::head(uint32_t tag, std::string_view type) {
  append(bytes_, static_cast<uint16_t>(tag >> 16));
  append(bytes_, static_cast<uint16_t>(tag));
  bytes_ += type;
}

void DicomElements::text(uint32_t tag, std::string_view type, std::string value) {
  make_even(value, type == "UI" ? '\0' : ' ');
  head(tag, type);
  append(bytes_, static_cast<uint16_t>(value.size()));
  bytes_ += value;
}

void DicomElements::integer(uint32_t tag, uint16_t value) {
  head(tag, "US");
  append(bytes_, static_cast<uint16_t>(sizeof value));
  append(bytes_, value);
}

void DicomElements::long_text(uint32_t tag, std::string value) {
  make_even(value, ' ');
  head(tag, "UT");
  append(bytes_, uint16_t{0});
  append(bytes_, static_cast<uint32_t>(value.size()));
  bytes_ += value;
}

void DicomElements::pixels(uint32_t tag, uint32_t bytes) {
  head(tag, "OW");
  append(bytes_, uint16_t{0});
  append(bytes_, bytes);
}

std::string dicom_file_head(const std::string& class_uid, const std::string& instance_uid) {
  DicomElements group;
  group.text(0x00020002, "UI", class_uid);
  group.text(0x00020003, "UI", instance_uid);
  group.text(dicom::transfer_syntax, "UI", explicit_little_endian);
  group.text(0x00020012, "UI", writer_uid);
  group.text(0x00020013, "SH", "TOMOLOOM");
  // The group begins with its length and its version.
  std::string version;
  append(version, uint32_t{0x00010002});
  version += "OB";
  append(version, uint16_t{0});
  append(version, uint32_t{2});
  version += std::string("\0\1", 2);
  std::string head(128, '\0');
  head += "DICM";
  append(head, uint32_t{0x00000002});
  head += "UL";
  append(head, uint16_t{4});
  append(head, static_cast<uint32_t>(version.size() + group.bytes().size()));
  return head + version + group.bytes();
}

std::string dicom_number(double value) {
  constexpr std::size_t most = 16;
  std::array<char, 40> text{};
  const auto shortest = std::to_chars(text.data(), text.data() + text.size(), value);
  if (const std::string plain(text.data(), shortest.ptr); plain.size() <= most) return plain;
  for (int digits = 16; digits > 0; --digits)
    if (const int length = std::snprintf(text.data(), text.size(), "%.*g", digits, value);
        length > 0 && static_cast<std::size_t>(length) <= most)
      return text.data();
  return "0";
}

std::string dicom_numbers(const std::vector<double>& values) {
  std::string all;
  for (const double value : values) all += (all.empty() ? "" : "\\") + dicom_number(value);
  return all;
}

DicomUids::DicomUids() {
  std::random_device random;
  const auto word = [&] { return static_cast<uint64_t>(random()) << 32 | random(); };
  high_ = word();
  low_ = word();
}

std::string DicomUids::uid(uint32_t index) const {
  __extension__ using Wide = unsigned __int128;
  Wide number = (static_cast<Wide>(high_) << 64 | low_) + index;
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return "2.25." + digits;
}

}  // namespace tl::io
