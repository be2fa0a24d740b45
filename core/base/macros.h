// The project's macros. A new one needs a decision record (resources/docs/decisions).
#pragma once

// TL_HD marks arithmetic that the CPU and the CUDA compiler share.
#if defined(__CUDACC__)
#define TL_HD __host__ __device__
#else
#define TL_HD
#endif

#define TL_CONCAT_(a, b) a##b
#define TL_CONCAT(a, b) TL_CONCAT_(a, b)

// TL_TRY(call) returns the error of a Result<void>; TL_TRY(Type name, call) returns the error or declares the value.
// Names come from __COUNTER__, because a call may contain a lambda that uses TL_TRY itself.
#define TL_TRY_VOID_NAMED_(result, ...)                 \
  do {                                                  \
    auto result = (__VA_ARGS__);                        \
    if (!result.ok()) return std::move(result).error(); \
  } while (false)
#define TL_TRY_VOID_(...) TL_TRY_VOID_NAMED_(TL_CONCAT(tl_try_, __COUNTER__), __VA_ARGS__)
#define TL_TRY_VALUE_NAMED_(result, declaration, ...) \
  auto result = (__VA_ARGS__);                        \
  if (!result.ok()) return std::move(result).error(); \
  declaration = std::move(result).value()
#define TL_TRY_VALUE_(declaration, ...) TL_TRY_VALUE_NAMED_(TL_CONCAT(tl_try_, __COUNTER__), declaration, __VA_ARGS__)
#define TL_TRY_PICK_(_1, _2, _3, _4, _5, _6, _7, _8, NAME, ...) NAME
#define TL_TRY(...)                                                                                                   \
  TL_TRY_PICK_(__VA_ARGS__, TL_TRY_VALUE_, TL_TRY_VALUE_, TL_TRY_VALUE_, TL_TRY_VALUE_, TL_TRY_VALUE_, TL_TRY_VALUE_, \
               TL_TRY_VALUE_, TL_TRY_VOID_, unused)                                                                   \
  (__VA_ARGS__)

// TL_CHECK(condition, "message") is for our own bugs: it throws Failure{internal}, never for bad user input.
#define TL_CHECK(condition, message) \
  (static_cast<bool>(condition) ? void() : ::tl::fail_internal(#condition, message, __FILE__, __LINE__))

// TL_FORMAT(name) { return {...}; } defines the scan format of core/io/name.cpp; CMake's generated list calls it.
#define TL_FORMAT(name) ::tl::io::ScanFormat tl_format_##name()

// TL_NODE(name), outside of all namespaces, defines the node type of core/nodes/name.cpp from
// tl::name_node::describe; CMake's generated list calls it.
#define TL_NODE(name)                                                  \
  namespace tl {                                                       \
  NodeType node_##name() { return build_node(name##_node::describe); } \
  }
