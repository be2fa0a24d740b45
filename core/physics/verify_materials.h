// Verification case A4: compares refractive indices with published constants, as rows of the verification table.
#pragma once

#include "gpu/verify/verify.h"

namespace tl {

CheckTable verify_materials();

}  // namespace tl
