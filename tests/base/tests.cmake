# One line per test: tl_add_test(name base)
tl_add_test(units base)
