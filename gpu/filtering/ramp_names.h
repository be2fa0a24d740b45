// Which of our ramp windows a filter of another package is.
#pragma once

#include <optional>
#include <string_view>

#include "gpu/filtering/ramp_window.h"

namespace tl::ops {

enum class Package { tomopy, astra, nabu };

// The window that gives the same weights at every frequency (cutoff 1), by the package's name for it; nothing where
// none does: TomoPy's parzen is (1 - f)^3, f in cycles per pixel, and its butterworth has no taper of ours; ASTRA's
// kaiser takes the Bessel function J0 where Kaiser's window has I0. ASTRA and nabu start from the same spatial kernel
// as ours; TomoPy's gridrec samples |f| and drops the mean of the slice, so compare with it after taking means out.
std::optional<RampWindow> window_of(Package package, std::string_view name);
// The package's name for a window, if it has the same one.
std::optional<std::string_view> name_in(Package package, RampWindow window);

}  // namespace tl::ops
