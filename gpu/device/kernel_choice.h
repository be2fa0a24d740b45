// Choice between an operator's specialized and generic loops.
#pragma once

namespace tl {

// `fastest` chooses by the geometry; `generic` is valid for every geometry and serves as the reference.
enum class KernelChoice { fastest, generic };

}  // namespace tl
