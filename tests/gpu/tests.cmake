# One line per test: tl_add_test(name gpu)
tl_add_test(back_projector gpu)
tl_add_test(phantom gpu)
tl_add_test(poisson gpu)
