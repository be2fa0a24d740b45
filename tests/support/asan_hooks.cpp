// Under the address sanitizer no library is unloaded: what it leaked could not be named any more, and drivers that are
// unloaded while they still have threads crash.
extern "C" int dlclose(void* /*handle*/) { return 0; }
