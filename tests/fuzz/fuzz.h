/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fuzzer is: libFuzzer drives it, and `make check` replays its corpus through replay.c. */
#ifndef SLUBBENCH_FUZZ_H
#define SLUBBENCH_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* SLUBBENCH_FUZZ_H */
