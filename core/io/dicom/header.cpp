// Walks through the elements of a DICOM file (PS3.5, PS3.10).
#include "core/io/dicom/header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/base/text.h"
#include "core/io/bytes/file_descriptor.h"
#include "core/io/bytes/read_at.h"
#include "core/io/keys/header_keys.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr int64_t preamble = 128, magic_bytes = 4;
constexpr uint32_t undefined_length = 0xffffffff, item = 0xfffee000, item_end = 0xfffee00d, sequence_end = 0xfffee0dd;
constexpr int deepest_sequence = 16;
constexpr int64_t longest_value = 4096, longest_record = int64_t{64} << 20;
constexpr const char *implicit_little = "1.2.840.10008.1.2", *explicit_little = "1.2.840.10008.1.2.1";

// Transfer syntaxes with compressed pixels; their other elements are explicit little endian.
constexpr std::pair<std::string_view, std::string_view> compressed_syntaxes[] = {
    {"1.2.840.10008.1.2.4.50", "JPEG"},          {"1.2.840.10008.1.2.4.51", "JPEG"},
    {"1.2.840.10008.1.2.4.57", "lossless JPEG"}, {"1.2.840.10008.1.2.4.70", "lossless JPEG"},
    {"1.2.840.10008.1.2.4.80", "JPEG-LS"},       {"1.2.840.10008.1.2.4.81", "JPEG-LS"},
    {"1.2.840.10008.1.2.4.90", "JPEG 2000"},     {"1.2.840.10008.1.2.4.91", "JPEG 2000"},
    {"1.2.840.10008.1.2.5", "run lengths (RLE)"}};
constexpr std::pair<std::string_view, std::string_view> other_syntaxes[] = {{"1.2.840.10008.1.2.1.99", "deflated"},
                                                                            {"1.2.840.10008.1.2.2", "big endian"}};

const std::set<uint32_t>& wanted_tags() {
  using namespace dicom;
  static const std::set<uint32_t> all = {
      manufacturer,    images_in_acquisition, transfer_syntax,   series_uid,  instance_number, position,  orientation,
      slice_thickness, slice_spacing,         samples_per_pixel, photometric, frames,          rows,      cols,
      pixel_spacing,   bits_allocated,        bits_stored,       high_bit,    is_signed,       intercept, slope,
      rescale_type,    private_creator,       private_record};
  return all;
}

Error not_whole_dicom(const fs::path& file, const char* part = "header") {
  return io_error(std::string("the file ends within its ") + part, file.string(),
                  "It is truncated or damaged: copy it again");
}
Error damaged_dicom(const std::string& what, const fs::path& file) {
  return invalid(what, file.string(), "The file is damaged: copy it again");
}

enum class Encoding { explicit_types, implicit_types };

struct Element {
  uint32_t tag = 0, length = 0;
  int64_t value_at = 0;
  Encoding inside = Encoding::explicit_types;  // encoding of the elements inside, if it is a sequence
};

class DicomWalk {
 public:
  DicomWalk(fs::path file, FileDescriptor handle, int64_t length)
      : file_(std::move(file)), handle_(std::move(handle)), length_(length) {}

  Result<DicomHeader> header() {
    int64_t at = preamble + magic_bytes;
    // The first group is explicit whatever follows.
    TL_TRY(Element next, element(at, Encoding::explicit_types));
    while (next.tag >> 16 == 2) {
      TL_TRY(keep(next));
      at = next.value_at + next.length;
      if (at >= length_) return damaged_dicom("the file ends after its first group", file_);
      TL_TRY(const std::string group, bytes(at, 2));
      if (group != std::string("\2\0", 2)) break;
      TL_TRY(next, element(at, Encoding::explicit_types));
    }
    const std::string syntax = header_.text(dicom::transfer_syntax);
    TL_TRY(check_syntax(syntax));
    TL_TRY(walk(at, syntax == implicit_little ? Encoding::implicit_types : Encoding::explicit_types));
    return std::move(header_);
  }

