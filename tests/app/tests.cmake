# One line per test: tl_add_test(name app)
tl_add_script_test(cli app ${CMAKE_SOURCE_DIR}/tests/app/cli_test.py $<TARGET_FILE:tomoloom> ${CMAKE_SOURCE_DIR})
