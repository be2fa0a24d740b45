// The main function of test programs that open windows: initialises devices first (torch requires it), then style, font
// and locale, then runs the cases.
#include <QStandardPaths>
#include <clocale>

#include "gpu/device/device.h"
#include "tests/support/gui/watched_application.h"
#include "tests/support/test_case.h"

int main(int argc, char** argv) {
  tl::init_devices();
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
  const tl::test::WatchedApplication app(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  if (!qEnvironmentVariableIsSet("TL_HISTORY")) qputenv("TL_HISTORY", "off");  // keeps the user's history out of tests
  QApplication::setStyle(QStringLiteral("Fusion"));
  std::setlocale(LC_ALL, "C");
  return tl::test::run_test_cases(argc, argv);
}