 private:
  Result<void> check_syntax(const std::string& syntax) {
    if (syntax == implicit_little || syntax == explicit_little) return ok();
    for (const auto& [uid, words] : compressed_syntaxes)
      if (syntax == uid) header_.compression = words;
    if (header_.compression.empty() && syntax.starts_with("1.2.840.10008.1.2.4.")) header_.compression = syntax;
    if (!header_.compression.empty()) return ok();
    std::string name = "the transfer syntax \"" + syntax + "\"";
    for (const auto& [uid, words] : other_syntaxes)
      if (syntax == uid) name = words;
    return unavailable("its pixels are compressed or stored as " + name, file_.string(),
                       "Write it uncompressed first, for example by the programs gdcmconv or dcmdjpeg");
  }

  Result<std::string> bytes(int64_t at, int64_t count) {
    if (at < 0 || count < 0 || at > length_ - count) return not_whole_dicom(file_);
    if (at >= window_at_ && at + count <= window_at_ + static_cast<int64_t>(window_.size()))
      return window_.substr(static_cast<std::size_t>(at - window_at_), static_cast<std::size_t>(count));
    constexpr int64_t ahead = 8192;
    std::string read(static_cast<std::size_t>(std::min(std::max(count, ahead), length_ - at)), '\0');
    const int64_t got = read_at(handle_.get(), at, std::as_writable_bytes(std::span(read)));
    if (got != static_cast<int64_t>(read.size())) return not_whole_dicom(file_);
    window_ = std::move(read);
    window_at_ = at;
    return window_.substr(0, static_cast<std::size_t>(count));
  }
  template <class T>
  static T number_at(const std::string& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  Result<Element> element(int64_t at, Encoding encoding) {
    TL_TRY(const std::string start, bytes(at, 8));
    Element e{.tag = static_cast<uint32_t>(number_at<uint16_t>(start, 0)) << 16 | number_at<uint16_t>(start, 2),
              .length = number_at<uint32_t>(start, 4),
              .value_at = at + 8,
              .inside = encoding};
    const bool of_sequence = e.tag == item || e.tag == item_end || e.tag == sequence_end;
    if (encoding == Encoding::implicit_types || of_sequence) return e;
    const std::string type = start.substr(4, 2);
    constexpr std::array<std::string_view, 13> with_long_length = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                                   "SV", "UC", "UN", "UR", "UT", "UV"};
    if (std::find(with_long_length.begin(), with_long_length.end(), type) != with_long_length.end()) {
      TL_TRY(const std::string more, bytes(at + 8, 4));
      e.length = number_at<uint32_t>(more, 0);
      e.value_at = at + 12;
      // Elements of unknown type (UN) are encoded implicitly inside (PS3.5, 6.2.2).
      if (type == "UN") e.inside = Encoding::implicit_types;
    } else {
      e.length = number_at<uint16_t>(start, 6);
    }
    return e;
  }

  Result<void> keep(const Element& e) {
    if (e.length == undefined_length) return damaged_dicom("a value in its header has no length", file_);
    if (e.value_at > length_ - static_cast<int64_t>(e.length)) return not_whole_dicom(file_);
    const int64_t most = e.tag == dicom::private_record ? longest_record : longest_value;
    if (wanted_tags().count(e.tag) == 0 || static_cast<int64_t>(e.length) > most) return ok();
    TL_TRY(header_.values[e.tag], bytes(e.value_at, e.length));
    return ok();
  }

  // Records elements that change the meaning of pixels, and unsupported pixel types.
  void note_what_changes_pixels(const Element& e) {
    const std::string name = formatted("%04x,%04x", e.tag >> 16, e.tag & 0xffff);
    const HeaderKey* const key = dicom_keys.find(name);
    if (key == nullptr || key->use != KeyUse::neutral || e.length == 0) return;
    header_.not_read = std::string(key->meaning) + " (" + name + ")";
    if (e.tag >> 16 == dicom::pixels >> 16) header_.pixels_at = e.value_at;
  }

