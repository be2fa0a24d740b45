// The main of every guiless test: devices first (torch wants it so), fixed locale, then Qt Test.
#pragma once

#include <QCoreApplication>
#include <QtTest/QtTest>
#include <clocale>

#include "gpu/device/device.h"

#define TL_TEST_MAIN(Class)                 \
  int main(int argc, char** argv) {         \
    tl::init_devices();                     \
    QCoreApplication app(argc, argv);       \
    std::setlocale(LC_ALL, "C");            \
    Class test;                             \
    return QTest::qExec(&test, argc, argv); \
  }
