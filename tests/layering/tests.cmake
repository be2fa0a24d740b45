# The rules of the tree, and the proof that each rule finds what it forbids.
tl_add_script_test(tree layering ${CMAKE_SOURCE_DIR}/tests/layering/layering.py ${CMAKE_SOURCE_DIR})
tl_add_script_test(self_test layering ${CMAKE_SOURCE_DIR}/tests/layering/layering.py ${CMAKE_SOURCE_DIR} --self-test)
tl_add_script_test(layout layering ${CMAKE_SOURCE_DIR}/tests/layering/layout.py ${CMAKE_SOURCE_DIR})
tl_add_script_test(arm layering ${CMAKE_SOURCE_DIR}/tests/layering/arm.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
tl_add_script_test(changed layering ${CMAKE_SOURCE_DIR}/tests/layering/changed.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
