# One line per test: tl_add_test(name app)
tl_add_script_test(cli app ${CMAKE_SOURCE_DIR}/tests/app/cli_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
tl_add_test(verify_report app)
target_sources(test_app_verify_report PRIVATE ${CMAKE_SOURCE_DIR}/app/cli/verify_report.cpp)
