// A4: refractive indices against published constants, as rows of the verification table.
#pragma once

#include "gpu/verify/verify.h"

namespace tl {

CheckTable verify_materials();

}  // namespace tl
