/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MESSAGE_H
#define MESSAGE_H

/*
 * One line on stderr: "blkbench: SUBJECT: TEXT", without the subject if that
 * is NULL. Whatever names contain, it stays one line of UTF-8.
 */
void message_print(const char *subject, const char *text);

#endif
