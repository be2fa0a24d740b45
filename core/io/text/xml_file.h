// XmlFile: a text of nested elements that describes a scan, as RTK and several scanners write it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/bytes/input_files.h"
#include "core/io/text/stated_number.h"

namespace tl::io {

// Names are without the prefix of a namespace, those of attributes in lower case.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // between its tags, without that of its children, and without blanks around it
  int64_t line = 0;  // on which it begins
  std::vector<XmlElement> children;

  // The first of its children with that name; the case of letters does not count. Null: there is none.
  [[nodiscard]] const XmlElement* child(std::string_view child_name) const;
};

class XmlFile {
 public:
  // Bytes of values may be in any encoding that keeps ASCII. Errors: io (unreadable); invalid, with the line: elements
  // that are not closed, definitions of entities (which can grow without bound), UTF-16, more than 64 MiB, 2^18
  // elements or 64 levels.
  static Result<XmlFile> open(const std::filesystem::path& path);

  [[nodiscard]] const XmlElement& root() const { return root_; }
  // The file, as it was before it was read.
  [[nodiscard]] const InputFile& file() const { return file_; }

  // What follows takes a path below an element: names separated by "/", an attribute after "@" (geometry@sdd).

  // Nothing if there is no such element or attribute, or it is empty.
  [[nodiscard]] static std::optional<std::string> text(const XmlElement& from, std::string_view path);
  // Errors: invalid, with the line, if it is not a number within the bounds (stated_number(); decimals may
  // follow a comma).
  [[nodiscard]] Result<std::optional<double>> number(const XmlElement& from, const std::string& path,
                                                     Bounds bounds) const;
  // The same for numbers that must not be missing.
  [[nodiscard]] Result<double> required(const XmlElement& from, const std::string& path, Bounds bounds) const;
  [[nodiscard]] Result<int64_t> required_integer(const XmlElement& from, const std::string& path, int64_t low,
                                                 int64_t high) const;
  // The file and a line, for errors.
  [[nodiscard]] std::string location(const XmlElement& element) const;

 private:
  explicit XmlFile(InputFile file) : file_(std::move(file)) {}
  InputFile file_;
  XmlElement root_;
};

}  // namespace tl::io
