// HeaderKeys: how a reader handles each key of its format's standard, so that no key that changes the meaning of the
// data is ignored.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

enum class KeyUse : uint32_t {
  used,      // the reader uses its value, or refuses the file
  harmless,  // it changes neither numbers nor their position
  neutral,   // the file is read only if the key has a value without effect
};

// A key, or several keys with the same use and meaning.
struct HeaderKey {
  std::string_view names;  // separated by '|'
  KeyUse use = KeyUse::used;
  std::string_view meaning = {};  // of a harmless key: why; of a neutral one: the effect of other values on the numbers
  std::string_view neutral = {};  // values without effect, in lower case, separated by '|'
};

struct HeaderKeys {
  std::string_view format, standard;  // "NRRD"; where the keys are defined
  std::span<const HeaderKey> keys;
  [[nodiscard]] const HeaderKey* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

// One table per format, used by readers; a test checks all of them.
extern const HeaderKeys nrrd_keys, metaimage_keys, nifti_keys, mrc_keys, zarr_2_keys, zarr_3_keys, ome_image_keys,
    edf_keys, dicom_keys, imagej_keys, nikon_keys;

// unavailable: a neutral key has a value that changes numbers; the message gives the key and its effect.
Result<void> check_header_key(const HeaderKeys& known, const std::string& name, const std::string& value,
                              const std::string& where);
// Checks all keys of a header. Keys that the table does not have are noted, because the reader ignores them.
Result<void> check_header_keys(const HeaderKeys& known, const std::map<std::string, std::string>& header,
                               const std::string& where, std::vector<std::string>& notes);

}  // namespace tl::io
