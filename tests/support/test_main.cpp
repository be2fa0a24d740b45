// The main function of test programs without windows: initialises devices first (torch requires it), then the locale,
// then runs the cases.
#include <QCoreApplication>
#include <clocale>

#include "gpu/device/device.h"
#include "tests/support/test_case.h"

int main(int argc, char** argv) {
  tl::init_devices();
  if (!qEnvironmentVariableIsSet("TL_HISTORY")) qputenv("TL_HISTORY", "off");  // keeps the user's history out of tests
  const QCoreApplication app(argc, argv);
  std::setlocale(LC_ALL, "C");
  return tl::test::run_test_cases(argc, argv);
}
