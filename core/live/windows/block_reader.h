// BlockReader: presents frames of a stream as an open scan, for the node that loads scans.
#pragma once

#include <memory>
#include <span>

#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/stream/windows.h"

namespace tl {

// Views of a window, identical to those that the reader of the stream's record would return. `choices`: settings of the
// load node. Errors: invalid, for frames without angles if the choices contain none either, and for choices that name
// files.
Result<std::unique_ptr<io::ScanReader>> block_reader(const stream::Window& window,
                                                     std::span<const stream::Window::View> views,
                                                     const io::ScanChoices& choices);

}  // namespace tl
