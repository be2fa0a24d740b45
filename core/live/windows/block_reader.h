// BlockReader: frames of a stream as a scan that is open, for the node that loads scans.
#pragma once

#include <memory>
#include <span>

#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/stream/windows.h"

namespace tl {

// Views of a window as the reader of a record of the stream gives them. `choices` are those of the load node. Errors:
// invalid, for frames without angles where the choices give none either, and for choices that name files.
Result<std::unique_ptr<io::ScanReader>> block_reader(const stream::Window& window,
                                                     std::span<const stream::Window::View> views,
                                                     const io::ScanChoices& choices);

}  // namespace tl
