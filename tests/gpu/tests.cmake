# One line per test: tl_add_test(name gpu)
