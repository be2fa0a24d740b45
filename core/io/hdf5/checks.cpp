// Checks HDF5 datasets before memory is allocated for them: existence, element type, shape, filters.
#include "core/io/hdf5/checks.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/io/hdf5/file.h"

namespace tl::io {
namespace {

struct KnownFilter {
  H5Z_filter_t id;
  const char* name;
  const char* package;  // of Debian; empty = none
};
// Registered filter numbers of The HDF Group.
constexpr std::array<KnownFilter, 14> known_filters = {{{H5Z_FILTER_DEFLATE, "deflate", ""},
                                                        {H5Z_FILTER_SHUFFLE, "shuffle", ""},
                                                        {H5Z_FILTER_FLETCHER32, "fletcher32", ""},
                                                        {H5Z_FILTER_SZIP, "szip", ""},
                                                        {H5Z_FILTER_NBIT, "nbit", ""},
                                                        {H5Z_FILTER_SCALEOFFSET, "scaleoffset", ""},
                                                        {307, "bzip2", "hdf5-filter-plugin"},
                                                        {32000, "lzf", "hdf5-plugin-lzf"},
                                                        {32001, "blosc", "hdf5-filter-plugin-blosc-serial"},
                                                        {32004, "lz4", "hdf5-filter-plugin"},
                                                        {32008, "bitshuffle", "hdf5-filter-plugin"},
                                                        {32013, "zfp", "hdf5-filter-plugin-zfp-serial"},
                                                        {32015, "zstd", ""},
                                                        {32026, "blosc2", ""}}};

// Whether a type's bits fit into its bytes: otherwise HDF5 1.10 overruns its buffers when it converts the type.
bool bits_fit(hid_t type, H5T_class_t kind) {
  const std::size_t size = H5Tget_size(type), bits = H5Tget_precision(type);
  const int offset = H5Tget_offset(type);
  if (size == 0 || size > sizeof(double) || bits == 0 || offset < 0 ||
      bits + static_cast<std::size_t>(offset) > 8 * size)
    return false;
  if (kind == H5T_INTEGER) return true;
  std::size_t sign = 0, exponent_at = 0, exponent = 0, mantissa_at = 0, mantissa = 0;
  if (H5Tget_fields(type, &sign, &exponent_at, &exponent, &mantissa_at, &mantissa) < 0) return false;
  // Mantissa, exponent and sign must not overlap and must be in this order, as in every float that a processor
  // supports.
  return exponent > 0 && exponent < 16 && mantissa > 0 && mantissa <= bits && exponent_at <= bits - exponent &&
         mantissa_at <= bits - mantissa && sign < bits && mantissa_at + mantissa <= exponent_at &&
         exponent_at + exponent <= sign;
}

}  // namespace

Error missing_dataset(hid_t file, const std::string& name, const std::string& where) {
  const Hdf5ErrorsSilenced quiet;
  H5L_info_t info{};
  if (H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD)
    return invalid("the dataset is missing", where, "Choose another scan, or name the dataset's file format");
  constexpr std::size_t longest = 1 << 16;
  std::string target(std::min<std::size_t>(info.u.val_size, longest), '\0');
  H5Lget_val(file, name.c_str(), target.data(), target.size(), H5P_DEFAULT);
  if (info.type == H5L_TYPE_EXTERNAL) {
    const char* linked_file = nullptr;
    const char* linked_object = nullptr;
    unsigned flags = 0;
    if (H5Lunpack_elink_val(target.data(), target.size(), &flags, &linked_file, &linked_object) >= 0)
      return io_error("its link leads to " + std::string(linked_object) + " in the file \"" + linked_file +
                          "\", which cannot be found",
                      where, "Put the linked file back next to the scan");
  }
  return invalid("its link leads to " + target.substr(0, target.find('\0')) + ", which does not exist", where,
                 "The file is incomplete");
}

Result<std::string> number_type(hid_t dataset, const std::string& where) {
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if ((kind == H5T_FLOAT || kind == H5T_INTEGER) && !bits_fit(type.get(), kind))
    return invalid("its number type has an invalid layout of bits", where, "The file is damaged: copy it again");
  const std::string bits = std::to_string(8 * H5Tget_size(type.get()));
  if (kind == H5T_FLOAT) return "float" + bits;
  if (kind == H5T_INTEGER) return (H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint" : "int") + bits;
  static constexpr std::array<const char*, 11> names = {"integers",
                                                        "floats",
                                                        "times",
                                                        "text",
                                                        "bit fields",
                                                        "opaque bytes",
                                                        "compounds (complex numbers?)",
                                                        "references",
                                                        "enumerations",
                                                        "variable-length lists",
                                                        "arrays"};
  const std::string name = kind >= 0 && static_cast<std::size_t>(kind) < names.size()
                               ? names[static_cast<std::size_t>(kind)]
                               : "an unknown type";
  return invalid("holds " + name + " where numbers are needed", where, "Integers or floats can be read");
}

Result<std::vector<int64_t>> dataset_shape(hid_t dataset, const std::string& where) {
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return invalid("the dataset is empty", where);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  std::vector<int64_t> shape;
  std::string text;
  uint64_t left = std::numeric_limits<int64_t>::max() / sizeof(double);
  bool fits = true, empty = false;
  for (const hsize_t n : dims) {
    text += (text.empty() ? "" : " x ") + std::to_string(n);
    empty = empty || n == 0;
    fits = fits && n <= left;
    if (n > 0) left /= n;
    shape.push_back(static_cast<int64_t>(n));
  }
  if (empty) return invalid("the dataset has no elements (" + text + ")", where, "The scan was not written");
  if (!fits)
    return invalid("a dataset of " + text + " elements cannot be addressed", where, "The file is probably damaged");
  return shape;
}

std::string filter_name(H5Z_filter_t id) {
  for (const KnownFilter& known : known_filters)
    if (known.id == id) return known.name;
  return {};
}

Result<void> check_filters(hid_t dataset, const std::string& where) {
  const Hdf5Id plist(H5Dget_create_plist(dataset), H5Pclose);
  const int count = H5Pget_nfilters(plist.get());
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    size_t values = 0;
    const H5Z_filter_t id =
        H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (H5Zfilter_avail(id) > 0) continue;
    const auto known =
        std::find_if(known_filters.begin(), known_filters.end(), [id](const KnownFilter& f) { return f.id == id; });
    const std::string name = filter_name(id).empty() ? "" : " (" + filter_name(id) + ")";
    const std::string package = known == known_filters.end() ? "" : known->package;
    return unavailable(
        "its pixels are compressed with HDF5 filter " + std::to_string(id) + name + ", which is not installed", where,
        package.empty() ? "Debian has no package for it: set HDF5_PLUGIN_PATH to an absolute folder with the plugin, "
                          "or rewrite the file with h5repack where the filter is installed"
                        : "Install the Debian package " + package);
  }
  return ok();
}

}  // namespace tl::io
