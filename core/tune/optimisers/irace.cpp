// irace: a program of its own, in R, which this one does not contain.
#include "core/tune/optimisers/optimiser.h"

namespace tl::tune {

Optimiser optimiser_irace() { return {"irace", "irace is not part of this program", nullptr}; }

}  // namespace tl::tune
