// Makes a class of Qt Test a test case of its program: TL_TEST_CASE(Class) in the file's own namespace. The program
// (all files of a room) runs the case named after the file: test_core_io sources [Qt Test's arguments].
#pragma once

#include <QtTest/QtTest>

#include "tests/support/patience.h"

namespace tl::test {

struct TestCase {
  // `file`: the source file of the class, from __FILE__; its name without folder and ending is the case's name.
  TestCase(const char* file, int (*run)(int argc, char** argv));
};

// Runs the cases named on the command line: a single one by its name, all without arguments. Returns the process's exit
// status; 2, with the list of names on standard error, if there is no such case.
int run_test_cases(int argc, char** argv);

}  // namespace tl::test

#define TL_TEST_CASE(Class)                                                                         \
  static const ::tl::test::TestCase registered_##Class{__FILE__, [](int argc, char** argv) -> int { \
                                                         Class test;                                \
                                                         return QTest::qExec(&test, argc, argv);    \
                                                       }};