  // The elements up to the pixels.
  Result<void> walk(int64_t at, Encoding encoding) {
    while (at < length_) {
      TL_TRY(const Element e, element(at, encoding));
      if (e.tag == dicom::pixels) {
        header_.pixels_at = e.value_at;
        if (e.length == undefined_length) return ok();
        header_.pixels_bytes = e.length;
        return *header_.pixels_bytes <= length_ - e.value_at ? ok() : Result<void>(not_whole_dicom(file_, "pixels"));
      }
      note_what_changes_pixels(e);
      if (e.tag == dicom::shared_groups || e.tag == dicom::frame_groups) header_.has_frame_groups = true;
      if (e.length == undefined_length) {
        TL_TRY(at, behind_sequence(e.value_at, e.inside, 0));
        continue;
      }
      TL_TRY(keep(e));
      at = e.value_at + e.length;
    }
    return ok();
  }

  // The end of a sequence of undefined length.
  Result<int64_t> behind_sequence(int64_t at, Encoding encoding, int depth) {
    if (depth > deepest_sequence) return damaged_dicom("its sequences are nested too deeply", file_);
    while (true) {
      TL_TRY(const Element e, element(at, encoding));
      if (e.tag == sequence_end) return e.value_at;
      if (e.tag != item) return damaged_dicom("a sequence in its header is damaged", file_);
      if (e.length != undefined_length) {
        at = e.value_at + e.length;
        continue;
      }
      at = e.value_at;
      while (true) {
        TL_TRY(const Element inner, element(at, encoding));
        at = inner.value_at;
        if (inner.tag == item_end) break;
        if (inner.length == undefined_length) {
          TL_TRY(at, behind_sequence(at, inner.inside, depth + 1));
        } else {
          at += inner.length;
        }
      }
    }
  }

  fs::path file_;
  FileDescriptor handle_;
  int64_t length_;
  DicomHeader header_;
  std::string window_;
  int64_t window_at_ = 0;
};

}  // namespace

std::string DicomHeader::text(uint32_t tag) const {
  const auto found = values.find(tag);
  if (found == values.end()) return {};
  std::string text = found->second;
  while (text.ends_with('\0') || text.ends_with(' ')) text.pop_back();
  return std::string(trimmed(text));
}

std::optional<std::vector<double>> DicomHeader::numbers(uint32_t tag, std::size_t count) const {
  std::string words = text(tag);
  std::replace(words.begin(), words.end(), '\\', ' ');
  return numbers_of(words, count);
}

int64_t DicomHeader::integer(uint32_t tag, int64_t value_if_absent) const {
  const auto found = values.find(tag);
  uint16_t value = 0;
  if (found == values.end() || found->second.size() < sizeof value) return value_if_absent;
  std::memcpy(&value, found->second.data(), sizeof value);
  return value;
}

bool is_dicom(const fs::path& file) {
  const FileDescriptor handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, magic_bytes> magic{};
  return handle.is_open() && ::pread(handle.get(), magic.data(), magic.size(), preamble) == magic_bytes &&
         std::string_view(magic.data(), magic.size()) == "DICM";
}

Result<DicomHeader> read_dicom_header(const fs::path& file) {
  FileDescriptor handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat s {};
  if (!handle.is_open() || fstat(handle.get(), &s) != 0)
    return io_error(std::string("the file cannot be opened: ") + std::strerror(errno), file.string(),
                    "Check that it is there and may be read");
  if (!S_ISREG(s.st_mode) || !is_dicom(file))
    return invalid("not a DICOM file", file.string(), "Choose another format, or detect it");
  return DicomWalk(file, std::move(handle), s.st_size).header();
}

}  // namespace tl::io
