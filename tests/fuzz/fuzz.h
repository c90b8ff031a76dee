/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer calls, and driver.c where there is no libFuzzer. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

#endif
