#include "core/net/prune/prune.cpp"
