// How long a test waits for what must come: as long as a busy machine may take, where the compute thread with its low
// priority gets a small share of a core. Only a failing test waits so long.
#pragma once

#include <QtTest/QtTest>

namespace tl::test {

inline constexpr int patience_ms = 600000;

}  // namespace tl::test

// Qt's own give up after 5 s.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, ::tl::test::patience_ms)
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT(expr, message, ::tl::test::patience_ms)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, ::tl::test::patience_ms)
