// Counts and selects the pages of a TIFF file: listed pages, and images that follow the only listed page.
#include <tiffio.h>

#include "core/io/bytes/reader_limits.h"
#include "core/io/tiff/description.h"
#include "core/io/tiff/file_state.h"

namespace tl::io {
namespace {

constexpr double for_page = 1e-4;  // CPU time to step to the next page [s]

}  // namespace

Result<int64_t> TiffFile::pages() {
  if (state_->pages >= 0) return state_->pages;
  TL_TRY(int64_t count, listed_pages());
  TL_TRY(select(0));
  const TiffDescription stated = tiff_description(description());
  if (count == 1 && stated.images > 1) {
    TL_TRY(state_->behind_first, images_follow_the_first(stated.images));
    if (state_->behind_first) count = stated.images;
  }
  // A single image may be a slice extracted from the stack that its description describes.
  if (count > 1) TL_TRY(check_tiff_axes(stated, count, state_->path.string()));
  state_->pages = count;
  return count;
}

Result<int64_t> TiffFile::listed_pages() {
  constexpr int64_t most = 1 << 24;
  // Not TIFFNumberOfDirectories(), which stops at 65535.
  int64_t count = 1;
  state_->said.clear();
  TIFFSetDirectory(state_->tiff, 0);
  while (count < most && TIFFReadDirectory(state_->tiff) == 1) {
    ++count;
    allow_cpu_time_for_object(for_page);
  }
  state_->selected = count - 1;
  if (!state_->said.empty())
    return io_error("the list of pages is damaged after page " + std::to_string(count), state_->path.string(),
                    "Copy the file again (" + state_->said + ")");
  return count;
}

// Whether the samples of so many images are contiguous from those of the only listed page on, as in ImageJ's large
// stacks. An error if the file ends within them.
Result<bool> TiffFile::images_follow_the_first(int64_t images) {
  TL_TRY(const TiffPage first, page(0));
  TIFF* const tiff = state_->tiff;
  uint16_t compression = COMPRESSION_NONE, bits = 8;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  if (compression != COMPRESSION_NONE || TIFFIsTiled(tiff) != 0) return false;
  const auto bytes = static_cast<uint64_t>(first.rows * first.cols * bits / 8);
  const uint64_t begin = TIFFGetStrileOffset(tiff, 0);
  const auto strips = static_cast<uint32_t>(TIFFNumberOfStrips(tiff));
  if (strips > 1 && TIFFGetStrileOffset(tiff, strips - 1) - begin >= bytes) return false;
  const uint64_t room = begin < state_->length ? (state_->length - begin) / bytes : 0;
  if (room < 2) return false;
  if (room < static_cast<uint64_t>(images))
    return io_error("the description says " + std::to_string(images) + " images, but the file ends within number " +
                        std::to_string(room + 1),
                    state_->path.string(), "The file is truncated: copy it again");
  return true;
}

Result<void> TiffFile::select(int64_t index) {
  if (state_->behind_first) index = 0;  // all images share the directory of the first page
  if (index == state_->selected) return ok();
  state_->said.clear();
  // Steps forward page by page, because every call of TIFFSetDirectory() begins at the first page.
  bool found = true;
  if (index < state_->selected) {
    found = TIFFSetDirectory(state_->tiff, 0) == 1;
    state_->selected = 0;
  }
  while (found && state_->selected < index) {
    allow_cpu_time_for_object(for_page);
    found = TIFFReadDirectory(state_->tiff) == 1;
    if (found) ++state_->selected;
  }
  if (found) return ok();
  state_->selected = -1;
  // The page may follow the only listed one: counting the pages determines that.
  if (state_->pages < 0) {
    TL_TRY(const int64_t count, pages());
    if (state_->behind_first && index < count) return select(0);
  }
  return io_error("page " + std::to_string(index) + " cannot be read", state_->path.string(),
                  "The file is damaged or incomplete (" + state_->said + ")");
}

bool TiffFile::is_last_page() const { return state_->behind_first || TIFFLastDirectory(state_->tiff) != 0; }

}  // namespace tl::io
