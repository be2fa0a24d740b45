// Pipeline files as JSON.
#include "core/graph/graph_json.h"
