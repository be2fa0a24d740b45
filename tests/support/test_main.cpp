// The main of every program of tests without windows: devices first (torch wants it so), fixed locale, then the cases.
#include <QCoreApplication>
#include <clocale>

#include "gpu/device/device.h"
#include "tests/support/test_case.h"

int main(int argc, char** argv) {
  tl::init_devices();
  if (!qEnvironmentVariableIsSet("TL_HISTORY")) qputenv("TL_HISTORY", "off");  // that of the user is not for tests
  const QCoreApplication app(argc, argv);
  std::setlocale(LC_ALL, "C");
  return tl::test::run_test_cases(argc, argv);
}
