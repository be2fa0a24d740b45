// Which loops an operator runs.
#pragma once

namespace tl {

// `fastest` chooses from the geometry, `generic` serves every geometry and is the reference.
enum class KernelChoice { fastest, generic };

}  // namespace tl
