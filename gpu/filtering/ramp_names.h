// Which of our ramp windows equals a filter of TomoPy, ASTRA or nabu, by its name there; for comparisons.
#pragma once

#include <optional>
#include <string_view>

#include "gpu/filtering/ramp_window.h"

namespace tl::ops {

enum class Package { tomopy, astra, nabu };

// The window with the same weights at every frequency (cutoff 1) as the package's filter of that name; nullopt if there
// is none: TomoPy's parzen is (1 - f)^3, f in cycles per pixel, and its butterworth matches none of our tapers; ASTRA's
// kaiser uses the Bessel function J0 where Kaiser's window has I0. ASTRA and nabu start from the same spatial kernel as
// ours; TomoPy's gridrec samples |f| and loses the mean of the slice, so subtract means before comparing.
std::optional<RampWindow> window_of(Package package, std::string_view name);
// The package's name for a window, if it has an equal one.
std::optional<std::string_view> ramp_name_in(Package package, RampWindow window);

}  // namespace tl::ops
