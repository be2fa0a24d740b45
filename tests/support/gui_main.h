// The main of every test that opens windows: devices first (torch wants it so), fixed style, font and locale, then Qt
// Test.
#pragma once

#include <QApplication>
#include <QStandardPaths>
#include <QtTest/QtTest>
#include <clocale>

#include "gpu/device/device.h"

#define TL_GUI_TEST_MAIN(Class)                                                           \
  int main(int argc, char** argv) {                                                       \
    tl::init_devices();                                                                   \
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb"); \
    QApplication app(argc, argv);                                                         \
    QStandardPaths::setTestModeEnabled(true);                                             \
    QApplication::setStyle(QStringLiteral("Fusion"));                                     \
    std::setlocale(LC_ALL, "C");                                                          \
    Class test;                                                                           \
    return QTest::qExec(&test, argc, argv);                                               \
  }
