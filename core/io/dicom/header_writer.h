// DicomElements: the bytes of a DICOM file before its pixels, in explicit little endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tl::io {

// Elements are added in ascending order of their tags.
class DicomElements {
 public:
  // `type`: the two letters of PS3.5, "UI", "DS", ...; a text is filled up to an even length.
  void text(uint32_t tag, std::string_view type, std::string value);
  void integer(uint32_t tag, uint16_t value);
  // A text of any length ("UT").
  void long_text(uint32_t tag, std::string value);
  // The beginning of the pixels, 16-bit numbers ("OW"), which follow.
  void pixels(uint32_t tag, uint32_t bytes);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void head(uint32_t tag, std::string_view type);
  std::string bytes_;
};

// The preamble and the first group of a file, for the UIDs of its class and instance.
std::string dicom_file_head(const std::string& class_uid, const std::string& instance_uid);

// A number as text of at most 16 characters (type "DS"), with as many digits as fit.
std::string dicom_number(double value);
// Several of them, separated.
std::string dicom_numbers(const std::vector<double>& values);

// UIDs of a series and its slices: "2.25." and a random number of 128 bits, to which `index` is added.
class DicomUids {
 public:
  DicomUids();
  [[nodiscard]] std::string uid(uint32_t index) const;

 private:
  uint64_t high_, low_;
};

}  // namespace tl::io
