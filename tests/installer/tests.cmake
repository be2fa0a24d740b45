# The scripts that count and report must themselves be right.
tl_add_script_test(count_tests installer ${CMAKE_SOURCE_DIR}/tests/installer/count_tests_test.py ${CMAKE_SOURCE_DIR})
