# One line per test: tl_add_test(name gpu)
tl_add_test(back_projector gpu)
