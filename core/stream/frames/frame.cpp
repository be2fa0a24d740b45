// Names and sizes of the kinds of frames and pixels.
#include "core/stream/frames/frame.h"

namespace tl::stream {

std::string_view to_string(FrameKind kind) {
  switch (kind) {
    case FrameKind::flat: return "flat";
    case FrameKind::dark: return "dark";
    case FrameKind::view: break;
  }
  return "view";
}

std::string_view to_string(PixelType type) {
  switch (type) {
    case PixelType::uint8: return "uint8";
    case PixelType::float32: return "float32";
    case PixelType::uint16: break;
  }
  return "uint16";
}

int64_t bytes_per_pixel(PixelType type) {
  switch (type) {
    case PixelType::uint8: return 1;
    case PixelType::float32: return 4;
    case PixelType::uint16: break;
  }
  return 2;
}

}  // namespace tl::stream
