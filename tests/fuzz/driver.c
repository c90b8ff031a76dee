/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX 65536

/* Without libFuzzer: the target once for each file of a directory, as a test. */

static int run_file(const char *directory, const char *name)
{
	static uint8_t data[INPUT_MAX];
	char path[4096];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "rb");
	if (!file) {
		perror(path);
		return -1;
	}
	length = fread(data, 1, sizeof(data), file);
	fclose(file);
	return LLVMFuzzerTestOneInput(data, length);
}

int main(int argc, char **argv)
{
	struct dirent *entry;
	int count = 0;
	DIR *directory;

	if (argc != 2 || !(directory = opendir(argv[1]))) {
		fprintf(stderr, "Usage: %s CORPUS\n", argv[0]);
		return EXIT_FAILURE;
	}
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		if (run_file(argv[1], entry->d_name) < 0)
			return EXIT_FAILURE;
		count++;
	}
	closedir(directory);
	/* A test that ran over nothing has shown nothing. */
	return count ? EXIT_SUCCESS : EXIT_FAILURE;
}
