// Empty: the target of this file makes the precompiled header that all window tests share.
