// HeaderKeys: what a reader does with each key that the standard of its format names, so that none which changes the
// meaning of bytes is passed over.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

enum class KeyUse : uint32_t {
  used,      // the reader takes its value, or refuses it
  harmless,  // it changes neither numbers nor their position
  neutral,   // files are read only if its value is one that changes nothing
};

// A key, or several of the same use and meaning.
struct HeaderKey {
  std::string_view names;  // separated by '|'
  KeyUse use = KeyUse::used;
  std::string_view meaning = {};  // of a harmless key: why; of a neutral one: what other values would do to the numbers
  std::string_view neutral = {};  // values that change nothing, in lower case, separated by '|'
};

struct HeaderKeys {
  std::string_view format, standard;  // "NRRD"; where the keys are defined
  std::span<const HeaderKey> keys;
  [[nodiscard]] const HeaderKey* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

// Each format's table: the readers ask them, and a test walks them.
extern const HeaderKeys nrrd_keys, metaimage_keys, nifti_keys, mrc_keys, zarr_2_keys, zarr_3_keys, ome_image_keys,
    edf_keys, dicom_keys, imagej_keys, nikon_keys;

// unavailable: a neutral key has a value that changes numbers; the message names it and says what it would do.
Result<void> check_header_key(const HeaderKeys& known, const std::string& name, const std::string& value,
                              const std::string& where);
// The same for all keys of a header. Those that the table does not have are noted, because nobody looks at them.
Result<void> check_header_keys(const HeaderKeys& known, const std::map<std::string, std::string>& header,
                               const std::string& where, std::vector<std::string>& notes);

}  // namespace tl::io
